// Long division in base 2**51 (float: 2**22): the divisor is scaled up until the quotient is a
// whole number of fewer digits than the format has, its product is taken off in one fused
// operation, which is exact, and what is left goes on. A rounded quotient is at most one too large,
// which shows as a remainder below zero.
#include "phalanx/codegen/cpu/float_remainder.h"

#include <cmath>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen::cpu {

namespace {

// A binary format.
struct Format {
  unsigned bits;
  unsigned digits;  // with the hidden one
  unsigned bias;
};
constexpr Format single_format = {.bits = 32, .digits = 24, .bias = 127};
constexpr Format double_format = {.bits = 64, .digits = 53, .bias = 1023};

class Division {
 public:
  Division(llvm::IRBuilderBase& builder, llvm::Type* type)
      : builder_(builder),
        type_(type),
        format_(type->getScalarType()->isFloatTy() ? single_format : double_format),
        word_(with_element(type, builder.getIntNTy(format_.bits))) {}

  llvm::Value* remainder(llvm::Value* a, llvm::Value* b);

 private:
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(type_, value); }
  llvm::Value* word(std::uint64_t value) const { return llvm::ConstantInt::get(word_, value); }
  llvm::Value* power_of_two(llvm::Value* exponent);
  llvm::Value* exponent_of(llvm::Value* value);
  llvm::Value* step(llvm::Value* a, llvm::Value* b, llvm::Value* ratio);
  llvm::Value* scaled(llvm::Value* b, llvm::Value* digits);
  llvm::Value* long_division(llvm::Value* a, llvm::Value* b);

  llvm::IRBuilderBase& builder_;
  llvm::Type* type_;
  Format format_;
  llvm::Type* word_;
};

llvm::BasicBlock* block_beside(llvm::IRBuilderBase& builder, const char* name) {
  return llvm::BasicBlock::Create(
      builder.getContext(), name, builder.GetInsertBlock()->getParent());
}

llvm::Value* Division::power_of_two(llvm::Value* exponent) {
  llvm::Value* field = builder_.CreateAdd(exponent, word(format_.bias));
  return builder_.CreateBitCast(builder_.CreateShl(field, word(format_.digits - 1)), type_);
}

// The exponent of a positive number, with the bias; subnormal numbers have their own below 1.
llvm::Value* Division::exponent_of(llvm::Value* value) {
  const double least = std::ldexp(1.0, 1 - static_cast<int>(format_.bias));
  const double scale = std::ldexp(1.0, static_cast<int>(format_.digits));
  llvm::Value* is_tiny = builder_.CreateFCmpOLT(value, number(least));
  llvm::Value* normal =
      builder_.CreateSelect(is_tiny, builder_.CreateFMul(value, number(scale)), value);
  llvm::Value* field =
      builder_.CreateLShr(builder_.CreateBitCast(normal, word_), word(format_.digits - 1));
  return builder_.CreateSelect(
      is_tiny, builder_.CreateSub(field, word(format_.digits)), field, "exponent");
}

// a - trunc(ratio) * b, where the ratio is a / b, rounded, and below 2**(digits - 1).
llvm::Value* Division::step(llvm::Value* a, llvm::Value* b, llvm::Value* ratio) {
  llvm::Value* whole = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, ratio);
  llvm::Value* left =
      builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {builder_.CreateFNeg(whole), b, a});
  llvm::Value* is_below = builder_.CreateFCmpOLT(left, number(0));
  return builder_.CreateSelect(is_below, builder_.CreateFAdd(left, b), left);
}

// b * 2**digits; in two factors, as one may be beyond the format.
llvm::Value* Division::scaled(llvm::Value* b, llvm::Value* digits) {
  llvm::Value* half = builder_.CreateLShr(digits, word(1));
  llvm::Value* rest = builder_.CreateSub(digits, half);
  llvm::Value* first = builder_.CreateFMul(b, power_of_two(half));
  return builder_.CreateFMul(first, power_of_two(rest), "scaled");
}

llvm::Value* Division::long_division(llvm::Value* a, llvm::Value* b) {
  llvm::Value* own = exponent_of(b);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* head = block_beside(builder_, "divide");
  llvm::BasicBlock* body = block_beside(builder_, "divide.step");
  llvm::BasicBlock* done = block_beside(builder_, "divide.done");
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  llvm::PHINode* left = builder_.CreatePHI(type_, 2, "left");
  left->addIncoming(a, before);
  llvm::Value* is_open = builder_.CreateFCmpOGE(left, b);
  builder_.CreateCondBr(any_lane(builder_, is_open), body, done);
  builder_.SetInsertPoint(body);
  llvm::Value* ahead = builder_.CreateSub(
      builder_.CreateSub(exponent_of(left), own), word(format_.digits - 2), "ahead");
  llvm::Value* digits = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, ahead, word(0));
  llvm::Value* divisor = scaled(b, digits);
  llvm::Value* next = step(left, divisor, builder_.CreateFDiv(left, divisor));
  left->addIncoming(builder_.CreateSelect(is_open, next, left), builder_.GetInsertBlock());
  builder_.CreateBr(head);
  builder_.SetInsertPoint(done);
  return left;
}

// The remainder of a finite number that is not negative, by a positive one.
llvm::Value* Division::remainder(llvm::Value* a, llvm::Value* b) {
  llvm::Value* ratio = builder_.CreateFDiv(a, b, "ratio");
  const double most = std::ldexp(1.0, static_cast<int>(format_.digits) - 1);
  llvm::Value* is_far = builder_.CreateFCmpUGE(ratio, number(most));
  llvm::BasicBlock* near = block_beside(builder_, "near");
  llvm::BasicBlock* far = block_beside(builder_, "far");
  llvm::BasicBlock* done = block_beside(builder_, "remainder");
  builder_.CreateCondBr(any_lane(builder_, is_far), far, near);
  builder_.SetInsertPoint(near);
  llvm::Value* of_near = step(a, b, ratio);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(far);
  llvm::Value* of_far = long_division(a, b);
  far = builder_.GetInsertBlock();
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  llvm::PHINode* result = builder_.CreatePHI(type_, 2, "left");
  result->addIncoming(of_near, near);
  result->addIncoming(of_far, far);
  return result;
}

llvm::Value* absolute(llvm::IRBuilderBase& builder, llvm::Value* x) {
  return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

// fmod(|x|, y)
llvm::Value* fmod_of_absolute(llvm::IRBuilderBase& builder, llvm::Value* x, llvm::Value* y) {
  llvm::Type* type = x->getType();
  llvm::Value* zero = llvm::Constant::getNullValue(type);
  llvm::Value* a = absolute(builder, x);
  llvm::Value* b = absolute(builder, y);
  llvm::Value* infinity = llvm::ConstantFP::getInfinity(type);
  llvm::Value* is_finite = builder.CreateFCmpOLT(a, infinity);
  llvm::Value* is_divided = builder.CreateAnd(
      is_finite,
      builder.CreateAnd(builder.CreateFCmpOGT(b, zero), builder.CreateFCmpOLT(b, infinity)));
  llvm::Value* left = Division(builder, type)
                          .remainder(
                              builder.CreateSelect(is_divided, a, zero),
                              builder.CreateSelect(is_divided, b, llvm::ConstantFP::get(type, 1)));
  llvm::Value* is_kept = builder.CreateAnd(is_finite, builder.CreateFCmpOEQ(b, infinity));
  llvm::Value* other = builder.CreateSelect(is_kept, a, llvm::ConstantFP::getNaN(type));
  return builder.CreateSelect(is_divided, left, other);
}

}  // namespace

llvm::Value* emit_fmod(llvm::IRBuilderBase& builder, llvm::Value* x, llvm::Value* y) {
  return builder.CreateBinaryIntrinsic(
      llvm::Intrinsic::copysign, fmod_of_absolute(builder, x, y), x);
}

// As fdlibm's e_remainder.c: of what is left by 2 * y, which may be infinite, the half that is
// nearer to zero. a > y - a is 2 * a > y without overflow.
llvm::Value* emit_ieee_remainder(llvm::IRBuilderBase& builder, llvm::Value* x, llvm::Value* y) {
  llvm::Value* b = absolute(builder, y);
  llvm::Value* left = fmod_of_absolute(builder, x, builder.CreateFAdd(b, b));
  llvm::Value* is_over = builder.CreateFCmpOGT(left, builder.CreateFSub(b, left));
  llvm::Value* once = builder.CreateSelect(is_over, builder.CreateFSub(left, b), left);
  llvm::Value* is_half_over = builder.CreateFCmpOGE(once, builder.CreateFSub(b, once));
  llvm::Value* is_twice = builder.CreateAnd(is_over, is_half_over);
  llvm::Value* twice = builder.CreateSelect(is_twice, builder.CreateFSub(once, b), once);
  llvm::Type* words = llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(x->getType()));
  llvm::Value* sign = builder.CreateAnd(
      builder.CreateBitCast(x, words),
      llvm::ConstantInt::get(words, llvm::APInt::getSignMask(words->getScalarSizeInBits())));
  return builder.CreateBitCast(
      builder.CreateXor(builder.CreateBitCast(twice, words), sign), x->getType());
}

}  // namespace phalanx::codegen::cpu
