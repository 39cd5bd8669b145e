// Check mode: lanes that the mask of a warp operation names and that have come to the kernel's end
// by another path.
//
// A lane notes in a word of its warp that it has come to the end, and is gone. Before a warp
// operation those of its mask wait for each other; hardware does not wait for lanes that are gone.
// Then each looks at the word, and they wait once more, so that none of them comes to the end
// before all have looked. Lanes that returned before may be named, as on the CPU device.
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/ir/warp_operations.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;

namespace {

constexpr std::uint32_t whole_warp = ~0U;

unsigned count_of(const ir::Module& module, bool (*is_counted)(Op)) {
  unsigned count = 0;
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const Operation& operation) {
      count += is_counted(operation.op) ? 1 : 0;
    });
  }
  return count;
}

bool is_warp_barrier(Op op) { return op == Op::warp_barrier; }

bool looks_for_absent_lanes(const FunctionEmitter& emitter) {
  return emitter.state().options.checks.has(Check::masks) &&
         count_of(emitter.state().source, ir::has_mask) != 0;
}

llvm::Value* word_of_warp(FunctionEmitter& emitter) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* thread = read_thread_index(builder, 2);
  for (unsigned d = 2; d > 0; --d)
    thread = builder.CreateAdd(
        builder.CreateMul(thread, read_block_extent(builder, d - 1)),
        read_thread_index(builder, d - 1));
  constexpr unsigned warp_bits = 5;
  llvm::Value* warp = builder.CreateLShr(thread, warp_bits);
  return builder.CreateInBoundsGEP(builder.getInt32Ty(), lanes_at_end(emitter.state()), warp);
}

void wait_for_lanes(llvm::IRBuilder<>& builder, llvm::Value* mask) {
  builder.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {}, {mask});
}

}  // namespace

void clear_lanes_at_end(FunctionEmitter& emitter) {
  if (!looks_for_absent_lanes(emitter))
    return;
  llvm::IRBuilder<>& builder = emitter.builder();
  builder.CreateStore(builder.getInt32(0), word_of_warp(emitter), /*isVolatile=*/true);
  wait_for_lanes(builder, builder.getInt32(whole_warp));
}

void note_lane_at_end(FunctionEmitter& emitter) {
  if (!looks_for_absent_lanes(emitter))
    return;
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* lane = builder.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
  builder.CreateAtomicRMW(
      llvm::AtomicRMWInst::Or,
      word_of_warp(emitter),
      builder.CreateShl(builder.getInt32(1), lane),
      llvm::MaybeAlign(),
      llvm::AtomicOrdering::Monotonic);
  builder.CreateIntrinsic(llvm::Intrinsic::nvvm_membar_cta, {}, {});
}

// Those of a warp barrier may be at another one.
void check_named_lanes(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (!looks_for_absent_lanes(emitter))
    return;
  if (operation.op == Op::warp_barrier && count_of(emitter.state().source, is_warp_barrier) > 1)
    return;
  llvm::Value* mask = emitter.operand(operation, 0);
  wait_for_lanes(builder, mask);
  llvm::Value* at_end = builder.CreateLoad(
      builder.getInt32Ty(), word_of_warp(emitter), /*isVolatile=*/true, "at_end");
  wait_for_lanes(builder, mask);
  llvm::Value* missing = builder.CreateAnd(mask, at_end, "missing");
  llvm::BasicBlock* fault = emitter.new_block("fault");
  llvm::BasicBlock* end = emitter.new_block("checked");
  builder.CreateCondBr(builder.CreateIsNotNull(missing), fault, end);
  builder.SetInsertPoint(fault);
  llvm::Type* wide = builder.getInt64Ty();
  emit_report(
      emitter, operation, {builder.CreateZExt(mask, wide), builder.CreateZExt(missing, wide)});
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
}

}  // namespace phalanx::codegen::nvptx
