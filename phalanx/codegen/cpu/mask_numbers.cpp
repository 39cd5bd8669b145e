#include "phalanx/codegen/cpu/mask_numbers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

namespace phalanx::codegen::cpu {

namespace {

constexpr unsigned deepest = 8;  // beyond what LLVM's rule follows

bool is_mask(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector != nullptr && vector->getElementType()->isIntegerTy(1) &&
         vector->getNumElements() >= 8;
}

// The number that a mask is made of.
llvm::Value* number_of(llvm::Value* mask) {
  auto* cast = llvm::dyn_cast<llvm::BitCastInst>(mask);
  return cast != nullptr && is_mask(*cast->getType()) && cast->getSrcTy()->isIntegerTy()
             ? cast->getOperand(0)
             : nullptr;
}

bool is_combined(const llvm::Value* number, unsigned depth = 0) {
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(number);
  if (operation == nullptr || depth == deepest)
    return false;
  const bool is_logic = operation->isBitwiseLogicOp() &&
                        llvm::none_of(operation->operands(), [](const llvm::Use& operand) {
                          return llvm::isa<llvm::Constant>(operand);
                        });
  const bool is_followed = operation->isBitwiseLogicOp() || operation->isShift() ||
                           llvm::isa<llvm::TruncInst, llvm::ZExtInst>(operation);
  return is_logic || (is_followed && llvm::any_of(operation->operands(), [&](const auto& operand) {
                        return is_combined(operand.get(), depth + 1);
                      }));
}

// Keeps the bits below 255, so all.
llvm::Value* hidden(llvm::IRBuilder<>& builder, llvm::Value* number) {
  llvm::Type* type = number->getType();
  const bool is_wide = type->getIntegerBitWidth() > 32;
  llvm::Type* wide = is_wide ? builder.getInt64Ty() : builder.getInt32Ty();
  llvm::Value* kept = builder.CreateIntrinsic(
      is_wide ? llvm::Intrinsic::x86_bmi_bzhi_64 : llvm::Intrinsic::x86_bmi_bzhi_32,
      {},
      {builder.CreateZExt(number, wide), llvm::ConstantInt::get(wide, 255)});
  return builder.CreateTrunc(kept, type);
}

// bitcast(a) | bitcast(b) is bitcast(a | b).
void combine_numbers(llvm::Instruction& operation) {
  if (!operation.isBitwiseLogicOp() || !is_mask(*operation.getType()))
    return;
  llvm::Value* left = number_of(operation.getOperand(0));
  llvm::Value* right = number_of(operation.getOperand(1));
  if (left == nullptr || right == nullptr)
    return;
  llvm::IRBuilder<> builder(&operation);
  const auto logic = static_cast<llvm::Instruction::BinaryOps>(operation.getOpcode());
  llvm::Value* number = builder.CreateBinOp(logic, left, right);
  operation.replaceAllUsesWith(builder.CreateBitCast(number, operation.getType()));
  operation.eraseFromParent();
}

}  // namespace

void hide_combined_masks(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      combine_numbers(instruction);
    for (auto& instruction : llvm::instructions(function)) {
      llvm::Value* number = number_of(&instruction);
      if (number == nullptr || !is_combined(number))
        continue;
      llvm::IRBuilder<> builder(&instruction);
      instruction.setOperand(0, hidden(builder, number));
    }
  }
}

}  // namespace phalanx::codegen::cpu
