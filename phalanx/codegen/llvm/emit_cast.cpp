// Conversions between scalar types, including the rounding that LLVM leaves to libraries.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/emit_parts.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen {
namespace {

llvm::Type* shaped(llvm::Value* like, DType dtype) {
  return with_element(like->getType(), register_type(like->getContext(), dtype));
}

llvm::Value* bits(const llvm::Value* like, std::uint64_t value) {
  return llvm::ConstantInt::get(like->getType(), value);
}

// Rounds float32 to bfloat16, halves to even; a NaN stays one.
llvm::Value* round_to_bfloat16(llvm::IRBuilderBase& builder, llvm::Value* value) {
  llvm::Type* word = with_element(value->getType(), builder.getInt32Ty());
  llvm::Value* pattern = builder.CreateBitCast(value, word);
  llvm::Value* high = builder.CreateLShr(pattern, bits(pattern, 16));
  llvm::Value* is_odd = builder.CreateAnd(high, bits(pattern, 1));
  llvm::Value* half = builder.CreateAdd(is_odd, bits(pattern, 0x7fff));
  llvm::Value* rounded = builder.CreateLShr(builder.CreateAdd(pattern, half), bits(pattern, 16));
  llvm::Value* quiet_nan = builder.CreateOr(high, bits(pattern, 0x40));
  llvm::Value* is_nan = builder.CreateFCmpUNO(value, value);
  llvm::Value* chosen = builder.CreateSelect(is_nan, quiet_nan, rounded);
  llvm::Type* short_word = with_element(value->getType(), builder.getInt16Ty());
  return builder.CreateBitCast(
      builder.CreateTrunc(chosen, short_word),
      with_element(value->getType(), builder.getBFloatTy()));
}

// float64 -> float32 with an odd last digit wherever digits were lost, so that rounding the result
// to fewer digits gives what rounding the float64 would have given.
llvm::Value* narrow_to_odd(llvm::IRBuilderBase& builder, llvm::Value* value) {
  llvm::Value* nearest = builder.CreateFPTrunc(value, shaped(value, DType::float32));
  llvm::Value* back = builder.CreateFPExt(nearest, value->getType());
  llvm::Type* word = with_element(value->getType(), builder.getInt32Ty());
  llvm::Value* pattern = builder.CreateBitCast(nearest, word);
  llvm::Value* magnitude = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  llvm::Value* back_magnitude = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back);
  llvm::Value* went_up = builder.CreateFCmpOGT(back_magnitude, magnitude);
  llvm::Value* lost = builder.CreateFCmpONE(back, value);
  llvm::Value* towards_zero =
      builder.CreateSub(pattern, builder.CreateZExt(went_up, pattern->getType()));
  llvm::Value* odd = builder.CreateOr(towards_zero, bits(pattern, 1));
  return builder.CreateBitCast(builder.CreateSelect(lost, odd, pattern), nearest->getType());
}

// bfloat16 or float16 as float32, exactly. Where LLVM has no bfloat16 arithmetic its bits are
// moved: from a conversion LLVM would infer that it may compute in bfloat16.
llvm::Value* widen(OpEmitter& emitter, DType from, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (from == DType::float16 || emitter.converts_small_floats)
    return builder.CreateFPExt(value, shaped(value, DType::float32));
  llvm::Type* word = with_element(value->getType(), builder.getInt32Ty());
  llvm::Type* short_word = with_element(value->getType(), builder.getInt16Ty());
  llvm::Value* pattern = builder.CreateZExt(builder.CreateBitCast(value, short_word), word);
  return builder.CreateBitCast(
      builder.CreateShl(pattern, bits(pattern, 16)), shaped(value, DType::float32));
}

llvm::Value* cast_float_to_float(OpEmitter& emitter, DType from, DType to, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (size_of(from) == 2) {
    value = widen(emitter, from, value);
    return to == DType::float32 ? value : cast_float_to_float(emitter, DType::float32, to, value);
  }
  if (size_of(from) < size_of(to))
    return builder.CreateFPExt(value, shaped(value, to));
  const bool is_small = size_of(to) == 2;
  if (!is_small || emitter.converts_small_floats)
    return builder.CreateFPTrunc(value, shaped(value, to));
  llvm::Value* narrow = from == DType::float64 ? narrow_to_odd(builder, value) : value;
  if (to == DType::bfloat16)
    return round_to_bfloat16(builder, narrow);
  return builder.CreateFPTrunc(narrow, shaped(value, to));
}

llvm::Value* cast_integer_to_float(OpEmitter& emitter, DType from, DType to, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  // Each 64-bit integer that float16 can hold has an exact float32.
  const DType first = size_of(to) == 2 ? DType::float32 : to;
  llvm::Value* number = is_signed(from) ? builder.CreateSIToFP(value, shaped(value, first))
                                        : builder.CreateUIToFP(value, shaped(value, first));
  return first == to ? number : cast_float_to_float(emitter, first, to, number);
}

llvm::Value* cast_float_to_integer(OpEmitter& emitter, DType from, DType to, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (size_of(from) == 2)
    value = widen(emitter, from, value);
  const DType first = bits_of(to) < 32 ? DType::int32 : to;
  llvm::Value* whole = is_signed(first) ? builder.CreateFPToSI(value, shaped(value, first))
                                        : builder.CreateFPToUI(value, shaped(value, first));
  // Out of range LLVM's result is poison, which may not spread.
  whole = builder.CreateFreeze(whole);
  return first == to ? whole : builder.CreateTrunc(whole, shaped(value, to));
}

llvm::Value* cast_to_boolean(OpEmitter& emitter, DType from, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (is_integer(from))
    return builder.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  if (size_of(from) == 2)
    value = widen(emitter, from, value);
  return builder.CreateFCmpUNE(value, llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* cast_real(OpEmitter& emitter, DType from, DType to, llvm::Value* value) {
  llvm::IRBuilderBase& builder = emitter.builder;
  if (is_boolean(to))
    return cast_to_boolean(emitter, from, value);
  if (is_boolean(from)) {
    if (is_integer(to))
      return builder.CreateZExt(value, shaped(value, to));
    return builder.CreateSelect(
        value,
        llvm::ConstantFP::get(shaped(value, to), 1.0),
        llvm::ConstantFP::get(shaped(value, to), 0.0));
  }
  if (is_integer(from) && is_integer(to))
    return is_signed(from) ? builder.CreateSExtOrTrunc(value, shaped(value, to))
                           : builder.CreateZExtOrTrunc(value, shaped(value, to));
  if (is_integer(from))
    return cast_integer_to_float(emitter, from, to, value);
  return is_integer(to) ? cast_float_to_integer(emitter, from, to, value)
                        : cast_float_to_float(emitter, from, to, value);
}

}  // namespace

llvm::Value* emit_cast(OpEmitter& emitter, DType from, DType to, llvm::Value* value) {
  if (from == to)
    return value;
  const llvm::IRBuilderBase::FastMathFlagGuard guard(emitter.builder);
  emitter.builder.clearFastMathFlags();
  if (is_complex(to)) {
    const DType part = real_part_of(to);
    llvm::Value* real = is_complex(from) ? real_of(emitter, value) : value;
    real = emit_cast(emitter, real_part_of(from), part, real);
    llvm::Value* imaginary =
        is_complex(from)
            ? emit_cast(emitter, real_part_of(from), part, imaginary_of(emitter, value))
            : llvm::Constant::getNullValue(real->getType());
    return make_complex(emitter, real, imaginary);
  }
  if (!is_complex(from))
    return cast_real(emitter, from, to, value);
  const DType part = real_part_of(from);
  llvm::Value* real = emit_cast(emitter, part, to, real_of(emitter, value));
  if (!is_boolean(to))
    return real;
  return emitter.builder.CreateOr(real, emit_cast(emitter, part, to, imaginary_of(emitter, value)));
}

llvm::Value* emit_bitcast(OpEmitter& emitter, DType from, DType to, llvm::Value* value) {
  if (from == to)
    return value;
  if (size_of(from) != size_of(to) || is_complex(from) || is_complex(to))
    throw CompileError(
        CompileError::Kind::lowering,
        "bitcast from " + std::string(info(from).text) + " to " + std::string(info(to).text));
  llvm::Value* word = to_memory(emitter.builder, from, value);
  if (is_boolean(to))
    return from_memory(emitter.builder, to, word);
  return emitter.builder.CreateBitCast(word, shaped(word, to));
}

}  // namespace phalanx::codegen
