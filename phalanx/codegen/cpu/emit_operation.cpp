// Sequences of operations, and which part of the emitter each operation belongs to.
#include <llvm/IR/IntrinsicsX86.h>

#include "phalanx/codegen/cpu/atomics.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

void Emitter::emit_function(const ir::Region& body) {
  checks_.begin_function();
  emit_body(body);
  if (is_open())
    builder_.CreateBr(function_exit);
  builder_.SetInsertPoint(function_exit);
}

void Emitter::emit_body(const ir::Region& region) { emit_range(region, 0, region.size()); }

// Operations [first, last) of the region. After one that loses lanes, the rest is passed over when
// none is left: it may read memory that only the lost lanes' absence protects.
void Emitter::emit_range(const ir::Region& region, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const Operation& operation = *region[i];
    emit_operation(operation);
    if (is_gone())
      return;
    const bool may_be_empty =
        mask_ != nullptr && is_structured(operation.op) && shapes_.kills_lanes(operation);
    if (!may_be_empty || i + 1 == last)
      continue;
    llvm::BasicBlock* rest = new_block("rest");
    llvm::BasicBlock* end = new_block("rest.end");
    builder_.CreateCondBr(any(mask_), rest, end);
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    builder_.SetInsertPoint(rest);
    emit_range(region, i + 1, last);
    const bool is_rest_open = is_open();
    llvm::BasicBlock* rest_end = builder_.GetInsertBlock();
    llvm::Value* rest_mask = mask_;
    branch_to(end);
    llvm::PHINode* left = builder_.CreatePHI(all_lanes()->getType(), 2, "left");
    left->addIncoming(no_lanes(), before);
    if (is_rest_open)
      left->addIncoming(rest_mask, rest_end);
    mask_ = left;
    return;
  }
}

// A block runs on one core, a warp's lanes together: there only the compiler must keep the order.
void Emitter::emit_fence(const Operation& operation) {
  const bool is_within_block =
      operation.op == Op::warp_barrier || ir::has_kind(operation, ir::FenceScope::block);
  builder_.CreateFence(
      llvm::AtomicOrdering::SequentiallyConsistent,
      is_within_block ? llvm::SyncScope::SingleThread : llvm::SyncScope::System);
}

// Lanes that are elsewhere and may read the variable later keep what they have.
void Emitter::emit_set(const Operation& operation) {
  const Shapes& shapes = shapes_.of_variable(operation.variable);
  const Value value = value_of(*operation.operands[0]);
  const VariableSlot& slot = slot_of(operation.variable);
  const bool keeps_others = mask_ != nullptr && shapes_.divergence(operation) == Divergence::lane;
  for (unsigned i = 0; i < shapes.size(); ++i) {
    const bool is_varying = shapes[i].uniformity == Uniformity::varying;
    llvm::Value* next = is_varying ? vector_of(value[i]) : value[i].value;
    if (keeps_others)
      next = select_running(next, read(next->getType(), slot.components[i]));
    write(next, slot.components[i]);
  }
}

void Emitter::emit_operation(const Operation& operation) {
  if (compilation().lines == nullptr)
    return emit_by_kind(operation);
  const llvm::DebugLoc before = builder_.getCurrentDebugLocation();
  builder_.SetCurrentDebugLocation(
      compilation().lines->at(shapes_.nesting().function(), operation.location));
  emit_by_kind(operation);
  builder_.SetCurrentDebugLocation(before);
}

void Emitter::emit_by_kind(const Operation& operation) {
  switch (operation.op) {
    case Op::if_:
    case Op::loop:
    case Op::block:
    case Op::break_:
    case Op::continue_:
    case Op::return_:
      return control_.emit(operation);
    case Op::set:
      return emit_set(operation);
    case Op::store:
    case Op::hinted_store:
    case Op::array_store:
      return memory_.emit_effect(operation);
    case Op::raise:
    case Op::print:
    case Op::surface_store:
    case Op::memory_release:
    case Op::random_refill:
    case Op::parallel:
    case Op::report_if:
    case Op::track_access:
    case Op::track_row:
    case Op::cooperative:
    case Op::launch_memory:
    case Op::barrier:
    case Op::grid_barrier:
      control_.note_effect();
      return emit_effect(operation);
    case Op::warp_barrier:
      checks_.check_named_lanes(operation);
      return emit_fence(operation);
    case Op::fence:
      return emit_fence(operation);
    case Op::sleep:
      builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse2_pause, {}, {});
      return;
    default:
      if (shapes_.nesting().at(operation).has_effect)
        control_.note_effect();
      define(operation, emit_value(operation));
  }
}

// What happens beside the kernel's own memory.
void Emitter::emit_effect(const Operation& operation) {
  switch (operation.op) {
    case Op::cooperative:  // facts for the launch
    case Op::launch_memory:
      return;
    case Op::barrier:
      return surroundings_.emit_barrier(*this, operation);
    case Op::grid_barrier:
      return emit_grid_barrier(*this);
    case Op::raise:
      return emit_raise(*this, operation);
    case Op::surface_store:
      return emit_surface_store(*this, operation);
    case Op::memory_release:
    case Op::random_refill:
      return emit_service(*this, operation);
    case Op::parallel:
      return emit_parallel(*this, operation);
    case Op::report_if:
      return checks_.emit_report_if(operation);
    case Op::track_access:
      return tracker_.track(operation);
    case Op::track_row:
      return tracker_.track_row(operation);
    default:
      return emit_print(*this, operation);
  }
}

Value Emitter::emit_value(const Operation& operation) {
  if (ir::is_of(ir::OpFamily::warp, operation.op))
    return emit_warp_value(*this, operation);
  switch (operation.op) {
    case Op::array_element:
    case Op::array_load:
    case Op::load:
    case Op::hinted_load:
    case Op::pointer_offset:
    case Op::pointer_field:
      return memory_.emit_value(operation);
    case Op::checked_element:
      return checks_.emit_element(operation);
    case Op::shared_array:
    case Op::dynamic_shared_array:
    case Op::local_array:
    case Op::constant_array:
    case Op::global_array:
      return emit_array(*this, operation);
    case Op::atomic:
    case Op::atomic_cas:
      return emit_atomic(*this, operation);
    case Op::library:
      return emit_library(*this, operation);
    case Op::texture_fetch:
      return emit_texture_fetch(*this, operation);
    case Op::surface_load:
      return emit_surface_load(*this, operation);
    case Op::call:
      return emit_call(*this, operation);
    case Op::allocate:
    case Op::memory_mark:
    case Op::random_state:
      return emit_service_value(*this, operation);
    case Op::parallel_lanes:
      return emit_parallel_lanes(*this, operation);
    case Op::read_clock:
      return emit_clock(*this, operation);
    case Op::assembly:
      return emit_assembly(*this, operation);
    default:
      return emit_plain_value(*this, operation);
  }
}

}  // namespace phalanx::codegen::cpu
