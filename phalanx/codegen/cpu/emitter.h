// SPMD code in SIMD lanes (whole-function vectorization: Karrenberg and Hack, 2011): emits the
// operations of a function for one warp, scalar where lanes agree, else vectors with masks.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "phalanx/codegen/cpu/access_tracker.h"
#include "phalanx/codegen/cpu/address.h"
#include "phalanx/codegen/cpu/shapes.h"
#include "phalanx/codegen/cpu/surroundings.h"
#include "phalanx/codegen/cpu/value.h"
#include "phalanx/codegen/cpu/warp_builder.h"
#include "phalanx/ir/libdevice.h"

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

  void emit_function(const ir::Region& body);  // goes on at `function_exit`
  void emit_body(const ir::Region& region);
  void emit_range(const ir::Region& region, std::size_t first, std::size_t last);
  void emit_operation(const ir::Operation& operation);
  const Value& value_of(const ir::Operation& operation);
  void define(const ir::Operation& operation, Value value) {
    values_[&operation] = std::move(value);
  }
  bool has_value(const ir::Operation& operation) const { return values_.contains(&operation); }
  Value emit_value(const ir::Operation& operation);

  // Variables live in allocas, one a component.
  struct VariableSlot {
    std::vector<llvm::Value*> components;
  };
  VariableSlot& slot_of(ir::VariableId variable);
  bool has_slot(ir::VariableId variable) const { return variables_.contains(variable); }
  void share_slot(ir::VariableId variable, const VariableSlot& slot) {
    variables_[variable] = slot;
  }

  llvm::Value* all_of_condition(const ir::Operation& condition);
  // The pointer of an array_load or array_store; lane 0's, where that tells all.
  Component element_pointer(const ir::Operation& access) { return element_address(access).pointer; }
  llvm::Value* scalar(const ir::Operation& operation, unsigned component = 0);
  llvm::Value* vector(const ir::Operation& operation, unsigned component = 0);
  // Atomics on integers whose old values are not used, in whatever order: one with the values of
  // two, in vectors, and the values that change nothing.
  bool can_combine(const ir::Operation& atomic) const;
  llvm::Value* combined_values(const ir::Operation& atomic, llvm::Value* a, llvm::Value* b);
  llvm::Constant* neutral_values(const ir::Operation& atomic);
  // At a loop's end: leaves it for `exit` when the launch is stopped. Kernels that report only.
  void emit_stop(llvm::BasicBlock* exit);

  // What check mode's tracker asks for.
  AccessTracker& tracker() { return tracker_; }
  Address address_of(const ir::Operation& pointer);
  Value emit_load(const Address& address, const ir::Type& type);
  std::uint32_t site_number(const ir::Operation& operation);
  void report_lanes(
      const ir::Operation& operation, llvm::Value* lanes, llvm::ArrayRef<Component> values);

 private:
  struct Frame {
    const ir::Operation* control = nullptr;
    llvm::BasicBlock* exit = nullptr;
    llvm::BasicBlock* latch = nullptr;   // loop: where continue goes
    llvm::AllocaInst* rejoin = nullptr;  // lanes that wait at the end
    llvm::AllocaInst* resume = nullptr;  // loop: lanes that wait for the step
    llvm::AllocaInst* live = nullptr;    // loop: lanes in the loop
  };

  // Control: emit_control.cpp, emit_loop.cpp
  void emit_if(const ir::Operation& operation);
  void emit_uniform_if(const ir::Operation& operation);
  void emit_varying_if(const ir::Operation& operation);
  llvm::Value* emit_masked_part(
      const ir::Region& region, llvm::Value* part_mask, llvm::Value* may_run = nullptr);
  bool is_of_one_lane(const ir::Operation& condition);
  bool try_emit_guard(const ir::Operation& operation);
  bool try_emit_grid_guard(const ir::Operation& operation);
  void emit_loop(const ir::Operation& operation);
  void emit_loop_once(const ir::Operation& operation);
  void emit_step(const ir::Operation& operation, llvm::BasicBlock* header, Frame& frame);
  void end_if_unreachable(llvm::BasicBlock* block);
  void emit_block(const ir::Operation& operation);
  void emit_jump(const ir::Operation& operation);
  void emit_return(const ir::Operation& operation);
  void emit_fence(const ir::Operation& operation);
  void emit_array_store(const ir::Operation& operation);
  void emit_effect(const ir::Operation& operation);
  void emit_set(const ir::Operation& operation);
  void store_result(const ir::Operation& operation);
  Frame& frame_of(const ir::Operation& control);
  void open_frame(Frame& frame, const ir::Operation& operation);
  bool is_cheap(const ir::Region& region) const;

  // Masks: emit_mask.cpp
  bool try_emit_first_lanes(const ir::Operation& operation, Value& result);
  llvm::Value* first_lanes(
      ir::Op order, bool is_signed, const Component& affine, llvm::Value* limit);
  llvm::Value* first_lane_is_within(
      ir::Op order, bool is_signed, const Component& affine, llvm::Value* limit);
  llvm::PHINode* unless_wrapped(
      const ir::Operation& order, const Component& affine, llvm::Value* mask);

  // Values: emit_value.cpp
  Value emit_elementwise(const ir::Operation& operation);
  Value emit_operation_on(ir::Op op, const ir::Operation& operation);
  Value emit_cast(const ir::Operation& operation);
  Value emit_complex(const ir::Operation& operation);
  Value emit_bitcast(const ir::Operation& operation);
  Value emit_constant(const ir::Operation& operation);
  Value emit_undefined(const ir::Operation& operation);
  Value emit_thread_query(const ir::Operation& operation);
  Value emit_get(const ir::Operation& operation);
  Value emit_array_part(const ir::Operation& operation);
  Value emit_wrap_index(const ir::Operation& operation);
  Value concatenated(const ir::Operation& operation);
  llvm::Value* operand(const ir::Operation& operation, unsigned index, bool as_scalar);
  llvm::Value* converted(const Component& component, const Shape& shape);

  // Memory: emit_address.cpp, emit_memory.cpp, emit_lanes.cpp
  std::optional<SpeculativelyAffine> speculatively_affine(const ir::Operation& operation);
  std::optional<SpeculativelyAffine> speculatively_affine_result(const ir::Operation& operation);
  std::optional<SpeculativelyAffine> affine_of_bits(
      ir::Op op, const SpeculativelyAffine& affine, const Component& number, llvm::Value* holds);
  void find_speculative(const ir::Operation& operation, Address& address);
  void find_narrow(const ir::Operation& operation, const Value& view, Address& address);
  bool try_emit_affine_remainder(const ir::Operation& operation, Value& result);
  llvm::Value* is_affine_within(const Component& affine, llvm::Value* low, llvm::Value* high);
  static Address speculative_address_of(const Address& address);
  Value emit_speculative_load(const Address& address, const ir::Type& type);
  void emit_speculative_store(const Address& address, const ir::Type& type, const Value& value);
  Address element_address(const ir::Operation& operation);
  Value emit_memory_value(const ir::Operation& operation);
  void emit_store(const Address& address, const ir::Type& type, const Value& value);
  llvm::Value* load_component(
      const Address& address, llvm::Type* memory_scalar, std::uint64_t offset, std::size_t align);
  void store_component(
      const Address& address,
      llvm::Value* value,
      bool is_vector,
      std::uint64_t offset,
      std::size_t align);
  llvm::Value* pointers_of(const Component& pointer, std::uint64_t offset);
  llvm::Instruction* store_vector(
      llvm::Value* whole, llvm::Value* base, llvm::Align alignment, const Address& address);
  void mark(llvm::Instruction* access, ir::Space space, std::int64_t memory = 0);
  Value emit_shared_array(const ir::Operation& operation);
  Value emit_local_array(const ir::Operation& operation);
  Value emit_constant_array(const ir::Operation& operation);
  Value view_of(const ir::Operation& operation, const Component& pointer);

  // Per lane: emit_atomic.cpp, emit_report.cpp, emit_call.cpp, emit_external.cpp
  // The lanes of a warp among themselves: emit_warp.cpp; libdevice: emit_library.cpp
  Value emit_warp_value(const ir::Operation& operation);
  Value emit_vote(const ir::Operation& operation);
  Value emit_shuffle(const ir::Operation& operation);
  Value emit_match_any(const ir::Operation& operation);
  Value emit_match_all(const ir::Operation& operation);
  llvm::Value* source_lanes(ir::Shuffle mode, llvm::Value* operand);
  llvm::Value* equal_lanes(llvm::Value* values);
  Value emit_library(const ir::Operation& operation);
  llvm::SmallVector<llvm::Value*, 3> call_library(
      const ir::LibraryFunction& function, llvm::ArrayRef<llvm::Value*> operands);
  Value emit_atomic(const ir::Operation& operation);
  llvm::Value* atomic_once(
      const ir::Operation& operation, llvm::Value* pointer, llvm::ArrayRef<llvm::Value*> operands);
  bool try_emit_reduced_atomic(const ir::Operation& operation);
  // Lanes one after another: emit_lanes.cpp
  struct LaneSource {
    llvm::Value* value = nullptr;   // of all lanes, or where they lie
    llvm::Type* element = nullptr;  // where they lie in memory
    bool is_vector = false;
  };
  LaneSource lane_source(const Component& component);
  LaneSource index_source(const ir::Operation& index);
  llvm::Value* lane_from(const LaneSource& source, llvm::Value* lane);
  llvm::SmallVector<llvm::Value*, 8> integers_from(
      const LaneSource& source, llvm::Value* first, unsigned count);
  bool try_emit_full_atomic(const ir::Operation& operation);
  Value emit_call(const ir::Operation& operation);
  Value emit_external_call(const ir::Operation& operation);
  llvm::Value* call_linked(const ir::Function& callee, llvm::ArrayRef<llvm::Value*> operands);
  void leave_if_raised();

  // CPU functions: emit_service.cpp
  llvm::Value* service(std::size_t offset);
  Value emit_allocate(const ir::Operation& operation);
  Value emit_memory_mark(const ir::Operation& operation);
  void emit_memory_release(const ir::Operation& operation);
  Value emit_random_state(const ir::Operation& operation);
  void emit_random_refill(const ir::Operation& operation);
  Value emit_parallel_lanes(const ir::Operation& operation);
  void emit_parallel(const ir::Operation& operation);
  llvm::Value* parameter_block(const ir::Function& body, const ir::Operation& operation);
  void emit_print(const ir::Operation& operation);
  void emit_grid_barrier();
  void store_print_value(llvm::Value* entry, DType dtype, llvm::Value* value);
  void emit_raise(const ir::Operation& operation);
  void emit_report(
      const ir::Operation& operation,
      llvm::Value* lane,
      llvm::Value* count,
      llvm::ArrayRef<llvm::Value*> values);

  // Check mode: emit_check.cpp
  struct Subscripts;  // of one element, with what is known of them at run time
  Value emit_checked_element(const ir::Operation& operation);
  Subscripts subscripts_of(const ir::Operation& operation);
  llvm::Value* all_within(const Subscripts& subscripts);
  llvm::Value* lanes_within(const Subscripts& subscripts);
  Value sink_pointer(
      const ir::Operation& operation, const Component& pointer, llvm::Value* is_within);
  void emit_report_if(const ir::Operation& operation);
  bool looks_at_masks() const;
  void check_named_lanes(const ir::Operation& operation);
  void end_lanes();

  const FunctionShapes& shapes_;
  const Surroundings& surroundings_;
  AccessTracker tracker_;
  llvm::AllocaInst* ended_ = nullptr;  // check mode, for masks: lanes that returned
  bool has_effects_before_ = false;    // since the point that masked code goes back to
  std::unordered_map<const ir::Operation*, Value> values_;
  std::unordered_map<const ir::Operation*, llvm::Value*> may_hold_;  // of conditions: i1
  std::unordered_map<const ir::Operation*, SpeculativelyAffine> speculatively_affine_;
  // The affine pointers of checked elements.
  std::unordered_map<const ir::Operation*, SpeculativelyAffine> affine_elements_;
  llvm::AllocaInst* report_values_ = nullptr;
  llvm::AllocaInst* stop_counter_ = nullptr;
  llvm::AllocaInst* sink_ = nullptr;  // memory for accesses that must not happen
  std::unordered_map<ir::VariableId, VariableSlot> variables_;
  std::deque<Frame> frames_;
};

}  // namespace phalanx::codegen::cpu
