// Conversions of C.
#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/cudac/positions.h"
#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

Value FunctionConverter::converted(Value value, clang::QualType from, clang::QualType to) {
  const auto dtype = number_type(context(), to);
  if (value->type.is_pointer()) {
    if (!dtype)
      return value;
    Value number = builder_.bitcast(value, DType::int64);
    return builder_.cast(number, *dtype);
  }
  if (!dtype) {
    const bool is_signed = from->isSignedIntegerOrEnumerationType();
    Value wide = builder_.cast(value, is_signed ? DType::int64 : DType::uint64);
    return builder_.bitcast(builder_.cast(wide, DType::int64), any_pointer());
  }
  if (*dtype == DType::int32) {
    if (Value sum = signed_sum(builder_, *value))
      return sum;
  }
  return builder_.cast(value, *dtype);
}

Value read(FunctionConverter& c, const clang::Expr* from) {
  const clang::Expr* expression = from->IgnoreParens();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (Value known = c.constant_value(name))
      return known;
    if (Value known = c.value_of(*name->getDecl()))
      return known;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (const auto query = thread_query(c, member))
      return *query;
  }
  if (const auto* chosen = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression))
    return c.choose(chosen, true);
  return c.load(c.place(from));
}

namespace {

// A pointer to an object may be null, except where it has just been made from one.
bool may_be_null(const clang::CastExpr* cast) {
  if (cast->getCastKind() == clang::CK_UncheckedDerivedToBase)
    return false;
  const clang::Expr* inner = cast->getSubExpr()->IgnoreParenImpCasts();
  const auto* taken = llvm::dyn_cast<clang::UnaryOperator>(inner);
  return !llvm::isa<clang::CXXThisExpr>(inner) &&
         (taken == nullptr || taken->getOpcode() != clang::UO_AddrOf);
}

// A pointer to a base class of the object, or from one: null stays null.
Value moved_in_object(FunctionConverter& c, const clang::CastExpr* cast, std::int64_t bytes) {
  Value pointer = c.scalar(cast->getSubExpr());
  if (bytes == 0)
    return pointer;
  ir::Builder& builder = c.builder();
  Value distance = builder.integer(bytes);
  if (may_be_null(cast)) {
    Value is_null = builder.elementwise(
        ir::Op::equal, {builder.bitcast(pointer, DType::int64), builder.integer(0)});
    distance = builder.elementwise(ir::Op::select, {is_null, builder.integer(0), distance});
  }
  return builder.pointer_offset(pointer, distance, any_pointer());
}

}  // namespace

Value FunctionConverter::cast(const clang::CastExpr* expression) {
  const clang::Expr* inner = expression->getSubExpr();
  switch (expression->getCastKind()) {
    case clang::CK_LValueToRValue:
      return read(*this, inner);
    case clang::CK_NoOp:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
      return scalar(inner);
    case clang::CK_ArrayToPointerDecay:
      return address(place(inner));
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
    case clang::CK_FloatingToBoolean:
    case clang::CK_FloatingCast:
    case clang::CK_BooleanToSignedIntegral:
    case clang::CK_PointerToIntegral:
    case clang::CK_PointerToBoolean:
    case clang::CK_IntegralToPointer:
      return converted(scalar(inner), inner->getType(), expression->getType());
    case clang::CK_NullToPointer:
      return zero(expression->getType());
    case clang::CK_BitCast:
    case clang::CK_AddressSpaceConversion:
      return scalar(inner);
    case clang::CK_LValueToRValueBitCast: {
      LValue same = place(inner);
      return load(at(address(same), expression->getType()));
    }
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
      return moved_in_object(
          *this,
          expression,
          base_offset(*this, inner->getType()->getPointeeCXXRecordDecl(), expression));
    case clang::CK_BaseToDerived:
      return moved_in_object(
          *this,
          expression,
          -base_offset(*this, expression->getType()->getPointeeCXXRecordDecl(), expression));
    case clang::CK_FunctionToPointerDecay:
      return address(place(inner));
    default:
      refuse(
          expression->getBeginLoc(),
          std::string("this conversion is not supported in device code (") +
              expression->getCastKindName() + ")");
  }
}

}  // namespace phalanx::cudac
