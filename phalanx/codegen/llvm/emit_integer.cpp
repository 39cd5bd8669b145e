// Integer arithmetic: wraps on overflow, divides as Python does, never traps.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/emit_parts.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen {
namespace {

using ir::Op;

struct Division {
  llvm::Value* quotient;
  llvm::Value* remainder;
};

// Towards zero; the divisor is not 0 and the quotient does not overflow.
Division divide_plainly(
    OpEmitter& emitter, DType dtype, llvm::Value* dividend, llvm::Value* divisor) {
  llvm::IRBuilderBase& builder = emitter.builder;
  const bool has_sign = is_signed(dtype);
  const bool as_float = emitter.divides_as_float && bits_of(dtype) <= 32 &&
                        dividend->getType()->isVectorTy() && !constant_integer(divisor);
  if (!as_float) {
    if (has_sign)
      return {builder.CreateSDiv(dividend, divisor), builder.CreateSRem(dividend, divisor)};
    return {builder.CreateUDiv(dividend, divisor), builder.CreateURem(dividend, divisor)};
  }
  // A quotient below a whole number n is below it by at least 1 part in n * divisor, which fits the
  // integer: more than the float's rounding, so that n is never reached.
  const llvm::IRBuilderBase::FastMathFlagGuard guard(builder);
  builder.clearFastMathFlags();
  llvm::Type* integer = dividend->getType();
  llvm::Type* number =
      with_element(integer, bits_of(dtype) <= 16 ? builder.getFloatTy() : builder.getDoubleTy());
  const auto widen = [&](llvm::Value* value) {
    return has_sign ? builder.CreateSIToFP(value, number) : builder.CreateUIToFP(value, number);
  };
  llvm::Value* ratio = builder.CreateFDiv(widen(dividend), widen(divisor));
  llvm::Value* quotient =
      has_sign ? builder.CreateFPToSI(ratio, integer) : builder.CreateFPToUI(ratio, integer);
  return {quotient, builder.CreateSub(dividend, builder.CreateMul(quotient, divisor))};
}

enum class Rounding { down, to_zero };

// 0 and 0 for a zero divisor.
Division divide(
    OpEmitter& emitter,
    DType dtype,
    llvm::Value* dividend,
    llvm::Value* divisor,
    Rounding rounding = Rounding::down) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Type* type = dividend->getType();
  llvm::Value* zero = llvm::Constant::getNullValue(type);
  llvm::Value* one = llvm::ConstantInt::get(type, 1);
  llvm::Value* by_zero = builder.CreateICmpEQ(divisor, zero);
  if (!is_signed(dtype)) {
    Division result =
        divide_plainly(emitter, dtype, dividend, builder.CreateSelect(by_zero, one, divisor));
    result.quotient = builder.CreateSelect(by_zero, zero, result.quotient);
    return result;
  }
  // The least value divided by -1 wraps to itself, which is what dividing by 1 gives.
  llvm::Value* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits_of(dtype)));
  llvm::Value* overflows = builder.CreateAnd(
      builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)),
      builder.CreateICmpEQ(dividend, least));
  llvm::Value* safe = builder.CreateSelect(builder.CreateOr(by_zero, overflows), one, divisor);
  const Division plain = divide_plainly(emitter, dtype, dividend, safe);
  if (rounding == Rounding::to_zero)
    return {builder.CreateSelect(by_zero, zero, plain.quotient), plain.remainder};
  llvm::Value* rounds_up = builder.CreateAnd(
      builder.CreateICmpNE(plain.remainder, zero),
      builder.CreateICmpSLT(builder.CreateXor(plain.remainder, divisor), zero));
  llvm::Value* quotient =
      builder.CreateSelect(rounds_up, builder.CreateSub(plain.quotient, one), plain.quotient);
  llvm::Value* remainder =
      builder.CreateSelect(rounds_up, builder.CreateAdd(plain.remainder, divisor), plain.remainder);
  return {builder.CreateSelect(by_zero, zero, quotient), remainder};
}

llvm::Value* shift_left(OpEmitter& emitter, DType dtype, llvm::Value* value, llvm::Value* amount) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Value* fits =
      builder.CreateICmpULT(amount, llvm::ConstantInt::get(amount->getType(), bits_of(dtype)));
  return builder.CreateSelect(
      fits, builder.CreateShl(value, amount), llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* shift_right(OpEmitter& emitter, DType dtype, llvm::Value* value, llvm::Value* amount) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Value* fits =
      builder.CreateICmpULT(amount, llvm::ConstantInt::get(amount->getType(), bits_of(dtype)));
  if (is_signed(dtype)) {
    llvm::Value* last = llvm::ConstantInt::get(amount->getType(), bits_of(dtype) - 1);
    return builder.CreateAShr(value, builder.CreateSelect(fits, amount, last));
  }
  return builder.CreateSelect(
      fits, builder.CreateLShr(value, amount), llvm::Constant::getNullValue(value->getType()));
}

// Counts are i32, whatever the width of what was counted.
llvm::Value* count_bits(OpEmitter& emitter, llvm::Intrinsic::ID intrinsic, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  llvm::Value* count = intrinsic == llvm::Intrinsic::ctpop
                           ? builder.CreateUnaryIntrinsic(intrinsic, value)
                           : builder.CreateBinaryIntrinsic(intrinsic, value, builder.getFalse());
  return builder.CreateZExtOrTrunc(count, with_element(value->getType(), builder.getInt32Ty()));
}

llvm::Value* extremum(OpEmitter& emitter, DType dtype, bool greatest, Operands operands) {
  llvm::Intrinsic::ID intrinsic = greatest ? llvm::Intrinsic::umax : llvm::Intrinsic::umin;
  if (is_signed(dtype))
    intrinsic = greatest ? llvm::Intrinsic::smax : llvm::Intrinsic::smin;
  return emitter.builder.CreateBinaryIntrinsic(intrinsic, operands[0], operands[1]);
}

}  // namespace

llvm::Value* multiply_chain(
    OpEmitter& emitter, DType dtype, llvm::Value* base, std::uint64_t exponent) {
  llvm::Value* result = nullptr;
  for (llvm::Value* square = base; true;) {
    if ((exponent & 1U) != 0)
      result = result == nullptr ? square : emit(emitter, Op::multiply, dtype, {result, square});
    exponent >>= 1U;
    if (exponent == 0)
      return result;
    square = emit(emitter, Op::multiply, dtype, {square, square});
  }
}

llvm::Value* emit_integer(OpEmitter& emitter, Op op, DType dtype, Operands x) {
  llvm::IRBuilderBase& builder = emitter.builder;
  switch (op) {
    case Op::add:
      return builder.CreateAdd(x[0], x[1]);
    case Op::subtract:
      return builder.CreateSub(x[0], x[1]);
    case Op::multiply:
      return builder.CreateMul(x[0], x[1]);
    case Op::floor_divide:
      return divide(emitter, dtype, x[0], x[1]).quotient;
    case Op::remainder:
      return divide(emitter, dtype, x[0], x[1]).remainder;
    case Op::trunc_divide:
      return divide(emitter, dtype, x[0], x[1], Rounding::to_zero).quotient;
    case Op::trunc_remainder:
      return divide(emitter, dtype, x[0], x[1], Rounding::to_zero).remainder;
    case Op::power:
      return emit_integer_power(emitter, dtype, x[0], x[1]);
    case Op::negative:
      return builder.CreateNeg(x[0]);
    case Op::absolute:
      return is_signed(dtype)
                 ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x[0], builder.getFalse())
                 : x[0];
    case Op::bitwise_and:
      return builder.CreateAnd(x[0], x[1]);
    case Op::bitwise_or:
      return builder.CreateOr(x[0], x[1]);
    case Op::bitwise_xor:
      return builder.CreateXor(x[0], x[1]);
    case Op::invert:
      return builder.CreateNot(x[0]);
    case Op::left_shift:
      return shift_left(emitter, dtype, x[0], x[1]);
    case Op::right_shift:
      return shift_right(emitter, dtype, x[0], x[1]);
    case Op::minimum:
    case Op::fmin:
      return extremum(emitter, dtype, false, x);
    case Op::maximum:
    case Op::fmax:
      return extremum(emitter, dtype, true, x);
    case Op::popcount:
      return count_bits(emitter, llvm::Intrinsic::ctpop, x[0]);
    case Op::leading_zeros:
      return count_bits(emitter, llvm::Intrinsic::ctlz, x[0]);
    case Op::trailing_zeros:
      return count_bits(emitter, llvm::Intrinsic::cttz, x[0]);
    case Op::reverse_bits:
      return builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x[0]);
    default:
      throw CompileError(
          CompileError::Kind::lowering,
          "the operation " + std::string(ir::name_of(op)) + " has no form for integers");
  }
}

}  // namespace phalanx::codegen
