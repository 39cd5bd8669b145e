// Integer power by squaring: straight-line for constant exponents, else a helper with a loop.
#include <string>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen {
namespace {

// Where a negative exponent has an integer result: 1 and -1. Others, and 0, give 0.
llvm::Value* negative_power(
    llvm::IRBuilderBase& builder, llvm::Value* base, llvm::Value* exponent) {
  llvm::Type* type = base->getType();
  llvm::Value* zero = llvm::Constant::getNullValue(type);
  llvm::Value* one = llvm::ConstantInt::get(type, 1);
  llvm::Value* minus_one = llvm::Constant::getAllOnesValue(type);
  llvm::Value* is_odd = builder.CreateICmpNE(builder.CreateAnd(exponent, one), zero);
  llvm::Value* of_minus_one = builder.CreateSelect(is_odd, minus_one, one);
  llvm::Value* of_others =
      builder.CreateSelect(builder.CreateICmpEQ(base, minus_one), of_minus_one, zero);
  return builder.CreateSelect(builder.CreateICmpEQ(base, one), one, of_others);
}

void emit_power_body(llvm::Function& function, bool has_sign) {
  llvm::LLVMContext& context = function.getContext();
  auto* entry = llvm::BasicBlock::Create(context, "entry", &function);
  auto* head = llvm::BasicBlock::Create(context, "head", &function);
  auto* body = llvm::BasicBlock::Create(context, "body", &function);
  auto* exit = llvm::BasicBlock::Create(context, "exit", &function);
  llvm::Value* base = function.getArg(0);
  llvm::Value* exponent = function.getArg(1);
  llvm::Type* type = base->getType();
  llvm::Value* zero = llvm::Constant::getNullValue(type);
  llvm::Value* one = llvm::ConstantInt::get(type, 1);

  llvm::IRBuilder<> builder(entry);
  llvm::Value* is_negative =
      has_sign ? builder.CreateICmpSLT(exponent, zero)
               : llvm::Constant::getNullValue(llvm::CmpInst::makeCmpResultType(type));
  llvm::Value* first = builder.CreateSelect(is_negative, zero, exponent);
  builder.CreateBr(head);

  builder.SetInsertPoint(head);
  llvm::PHINode* result = builder.CreatePHI(type, 2);
  llvm::PHINode* square = builder.CreatePHI(type, 2);
  llvm::PHINode* left = builder.CreatePHI(type, 2);
  builder.CreateCondBr(any_lane(builder, builder.CreateICmpNE(left, zero)), body, exit);

  builder.SetInsertPoint(body);
  llvm::Value* takes = builder.CreateICmpNE(builder.CreateAnd(left, one), zero);
  llvm::Value* next = builder.CreateSelect(takes, builder.CreateMul(result, square), result);
  llvm::Value* next_square = builder.CreateMul(square, square);
  llvm::Value* next_left = builder.CreateLShr(left, one);
  builder.CreateBr(head);
  result->addIncoming(one, entry);
  result->addIncoming(next, body);
  square->addIncoming(base, entry);
  square->addIncoming(next_square, body);
  left->addIncoming(first, entry);
  left->addIncoming(next_left, body);

  builder.SetInsertPoint(exit);
  builder.CreateRet(
      builder.CreateSelect(is_negative, negative_power(builder, base, exponent), result));
}

llvm::Function* power_function(OpEmitter& emitter, llvm::Type* type, DType dtype) {
  llvm::Function* caller = emitter.builder.GetInsertBlock()->getParent();
  llvm::Module& module = *caller->getParent();
  std::string name = "phalanx.power." + std::string(info(dtype).text);
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    name += ".x" + std::to_string(vector->getNumElements());
  if (llvm::Function* known = module.getFunction(name))
    return known;
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(type, {type, type}, false),
      llvm::Function::InternalLinkage,
      name,
      module);
  // It is inlined into code for one CPU, and must be compiled for the same.
  for (const char* attribute : {"target-cpu", "target-features", "prefer-vector-width"}) {
    if (caller->hasFnAttribute(attribute))
      function->addFnAttr(caller->getFnAttribute(attribute));
  }
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  emit_power_body(*function, is_signed(dtype));
  return function;
}

}  // namespace

llvm::Value* emit_integer_power(
    OpEmitter& emitter, DType dtype, llvm::Value* base, llvm::Value* exponent) {
  const std::optional<std::int64_t> known = constant_integer(exponent);
  const bool is_negative = known && is_signed(dtype) && *known < 0;
  if (!known) {
    llvm::Function* function = power_function(emitter, base->getType(), dtype);
    return emitter.builder.CreateCall(function, {base, exponent});
  }
  if (is_negative)
    return negative_power(emitter.builder, base, exponent);
  if (*known == 0)
    return llvm::ConstantInt::get(base->getType(), 1);
  // A narrow unsigned constant was sign-extended.
  const std::uint64_t mask = bits_of(dtype) == 64 ? ~0ULL : (1ULL << bits_of(dtype)) - 1;
  return multiply_chain(emitter, dtype, base, static_cast<std::uint64_t>(*known) & mask);
}

}  // namespace phalanx::codegen
