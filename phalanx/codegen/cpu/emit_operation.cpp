// Sequences of operations, and which of the emitter's parts each operation belongs to.
#include <llvm/IR/IntrinsicsX86.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

void Emitter::emit_function(const ir::Region& body) {
  if (looks_at_masks()) {
    ended_ = make_slot(all_lanes()->getType(), "ended");
    write(no_lanes(), ended_);
  }
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

void Emitter::emit_operation(const Operation& operation) {
  switch (operation.op) {
    case Op::if_:
      return emit_if(operation);
    case Op::loop:
      return emit_loop(operation);
    case Op::block:
      return emit_block(operation);
    case Op::break_:
    case Op::continue_:
      return emit_jump(operation);
    case Op::return_:
      return emit_return(operation);
    case Op::set:
      return emit_set(operation);
    case Op::raise:
      has_effects_before_ = true;
      return emit_raise(operation);
    case Op::print:
    case Op::memory_release:
    case Op::random_refill:
    case Op::parallel:
    case Op::report_if:
    case Op::track_access:
    case Op::track_row:
    case Op::cooperative:
    case Op::launch_memory:
    case Op::grid_barrier:
      has_effects_before_ = true;
      return emit_effect(operation);
    case Op::barrier:
      has_effects_before_ = true;
      return surroundings_.emit_barrier(*this, operation);
    case Op::warp_barrier:
      check_named_lanes(operation);
      return emit_fence(operation);
    case Op::fence:
      return emit_fence(operation);
    case Op::sleep:
      builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse2_pause, {}, {});
      return;
    case Op::store:
    case Op::hinted_store: {
      has_effects_before_ = true;
      const ir::Type& pointer = operation.operands[0]->type;
      const Value value = value_of(*operation.operands[1]);
      return emit_store(address_of(*operation.operands[0]), pointer.element(), value);
    }
    case Op::array_store:
      return emit_array_store(operation);
    default:
      has_effects_before_ |= shapes_.nesting().at(operation).has_effect;
      define(operation, emit_value(operation));
  }
}

void Emitter::emit_array_store(const Operation& operation) {
  if (surroundings_.is_dropped(operation))
    return;
  has_effects_before_ = true;
  const Value value = value_of(*operation.operands.back());
  emit_store(element_address(operation), operation.operands[0]->type.element(), value);
}

// What happens beside the kernel's own memory.
void Emitter::emit_effect(const Operation& operation) {
  switch (operation.op) {
    case Op::cooperative:  // facts for the launch
    case Op::launch_memory:
      return;
    case Op::grid_barrier:
      return emit_grid_barrier();
    case Op::memory_release:
      return emit_memory_release(operation);
    case Op::random_refill:
      return emit_random_refill(operation);
    case Op::parallel:
      return emit_parallel(operation);
    case Op::report_if:
      return emit_report_if(operation);
    case Op::track_access:
      return tracker_.track(operation);
    case Op::track_row:
      return tracker_.track_row(operation);
    default:
      return emit_print(operation);
  }
}

Value Emitter::emit_value(const Operation& operation) {
  if (ir::is_elementwise(operation.op))
    return emit_elementwise(operation);
  switch (operation.op) {
    case Op::constant:
      return emit_constant(operation);
    case Op::undefined:
      return emit_undefined(operation);
    case Op::cast:
      return emit_cast(operation);
    case Op::bitcast:
      return emit_bitcast(operation);
    case Op::complex_make:
    case Op::complex_real:
    case Op::complex_imag:
      return emit_complex(operation);
    case Op::get:
      return emit_get(operation);
    case Op::tuple_make:
    case Op::vector_make:
    case Op::array_make:
      return concatenated(operation);
    case Op::tuple_get:
    case Op::vector_get:
    case Op::array_data:
    case Op::array_shape:
    case Op::array_stride:
      return emit_array_part(operation);
    case Op::wrap_index:
      return emit_wrap_index(operation);
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::lane_index:
      return emit_thread_query(operation);
    case Op::vote:
    case Op::shuffle:
    case Op::match:
    case Op::active_mask:
      return emit_warp_value(operation);
    case Op::library:
      return emit_library(operation);
    case Op::allocate:
      return emit_allocate(operation);
    case Op::memory_mark:
      return emit_memory_mark(operation);
    case Op::random_state:
      return emit_random_state(operation);
    case Op::parallel_lanes:
      return emit_parallel_lanes(operation);
    case Op::call:
      return emit_call(operation);
    default:
      return emit_memory_value(operation);
  }
}

Value Emitter::emit_memory_value(const Operation& operation) {
  switch (operation.op) {
    case Op::array_element: {
      const Address address = element_address(operation);
      if (address.speculative)
        affine_elements_[&operation] = *address.speculative;
      return {address.pointer};
    }
    case Op::checked_element:
      return emit_checked_element(operation);
    case Op::array_load:
      return emit_load(element_address(operation), operation.type);
    case Op::load:
    case Op::hinted_load:
      return emit_load(address_of(*operation.operands[0]), operation.type);
    case Op::pointer_offset: {
      const Component pointer = value_of(*operation.operands[0])[0];
      const Component bytes = value_of(*operation.operands[1])[0];
      return {add_offset(pointer, bytes, operation.operands[0]->type.space())};
    }
    case Op::pointer_field: {
      const ir::Type& record = operation.operands[0]->type.element();
      const auto index = static_cast<std::size_t>(operation.index);
      const Component pointer = value_of(*operation.operands[0])[0];
      llvm::Value* moved = builder_.CreateConstGEP1_64(
          builder_.getInt8Ty(), pointer.value, record.fields().at(index).offset);
      return {{pointer.shape, moved}};
    }
    case Op::shared_array:
    case Op::dynamic_shared_array:
      return emit_shared_array(operation);
    case Op::local_array:
      return emit_local_array(operation);
    case Op::constant_array:
      return emit_constant_array(operation);
    case Op::atomic:
    case Op::atomic_cas:
      return emit_atomic(operation);
    default:
      break;
  }
  throw CompileError(
      CompileError::Kind::unsupported,
      "the CPU device does not support '" + std::string(ir::name_of(operation.op)) + "'");
}

}  // namespace phalanx::codegen::cpu
