#include "phalanx/cudac/types.h"

namespace phalanx::cudac {

namespace {

DType integer_type(std::uint64_t bits, bool has_sign) {
  switch (bits) {
    case 8:
      return has_sign ? DType::int8 : DType::uint8;
    case 16:
      return has_sign ? DType::int16 : DType::uint16;
    case 32:
      return has_sign ? DType::int32 : DType::uint32;
    default:
      return has_sign ? DType::int64 : DType::uint64;
  }
}

}  // namespace

std::optional<DType> number_type(const clang::ASTContext& context, clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isBooleanType())
    return DType::boolean;
  if (type->isIntegralOrEnumerationType()) {
    const std::uint64_t bits = context.getTypeSize(type);
    if (bits > 64)
      return std::nullopt;
    return integer_type(bits, type->isSignedIntegerOrEnumerationType());
  }
  const auto* builtin = type->getAs<clang::BuiltinType>();
  if (builtin == nullptr)
    return std::nullopt;
  switch (builtin->getKind()) {
    case clang::BuiltinType::Half:
    case clang::BuiltinType::Float16:
      return DType::float16;
    case clang::BuiltinType::BFloat16:
      return DType::bfloat16;
    case clang::BuiltinType::Float:
      return DType::float32;
    case clang::BuiltinType::Double:
    case clang::BuiltinType::LongDouble:  // as nvcc has it in device code
      return DType::float64;
    default:
      return std::nullopt;
  }
}

bool is_scalar(const clang::ASTContext& context, clang::QualType type) {
  return type->isReferenceType() || type->isPointerType() || type->isNullPtrType() ||
         number_type(context, type).has_value();
}

ir::Type value_type(const clang::ASTContext& context, clang::QualType type) {
  if (!type->isReferenceType()) {
    if (const auto dtype = number_type(context, type))
      return *dtype;
  }
  return any_pointer();
}

std::int64_t bytes_of(const clang::ASTContext& context, clang::QualType type) {
  return context.getTypeSizeInChars(type).getQuantity();
}

std::int64_t alignment_of(const clang::ASTContext& context, clang::QualType type) {
  return context.getTypeAlignInChars(type).getQuantity();
}

}  // namespace phalanx::cudac
