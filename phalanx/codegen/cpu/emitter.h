// SPMD code in SIMD lanes (whole-function vectorization: Karrenberg and Hack, 2011): emits the
// operations of a function for one warp, scalar where lanes agree, else vectors with masks.
//
// WarpBuilder, below it, has blocks, slots, masks and the forms of values. The emitter has the
// values of operations and the slots of variables, and leaves each operation to one of its parts:
//   ControlEmitter      branches, loops, jumps, returns
//   ConditionEmitter    comparisons that become masks, tests for the whole warp
//   MemoryEmitter       addresses, loads, stores
//   SpeculativeIndices  indices that are affine for most warps
//   CheckEmitter        check mode: bounds, conditions, lanes that are named
//   AccessTracker       check mode: shadow words
//   Reporter            reports to the host
// What has no state is a function: atomics.h, with lane_source.h for lanes one after another,
// and stateless_operations.h: plain values, arrays, warp operations, calls, services, prints.
// Surroundings says what the code around the operations makes of barriers and of outer values.
#pragma once

#include <unordered_map>
#include <vector>

#include "phalanx/codegen/cpu/access_tracker.h"
#include "phalanx/codegen/cpu/check_emitter.h"
#include "phalanx/codegen/cpu/condition_emitter.h"
#include "phalanx/codegen/cpu/control_emitter.h"
#include "phalanx/codegen/cpu/memory_emitter.h"
#include "phalanx/codegen/cpu/reporter.h"
#include "phalanx/codegen/cpu/shapes.h"
#include "phalanx/codegen/cpu/speculative_indices.h"
#include "phalanx/codegen/cpu/surroundings.h"
#include "phalanx/codegen/cpu/warp_builder.h"

namespace phalanx::codegen::cpu {

class Emitter : public WarpBuilder {
 public:
  // `surroundings` must live as long as the emitter.
  Emitter(
      Compilation& compilation,
      llvm::IRBuilder<>& builder,
      const FunctionShapes& shapes,
      const Surroundings& surroundings = Surroundings::none());

  llvm::BasicBlock* function_exit = nullptr;  // where a return of all lanes goes
  // Device functions: where lanes leave their result, one a component.
  std::vector<llvm::Value*> result_slots;

  // Operations: emit_operation.cpp
  void emit_function(const ir::Region& body);  // goes on at `function_exit`
  void emit_body(const ir::Region& region);
  void emit_operation(const ir::Operation& operation);
  Value emit_value(const ir::Operation& operation);

  // Values
  const Value& value_of(const ir::Operation& operation);
  void define(const ir::Operation& operation, Value value) {
    values_[&operation] = std::move(value);
  }
  bool has_value(const ir::Operation& operation) const { return values_.contains(&operation); }
  llvm::Value* scalar(const ir::Operation& operation, unsigned component = 0);
  llvm::Value* vector(const ir::Operation& operation, unsigned component = 0);
  // For emission over whole operands: single values stay single where possible.
  llvm::Value* operand(const ir::Operation& operation, unsigned index, bool as_scalar);

  // Variables live in allocas, one a component.
  struct VariableSlot {
    std::vector<llvm::Value*> components;
  };
  VariableSlot& slot_of(ir::VariableId variable);
  bool has_slot(ir::VariableId variable) const { return variables_.contains(variable); }
  void share_slot(ir::VariableId variable, const VariableSlot& slot) {
    variables_[variable] = slot;
  }

  const FunctionShapes& shapes() const { return shapes_; }
  const Surroundings& surroundings() const { return surroundings_; }
  ControlEmitter& control() { return control_; }
  ConditionEmitter& conditions() { return conditions_; }
  MemoryEmitter& memory() { return memory_; }
  SpeculativeIndices& indices() { return indices_; }
  CheckEmitter& checks() { return checks_; }
  AccessTracker& tracker() { return tracker_; }
  Reporter& reporter() { return reporter_; }

 private:
  void emit_by_kind(const ir::Operation& operation);
  void emit_range(const ir::Region& region, std::size_t first, std::size_t last);
  void emit_set(const ir::Operation& operation);
  void emit_fence(const ir::Operation& operation);
  void emit_effect(const ir::Operation& operation);

  const FunctionShapes& shapes_;
  const Surroundings& surroundings_;
  std::unordered_map<const ir::Operation*, Value> values_;
  std::unordered_map<ir::VariableId, VariableSlot> variables_;
  ControlEmitter control_;
  ConditionEmitter conditions_;
  MemoryEmitter memory_;
  SpeculativeIndices indices_;
  CheckEmitter checks_;
  AccessTracker tracker_;
  Reporter reporter_;
};

}  // namespace phalanx::codegen::cpu
