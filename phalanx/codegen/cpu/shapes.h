// Uniformity analysis (Karrenberg and Hack, 2012; LLVM's UniformityInfo): for every value and
// variable of a function how it differs between threads, and for every branch and jump whether
// lanes diverge.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/nesting.h"
#include "phalanx/codegen/cpu/shape.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

// What is known of the launch besides the variant.
struct LaunchFacts {
  bool has_whole_starts = false;  // the first thread of a warp has a multiple of the lanes as x
  bool has_block = false;         // blocks have the variant's extents
};

class FunctionShapes {
 public:
  FunctionShapes(
      const ir::Function& function, const CpuVariant& variant, const LaunchFacts& facts = {});

  const Nesting& nesting() const { return nesting_; }
  const Shapes& of(const ir::Operation& operation) const { return values_.at(&operation); }
  const Shape& of(const ir::Operation& operation, unsigned component) const {
    return of(operation).at(component);
  }
  const Shapes& of_variable(ir::VariableId variable) const { return variables_.at(variable); }

  // if_: of its condition. break_, continue_, return_, raise: of leaving the target.
  // set: of the control between the variable's home and here.
  Divergence divergence(const ir::Operation& operation) const;
  // loop, block: of the breaks that leave it; loop: of the continues of its body.
  Divergence break_divergence(const ir::Operation& control) const;
  Divergence continue_divergence(const ir::Operation& control) const;
  // True if fewer lanes may run after the operation than before it.
  bool kills_lanes(const ir::Operation& operation) const { return losing_.contains(&operation); }
  // loop, block: true if lanes diverge inside, to its end or farther out.
  bool is_divergent(const ir::Operation& control) const { return divergent_.contains(&control); }
  // True if some value of the same function differs less between threads than `other` knows.
  bool is_better_than(const FunctionShapes& other) const;
  // True if threads may return, or raise, while others of their block go on.
  bool has_divergent_return() const { return has_divergent_return_; }

 private:
  void run_to_fixpoint();
  bool visit(const ir::Region& region);
  bool visit_value(const ir::Operation& operation);
  bool visit_set(const ir::Operation& set);
  bool visit_jump(const ir::Operation& jump);
  Divergence control_between(const ir::Operation& inner, const ir::Operation* outer) const;
  Divergence divergence_of_jump(const ir::Operation& jump) const;
  Divergence divergence_of_set(const ir::Operation& set) const;
  bool is_over_with(ir::VariableId variable, const ir::Operation& branch, unsigned region) const;
  bool is_set_before(ir::VariableId variable, const ir::Operation& control) const;
  void find_home(ir::VariableId variable);
  void find_losing(const ir::Region& region);

  const ir::Function& function_;
  CpuVariant variant_;
  LaunchFacts facts_;
  Nesting nesting_;
  std::unordered_map<const ir::Operation*, Shapes> values_;
  std::vector<Shapes> variables_;  // empty: nothing known to flow in yet
  // The structured operation (and its region) in which a variable lives from a first set on; null:
  // the body.
  struct Home {
    const ir::Operation* control = nullptr;
    unsigned region = 0;
  };
  std::vector<Home> homes_;
  std::unordered_map<const ir::Operation*, Divergence> divergence_;
  std::unordered_map<const ir::Operation*, Divergence> break_divergence_;
  std::unordered_map<const ir::Operation*, Divergence> continue_divergence_;
  std::unordered_set<const ir::Operation*> losing_;
  std::unordered_set<const ir::Operation*> divergent_;
  bool has_divergent_return_ = false;
};

// The shapes of the value that `operation` yields; `operands` in order. Control flow, variables and
// parameters are not its business.
Shapes transfer(
    const ir::Operation& operation,
    const std::vector<const Shapes*>& operands,
    const CpuVariant& variant,
    const LaunchFacts& facts);

// The same for an operation of warps; emit_warp.cpp has it beside their code.
Shape shape_of_warp(const ir::Operation& operation, const std::vector<const Shapes*>& operands);

// The shapes of a + b and a * b on 64-bit integers.
Shape sum_of(const Shape& a, const Shape& b, int sign_of_b = 1);
Shape product_of(const Shape& a, const Shape& b);

// As component_count of llvm/lower_types.h, without LLVM.
unsigned components_of(const ir::Type& type);

}  // namespace phalanx::codegen::cpu
