// Shapes and constants: what works alike on single values and on vectors of lanes.
#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/emit_parts.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen {

unsigned lanes_of(const llvm::Value* value) {
  const llvm::Type* type = value->getType();
  if (const auto* pair = llvm::dyn_cast<llvm::StructType>(type))
    type = pair->getElementType(0);
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector == nullptr ? 0 : vector->getNumElements();
}

llvm::Value* splat(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned lanes) {
  if (lanes == 0 || lanes_of(value) != 0)
    return value;
  if (!value->getType()->isStructTy())
    return builder.CreateVectorSplat(lanes, value);
  llvm::Value* real = builder.CreateVectorSplat(lanes, builder.CreateExtractValue(value, 0));
  llvm::Value* imaginary = builder.CreateVectorSplat(lanes, builder.CreateExtractValue(value, 1));
  llvm::Type* type = llvm::StructType::get(real->getType(), imaginary->getType());
  llvm::Value* pair = builder.CreateInsertValue(llvm::PoisonValue::get(type), real, 0);
  return builder.CreateInsertValue(pair, imaginary, 1);
}

llvm::Type* with_element(const llvm::Type* like, llvm::Type* element) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like);
  return vector == nullptr ? element
                           : llvm::FixedVectorType::get(element, vector->getNumElements());
}

llvm::Value* number_like(const llvm::Value* like, double number) {
  llvm::Type* type = like->getType();
  if (type->isFPOrFPVectorTy())
    return llvm::ConstantFP::get(type, number);
  return llvm::ConstantInt::get(
      type, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
}

namespace {

const llvm::Constant* single_constant(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant != nullptr && constant->getType()->isVectorTy())
    return constant->getSplatValue();
  return constant;
}

}  // namespace

std::optional<std::int64_t> constant_integer(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(single_constant(value));
  if (constant == nullptr)
    return std::nullopt;
  return constant->getSExtValue();
}

std::optional<double> constant_number(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast_or_null<llvm::ConstantFP>(single_constant(value));
  if (constant == nullptr)
    return std::nullopt;
  llvm::APFloat number = constant->getValueAPF();
  bool loses = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

llvm::Value* any_lane(llvm::IRBuilderBase& builder, llvm::Value* condition) {
  return condition->getType()->isVectorTy() ? builder.CreateOrReduce(condition) : condition;
}

llvm::Value* make_complex(OpEmitter& emitter, llvm::Value* real, llvm::Value* imaginary) {
  llvm::Type* type = llvm::StructType::get(real->getType(), imaginary->getType());
  llvm::Value* pair = emitter.builder.CreateInsertValue(llvm::PoisonValue::get(type), real, 0);
  return emitter.builder.CreateInsertValue(pair, imaginary, 1);
}

namespace {

// Looks through the insertions that made the pair, so that no chains of them pile up.
llvm::Value* part_of(OpEmitter& emitter, llvm::Value* complex, unsigned part) {
  llvm::Value* value = complex;
  while (auto* insertion = llvm::dyn_cast<llvm::InsertValueInst>(value)) {
    if (insertion->getIndices().front() == part)
      return insertion->getInsertedValueOperand();
    value = insertion->getAggregateOperand();
  }
  return emitter.builder.CreateExtractValue(complex, part);
}

}  // namespace

llvm::Value* real_of(OpEmitter& emitter, llvm::Value* complex) {
  return part_of(emitter, complex, 0);
}
llvm::Value* imaginary_of(OpEmitter& emitter, llvm::Value* complex) {
  return part_of(emitter, complex, 1);
}

llvm::Value* to_memory(llvm::IRBuilderBase& builder, DType dtype, llvm::Value* value) {
  if (!is_boolean(dtype))
    return value;
  return builder.CreateZExt(value, with_element(value->getType(), builder.getInt8Ty()));
}

llvm::Value* from_memory(llvm::IRBuilderBase& builder, DType dtype, llvm::Value* value) {
  if (!is_boolean(dtype))
    return value;
  return builder.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

namespace {

std::int64_t integer_of(const ir::Constant& constant) {
  if (const bool* flag = std::get_if<bool>(&constant))
    return *flag ? 1 : 0;
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&constant))
    return *integer;
  if (const double* number = std::get_if<double>(&constant))
    return static_cast<std::int64_t>(*number);
  throw CompileError(CompileError::Kind::lowering, "a complex constant of an integer type");
}

std::complex<double> number_of(const ir::Constant& constant) {
  if (const double* number = std::get_if<double>(&constant))
    return *number;
  if (const auto* complex = std::get_if<std::complex<double>>(&constant))
    return *complex;
  return static_cast<double>(integer_of(constant));
}

}  // namespace

llvm::Constant* emit_constant(
    llvm::LLVMContext& context, DType dtype, const ir::Constant& constant) {
  llvm::Type* type = register_type(context, dtype);
  if (is_boolean(dtype))
    return llvm::ConstantInt::get(type, number_of(constant) != 0.0 ? 1 : 0);
  if (is_integer(dtype)) {
    const auto bits = static_cast<std::uint64_t>(integer_of(constant));
    return llvm::ConstantInt::get(context, llvm::APInt(64, bits).trunc(bits_of(dtype)));
  }
  const std::complex<double> number = number_of(constant);
  if (is_floating(dtype))
    return llvm::ConstantFP::get(type, number.real());
  auto* pair = llvm::cast<llvm::StructType>(type);
  llvm::Type* part = pair->getElementType(0);
  return llvm::ConstantStruct::get(
      pair,
      {llvm::ConstantFP::get(part, number.real()), llvm::ConstantFP::get(part, number.imag())});
}

}  // namespace phalanx::codegen
