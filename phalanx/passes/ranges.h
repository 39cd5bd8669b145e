// Value range analysis (Harrison, 1977; LLVM's LazyValueInfo): which numbers an integer value can
// be, from its operands and from the guards around it.
#pragma once

#include <cstddef>
#include <vector>

#include "phalanx/ir/ir.h"
#include "phalanx/passes/linear.h"

namespace phalanx::passes {

class Ranges {
 public:
  // `variables`: what is known of the function's variables wherever they are read.
  explicit Ranges(const std::vector<Interval>& variables) : variables_(&variables) {}

  // The condition holds (or not, where `is_true` is false) until the facts are cut back.
  void assume(const ir::Operation* condition, bool is_true);
  std::size_t facts() const { return facts_.size(); }
  void cut_back(std::size_t facts) { facts_.resize(facts); }

  Interval of(const ir::Operation* value);
  // The range of a - b.
  Interval difference(const ir::Operation* a, const ir::Operation* b);
  // True if a < b is known for sure.
  bool is_below(const ir::Operation* a, const ir::Operation* b);

 private:
  void assume_order(ir::Op op, const ir::Operation* a, const ir::Operation* b);
  void assume_different(const ir::Operation* a, const ir::Operation* b);
  void assume_difference(const ir::Operation* greater, const ir::Operation* less, std::int64_t by);
  Interval of_value(const ir::Operation* value, unsigned depth);
  Interval of_linear(const Linear& form, unsigned depth);
  const ir::Operation* bound_of(const ir::Operation* value, unsigned depth);
  Interval raised_by_bounds(Interval range, const Linear& form, unsigned depth);
  Interval sum_of(const Linear& form, unsigned depth);
  Interval of_term(const ir::Operation* value, unsigned depth);
  Interval of_elementwise(const ir::Operation& operation, unsigned depth);
  Interval of_bits(const ir::Operation& operation, unsigned depth);

  const std::vector<Interval>* variables_;
  std::vector<Linear> facts_;  // none of them is negative
  unsigned steps_left_ = 0;    // of the question at hand
};

}  // namespace phalanx::passes
