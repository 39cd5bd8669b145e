// Check mode: lanes that the mask of a warp operation names and that have come to the kernel's end
// by another path.
//
// A lane notes in a word of its warp that it has come to the end, and is gone. Before a warp
// operation those of its mask wait for each other; hardware does not wait for lanes that are gone.
// Then each looks at the word, and they wait once more, so that none of them comes to the end
// before all have looked. Lanes that returned before may be named, as on the CPU device.
#include <llvm/IR/IntrinsicsNVPTX.h>

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

}  // namespace

bool FunctionEmitter::looks_for_absent_lanes() const {
  return state_.options.checks.has(Check::masks) && count_of(state_.source, ir::has_mask) != 0;
}

llvm::Value* FunctionEmitter::word_of_warp() {
  llvm::Value* thread = read_thread_index(2);
  for (unsigned d = 2; d > 0; --d)
    thread = builder_.CreateAdd(
        builder_.CreateMul(thread, read_block_extent(d - 1)), read_thread_index(d - 1));
  constexpr unsigned warp_bits = 5;
  llvm::Value* warp = builder_.CreateLShr(thread, warp_bits);
  return builder_.CreateInBoundsGEP(builder_.getInt32Ty(), lanes_at_end(state_), warp);
}

void FunctionEmitter::clear_lanes_at_end() {
  builder_.CreateStore(builder_.getInt32(0), word_of_warp(), /*isVolatile=*/true);
  wait_for_lanes(builder_.getInt32(whole_warp));
}

void FunctionEmitter::note_lane_at_end() {
  llvm::Value* lane = builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
  builder_.CreateAtomicRMW(
      llvm::AtomicRMWInst::Or,
      word_of_warp(),
      builder_.CreateShl(builder_.getInt32(1), lane),
      llvm::MaybeAlign(),
      llvm::AtomicOrdering::Monotonic);
  builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_membar_cta, {}, {});
}

void FunctionEmitter::wait_for_lanes(llvm::Value* mask) {
  builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {}, {mask});
}

// Those of a warp barrier may be at another one.
void FunctionEmitter::check_named_lanes(const Operation& operation) {
  if (!looks_for_absent_lanes())
    return;
  if (operation.op == Op::warp_barrier && count_of(state_.source, is_warp_barrier) > 1)
    return;
  llvm::Value* mask = operand(operation, 0);
  wait_for_lanes(mask);
  llvm::Value* at_end =
      builder_.CreateLoad(builder_.getInt32Ty(), word_of_warp(), /*isVolatile=*/true, "at_end");
  wait_for_lanes(mask);
  llvm::Value* missing = builder_.CreateAnd(mask, at_end, "missing");
  llvm::BasicBlock* fault = new_block("fault");
  llvm::BasicBlock* end = new_block("checked");
  builder_.CreateCondBr(builder_.CreateIsNotNull(missing), fault, end);
  builder_.SetInsertPoint(fault);
  llvm::Type* wide = builder_.getInt64Ty();
  emit_report(operation, {builder_.CreateZExt(mask, wide), builder_.CreateZExt(missing, wide)});
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
}

}  // namespace phalanx::codegen::nvptx
