// Kernels whose barriers are anywhere: each warp is a coroutine, a barrier is a suspension.
#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/coroutine.h"
#include "phalanx/codegen/cpu/device_function.h"
#include "phalanx/codegen/cpu/kernel_builder.h"
#include "phalanx/codegen/cpu/shadow_state.h"

namespace phalanx::codegen::cpu {

namespace {

constexpr const char* full_name = "warp";
constexpr const char* masked_name = "warp_masked";
constexpr std::uint64_t cache_line = 64;
constexpr std::uint64_t page = 4096;

bool looks_at_barriers(const Compilation& compilation) {
  return compilation.options.debug || compilation.options.checks.has(Check::barriers);
}

// A barrier suspends the warp.
class Suspension final : public Surroundings {
 public:
  explicit Suspension(Coroutine& coroutine) : coroutine_(coroutine) {}

  // Check mode: barriers are counted there.
  void count_in(llvm::AllocaInst* passed) { passed_ = passed; }

  void emit_barrier(Emitter& emitter, const ir::Operation& barrier) const override {
    if (passed_ != nullptr)
      emitter.tracker().check_barrier(barrier, passed_);
    coroutine_.suspend();
  }

 private:
  Coroutine& coroutine_;
  llvm::AllocaInst* passed_ = nullptr;
};

}  // namespace

void KernelBuilder::build_coroutines() {
  const CpuVariant& variant = compilation_.variant;
  if (looks_at_barriers(compilation_) && !compilation_.shadow.has_shadow) {
    compilation_.shadow.has_shadow = true;
    compilation_.shadow.shared_granule = 31;  // the block's state only: no memory is followed
  }
  compilation_.plan = plan_memory(compilation_.source, variant, true);
  const bool has_ragged = may_be_ragged(variant);
  emit_coroutine(full_name, false);
  if (has_ragged)
    emit_coroutine(masked_name, true);
  split_coroutines(compilation_.module, compilation_.machine);
  std::uint64_t frame = frame_bytes(compilation_.module, full_name);
  if (has_ragged)
    frame = std::max(frame, frame_bytes(compilation_.module, masked_name));
  locals_bytes_ = compilation_.plan.warp_bytes;
  std::uint64_t stride = (locals_bytes_ + frame + cache_line - 1) / cache_line * cache_line;
  if (stride % page == 0)
    stride += cache_line;  // frames a page apart would fight for one set of the cache
  compilation_.plan.warp_bytes = stride;

  open_entry();
  emit_block_loop([&] { emit_schedule(); });
  builder_.CreateRetVoid();
}

void KernelBuilder::emit_coroutine(const char* name, bool is_masked) {
  const CpuVariant& variant = compilation_.variant;
  Coroutine coroutine(compilation_.module, builder_, name, variant.lanes);
  set_attributes(coroutine.function(), compilation_);
  WarpContext caller(builder_, coroutine.context());
  Suspension suspension(coroutine);
  Emitter emitter(compilation_, builder_, shapes_, suspension);
  emitter.launch = caller.load(compilation_.shared_layout(), compilation_.kernel);
  emitter.warp =
      position_of(builder_, emitter.launch, variant, coroutine.warp_index(), coroutine.scratch());
  if (is_masked)
    emitter.set_mask(builder_.CreateBitCast(
        coroutine.mask_bits(),
        llvm::FixedVectorType::get(builder_.getInt1Ty(), variant.lanes),
        "mask"));
  emitter.function_exit =
      llvm::BasicBlock::Create(builder_.getContext(), "warp.end", &coroutine.function());
  llvm::Type* count = builder_.getInt32Ty();
  if (variant.lanes > 1)
    count = llvm::FixedVectorType::get(count, variant.lanes);
  if (looks_at_barriers(compilation_)) {
    llvm::AllocaInst* passed = emitter.make_slot(count, "passed");
    builder_.CreateStore(llvm::Constant::getNullValue(count), passed);
    suspension.count_in(passed);
  }
  define_parameters(emitter);
  emitter.emit_function(compilation_.kernel.body);
  coroutine.finish();
}

// for (i = 0; i < count; ++i) body(i), where count may be 0.
void KernelBuilder::emit_count_loop(
    llvm::Value* count, const char* name, const std::function<void(llvm::Value*)>& body) {
  llvm::LLVMContext& context = builder_.getContext();
  auto* loop = llvm::BasicBlock::Create(context, name, function_);
  auto* done = llvm::BasicBlock::Create(context, "done", function_);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.CreateCondBr(builder_.CreateICmpNE(count, builder_.getInt32(0)), loop, done);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* index = builder_.CreatePHI(builder_.getInt32Ty(), 2, name);
  index->addIncoming(builder_.getInt32(0), before);
  body(index);
  llvm::Value* next = builder_.CreateAdd(index, builder_.getInt32(1), "", true, true);
  index->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpULT(next, count), loop, done);
  builder_.SetInsertPoint(done);
}

llvm::Value* KernelBuilder::scratch_of(llvm::Value* warp_index) {
  llvm::Value* offset = builder_.CreateMul(
      builder_.CreateZExt(warp_index, builder_.getInt64Ty()),
      builder_.getInt64(compilation_.plan.warp_bytes));
  return builder_.CreateGEP(builder_.getInt8Ty(), launch_.warps, offset);
}

// Starts each warp, which runs to its first barrier; then rounds over those that are not done.
void KernelBuilder::emit_schedule() {
  const CpuVariant& variant = compilation_.variant;
  llvm::Value* width = builder_.getInt32(variant.lanes);
  llvm::Value* threads = block_threads();
  llvm::Value* whole = builder_.CreateUDiv(threads, width, "whole.warps");
  llvm::Value* ragged = builder_.CreateURem(threads, width, "ragged.threads");
  WarpContext(builder_, context_slot_).store(launch_, builder_.getInt32(0));
  llvm::IntegerType* bits = builder_.getIntNTy(variant.lanes);
  const auto frame_of = [&](llvm::Value* scratch) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), scratch, locals_bytes_);
  };
  const auto start = [&](const char* name, llvm::Value* warp, llvm::Value* mask) {
    llvm::Value* scratch = scratch_of(warp);
    builder_.CreateCall(
        compilation_.module.getFunction(name),
        {context_slot_, warp, mask, scratch, frame_of(scratch)});
  };
  emit_count_loop(whole, "start", [&](llvm::Value* warp) {
    start(full_name, warp, llvm::Constant::getAllOnesValue(bits));
  });
  llvm::Value* is_ragged = builder_.CreateICmpNE(ragged, builder_.getInt32(0));
  llvm::Value* warps =
      builder_.CreateAdd(whole, builder_.CreateZExt(is_ragged, builder_.getInt32Ty()));
  if (compilation_.module.getFunction(masked_name) != nullptr) {
    emit_count_loop(builder_.CreateSub(warps, whole), "start.ragged", [&](llvm::Value*) {
      llvm::Value* count = builder_.CreateZExtOrTrunc(ragged, bits);
      llvm::Value* ones = llvm::Constant::getAllOnesValue(bits);
      start(masked_name, whole, builder_.CreateNot(builder_.CreateShl(ones, count)));
    });
  }
  emit_rounds(warps, frame_of);
}

void KernelBuilder::emit_rounds(
    llvm::Value* warps, const std::function<llvm::Value*(llvm::Value*)>& frame_of) {
  llvm::LLVMContext& context = builder_.getContext();
  auto* round = llvm::BasicBlock::Create(context, "round", function_);
  auto* done = llvm::BasicBlock::Create(context, "rounds.done", function_);
  llvm::IRBuilder<> at_entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  llvm::AllocaInst* has_run = at_entry.CreateAlloca(builder_.getInt1Ty(), nullptr, "has.run");
  builder_.CreateBr(round);
  builder_.SetInsertPoint(round);
  builder_.CreateStore(builder_.getInt1(false), has_run);
  emit_shadow_barrier(builder_, compilation_, launch_);
  auto* resume_type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
  emit_count_loop(warps, "resume", [&](llvm::Value* warp) {
    llvm::Value* frame = frame_of(scratch_of(warp));
    // A coroutine at its end has no resume function.
    llvm::Value* code = builder_.CreateLoad(builder_.getPtrTy(), frame, "code");
    auto* run = llvm::BasicBlock::Create(context, "run", function_);
    auto* next = llvm::BasicBlock::Create(context, "next", function_);
    builder_.CreateCondBr(builder_.CreateIsNull(code), next, run);
    builder_.SetInsertPoint(run);
    builder_.CreateCall(resume_type, code, {frame})->setCallingConv(llvm::CallingConv::Fast);
    builder_.CreateStore(builder_.getInt1(true), has_run);
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
  });
  builder_.CreateCondBr(builder_.CreateLoad(builder_.getInt1Ty(), has_run), round, done);
  builder_.SetInsertPoint(done);
}

}  // namespace phalanx::codegen::cpu
