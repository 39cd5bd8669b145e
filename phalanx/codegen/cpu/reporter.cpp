#include "phalanx/codegen/cpu/reporter.h"

#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/emit_report.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

std::uint32_t Reporter::site_number(const Operation& operation) {
  const auto [site, is_new] = compilation_.site_numbers.try_emplace(
      &operation, static_cast<std::uint32_t>(compilation_.fault_sites.size() + 1));
  if (is_new)
    compilation_.fault_sites.push_back(site_of(shapes_.nesting().function(), operation));
  return site->second;
}

// Lane `lane` reports for `count` threads; `values` are its own.
void Reporter::report_lane(
    const Operation& operation,
    llvm::Value* lane,
    llvm::Value* count,
    llvm::ArrayRef<llvm::Value*> values) {
  const std::uint32_t site = site_number(operation);
  llvm::Value* log = builder_.CreateLoad(
      builder_.getPtrTy(),
      builder_.CreateConstGEP1_64(
          builder_.getInt8Ty(), emitter_.launch.launch, offsetof(CpuLaunch, errors)));
  llvm::BasicBlock* heard = emitter_.new_block("report");
  llvm::BasicBlock* done = emitter_.new_block("reported");
  builder_.CreateCondBr(builder_.CreateIsNull(log), done, heard);
  builder_.SetInsertPoint(heard);
  const std::size_t held = std::min(values.size(), std::size(ErrorRecord{}.values));
  llvm::Value* kept = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (held != 0) {
    if (values_ == nullptr)
      values_ = emitter_.make_slot(
          llvm::ArrayType::get(builder_.getInt64Ty(), std::size(ErrorRecord{}.values)), "reported");
    kept = values_;
  }
  for (std::size_t i = 0; i < held; ++i)
    builder_.CreateStore(values[i], builder_.CreateConstGEP1_64(builder_.getInt64Ty(), kept, i));
  llvm::SmallVector<llvm::Value*, 11> arguments = {log, builder_.getInt32(site), count};
  for (llvm::Value* index : emitter_.launch.block_index) arguments.push_back(index);
  for (unsigned i = 0; i < 3; ++i) arguments.push_back(emitter_.thread_of_lane(i, lane));
  arguments.push_back(kept);
  arguments.push_back(builder_.getInt32(static_cast<std::uint32_t>(held)));
  builder_.CreateCall(report_function(compilation_.module), arguments);
  emitter_.branch_to(done);
}

void Reporter::report_lanes(
    const Operation& operation, llvm::Value* lanes, llvm::ArrayRef<Component> values) {
  llvm::Value* bits = emitter_.mask_bits(
      lanes->getType()->isVectorTy() ? emitter_.merged(emitter_.mask(), lanes)
                                     : emitter_.mask_or_all());
  llvm::Value* lane = builder_.CreateZExtOrTrunc(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getInt1(false)),
      builder_.getInt32Ty());
  llvm::Value* count = builder_.CreateZExtOrTrunc(
      builder_.CreateUnaryIntrinsic(
          llvm::Intrinsic::ctpop, builder_.CreateZExt(bits, builder_.getInt64Ty())),
      builder_.getInt32Ty());
  llvm::SmallVector<llvm::Value*, 8> own;
  for (const Component& value : values)
    own.push_back(
        value.shape.is_uniform() ? value.value : emitter_.lane_of(emitter_.vector_of(value), lane));
  report_lane(operation, lane, count, own);
}

}  // namespace phalanx::codegen::cpu
