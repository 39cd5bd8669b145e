#include "phalanx/codegen/cpu/small_float.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace phalanx::codegen::cpu {

namespace {

bool uses_bfloat16(const ir::Module& module) {
  bool found = false;
  const auto look = [&](const ir::Type& type) {
    found |= (type.is_scalar() || type.is_vector()) && type.dtype() == DType::bfloat16;
  };
  for (const auto& function : module.functions) {
    // A kernel that stores a parameter has no other operation of its type.
    for (const auto& parameter : function->parameters) look(parameter->type);
    ir::for_each(std::as_const(function->body), [&](const ir::Operation& operation) {
      look(operation.type);
    });
  }
  return found;
}

bool is_half_choice(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::vector_reduce_fmaximum:
    case llvm::Intrinsic::vector_reduce_fminimum:
      return call.getArgOperand(0)->getType()->isVectorTy() &&
             call.getType()->getScalarType()->isHalfTy();
    default:
      return false;
  }
}

}  // namespace

void widen_half_choices(llvm::Module& module) {
  llvm::Type* single = llvm::Type::getFloatTy(module.getContext());
  for (llvm::Function& function : module) {
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call == nullptr || !is_half_choice(*call))
        continue;
      llvm::IRBuilder<> builder(call);
      llvm::SmallVector<llvm::Value*, 2> wide;
      for (llvm::Value* operand : call->args())
        wide.push_back(builder.CreateFPExt(operand, operand->getType()->getWithNewType(single)));
      llvm::Value* result = builder.CreateIntrinsic(
          call->getType()->getWithNewType(single), call->getIntrinsicID(), wide);
      call->replaceAllUsesWith(builder.CreateFPTrunc(result, call->getType()));
      call->eraseFromParent();
    }
  }
}

void define_bfloat16_rounding(llvm::Module& module, const ir::Module& source) {
  if (!uses_bfloat16(source))
    return;
  llvm::IRBuilder<> builder(module.getContext());
  auto* type = llvm::FunctionType::get(builder.getBFloatTy(), {builder.getFloatTy()}, false);
  // External: LLVM's code generator, which runs after all passes, is what calls it.
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "__truncsfbf2", module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setDoesNotThrow();
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  llvm::Value* value = function->getArg(0);
  llvm::Value* bits = builder.CreateBitCast(value, builder.getInt32Ty());
  // Half of the last bit that is left, less one where that bit is 0: ties go to even.
  llvm::Value* last = builder.CreateAnd(builder.CreateLShr(bits, 16), 1);
  llvm::Value* rounded = builder.CreateAdd(bits, builder.CreateAdd(last, builder.getInt32(0x7FFF)));
  llvm::Value* quiet = builder.CreateOr(bits, 0x400000);
  llvm::Value* chosen = builder.CreateSelect(builder.CreateFCmpUNO(value, value), quiet, rounded);
  llvm::Value* top = builder.CreateTrunc(builder.CreateLShr(chosen, 16), builder.getInt16Ty());
  builder.CreateRet(builder.CreateBitCast(top, builder.getBFloatTy()));
}

}  // namespace phalanx::codegen::cpu
