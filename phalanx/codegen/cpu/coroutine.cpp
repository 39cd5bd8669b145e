#include "phalanx/codegen/cpu/coroutine.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/analyses.h"

namespace phalanx::codegen::cpu {

namespace {

// What CoroSplit may rematerialise after a suspension instead of spilling it: integers and
// addresses. For a floating-point operation its operands would be spilled, inside of loops too.
bool is_cheap_again(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::GetElementPtrInst>(instruction) || llvm::isa<llvm::CastInst>(instruction))
    return !instruction.getType()->isVectorTy();
  return llvm::isa<llvm::BinaryOperator>(instruction) && instruction.getType()->isIntegerTy();
}

}  // namespace

Coroutine::Coroutine(
    llvm::Module& module, llvm::IRBuilder<>& builder, const char* name, unsigned lanes)
    : builder_(builder) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = builder.getPtrTy();
  auto* type = llvm::FunctionType::get(
      pointer, {pointer, builder.getInt32Ty(), builder.getIntNTy(lanes), pointer, pointer}, false);
  // External until it is split: the pass does not visit what nothing calls yet.
  function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  function_->setPresplitCoroutine();
  function_->addFnAttr(llvm::Attribute::NoInline);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function_));
  llvm::Value* null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value* id = builder.CreateIntrinsic(
      llvm::Intrinsic::coro_id, {}, {builder.getInt32(64), null, null, null});
  handle_ = builder.CreateIntrinsic(llvm::Intrinsic::coro_begin, {}, {id, function_->getArg(4)});
  suspended_ = llvm::BasicBlock::Create(context, "suspended", function_);
}

llvm::Value* Coroutine::emit_suspend(bool is_final) {
  return builder_.CreateIntrinsic(
      llvm::Intrinsic::coro_suspend,
      {},
      {llvm::ConstantTokenNone::get(builder_.getContext()), builder_.getInt1(is_final)});
}

void Coroutine::suspend() {
  llvm::SwitchInst* next = builder_.CreateSwitch(emit_suspend(false), suspended_, 2);
  auto* resumed = llvm::BasicBlock::Create(builder_.getContext(), "resumed", function_);
  next->addCase(builder_.getInt8(0), resumed);
  next->addCase(builder_.getInt8(1), suspended_);
  builder_.SetInsertPoint(resumed);
}

void Coroutine::finish() {
  llvm::SwitchInst* next = builder_.CreateSwitch(emit_suspend(true), suspended_, 2);
  auto* never = llvm::BasicBlock::Create(builder_.getContext(), "never", function_);
  next->addCase(builder_.getInt8(0), never);
  next->addCase(builder_.getInt8(1), suspended_);
  builder_.SetInsertPoint(never);
  builder_.CreateUnreachable();
  builder_.SetInsertPoint(suspended_);
  builder_.CreateIntrinsic(
      llvm::Intrinsic::coro_end,
      {},
      {handle_, builder_.getInt1(false), llvm::ConstantTokenNone::get(builder_.getContext())});
  builder_.CreateRet(handle_);
}

void split_coroutines(llvm::Module& module, llvm::TargetMachine* machine) {
  llvm::PassBuilder passes(machine);
  Analyses analyses;
  analyses.fill(passes);
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::CoroEarlyPass());
  llvm::CGSCCPassManager split;
  split.addPass(llvm::CoroSplitPass(is_cheap_again, /*OptimizeFrame=*/true));
  pipeline.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(std::move(split)));
  pipeline.addPass(llvm::CoroCleanupPass());
  pipeline.run(module, analyses.modules);
  for (llvm::Function& function : module) {
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

std::uint64_t frame_bytes(const llvm::Module& module, llvm::StringRef coroutine) {
  const llvm::StructType* frame =
      llvm::StructType::getTypeByName(module.getContext(), (coroutine + ".Frame").str());
  if (frame == nullptr)
    throw CompileError(CompileError::Kind::lowering, "phalanx bug: a coroutine without a frame");
  return module.getDataLayout().getTypeAllocSize(const_cast<llvm::StructType*>(frame));
}

}  // namespace phalanx::codegen::cpu
