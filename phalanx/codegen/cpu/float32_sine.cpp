// x = r + n pi with |r| <= pi/2, where n is an integer for the sine, and an integer and a half for
// the cosine: then sin(x) is sin(r), and cos(x) is sin(-r), negative where the integer is odd. One
// polynomial does for both, with no choice between two.
//
// The reduction loses nothing that float32 could show. n times the 53 digits of pi_high is a
// multiple of 2**-52, and so is x where n is not 0; their difference is below 2, so that the first
// fused operation is exact. The second rounds once, to 2**-53 of r, and what pi_low leaves out of
// pi is below 2**-108. Up to x = 2**36 that adds n 2**-108 < 2**-73, and no number of float32 there
// but 0 is closer than 2**-28.9 to a multiple of pi/2 (by continued fractions): 2**-44 of r.
#include "phalanx/codegen/cpu/float32_sine.h"

#include <array>
#include <numbers>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/codegen/cpu/math_limits.h"
#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen::cpu {

namespace {

using ir::Op;

constexpr double pi_high = std::numbers::pi;
constexpr double pi_low = 0x1.1a62633145c07p-53;  // the next 53 bits
constexpr double limit = 0x1p36;                  // of the two-part reduction

// sin(r) = r (1 + c[0] z + c[1] z**2 + ...), z = r**2: the polynomial with the least largest
// relative error for |r| <= pi/2 (1 + 2**-16), by Remez's exchange on sin(sqrt(z)) / sqrt(z) in 200
// bits, rounded to float64. Its relative error is 2**-43.7.
constexpr std::array sine_coefficients = {
    -0x1.5555555547135p-3,
    0x1.1111110a55510p-7,
    -0x1.a019fd592f7e4p-13,
    0x1.71dcf84492d92p-19,
    -0x1.ae03f6d128ae1p-26,
    0x1.52dbd16142d98p-33};

// Emits for a double, or a vector of them.
class Sine {
 public:
  Sine(llvm::IRBuilderBase& builder, llvm::Type* type) : builder_(builder), type_(type) {}

  llvm::Value* sine(llvm::Value* x);
  llvm::Value* cosine(llvm::Value* magnitude);

 private:
  llvm::Value* number(double value) const { return llvm::ConstantFP::get(type_, value); }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {a, b, c});
  }
  llvm::Value* half_turns(llvm::Value* x, llvm::Value* offset) {
    return fma(x, number(std::numbers::inv_pi), offset);
  }
  llvm::Value* reduced(llvm::Value* x, llvm::Value* n) {
    return fma(number(-pi_low), n, fma(number(-pi_high), n, x));
  }
  llvm::Value* ratio(llvm::Value* r);
  llvm::Value* with_parity(llvm::Value* value, llvm::Value* integer);

  llvm::IRBuilderBase& builder_;
  llvm::Type* type_;
};

// sin(r) / r
llvm::Value* Sine::ratio(llvm::Value* r) {
  llvm::Value* z = builder_.CreateFMul(r, r);
  llvm::Value* sum = number(sine_coefficients.back());
  for (auto c = sine_coefficients.rbegin() + 1; c != sine_coefficients.rend(); ++c)
    sum = fma(sum, z, number(*c));
  return fma(sum, z, number(1));
}

// With the other sign where the last bit of `integer` is 1.
llvm::Value* Sine::with_parity(llvm::Value* value, llvm::Value* integer) {
  llvm::Type* word = with_element(type_, builder_.getInt64Ty());
  llvm::Value* sign = builder_.CreateShl(builder_.CreateBitCast(integer, word), 63);
  llvm::Value* bits = builder_.CreateXor(builder_.CreateBitCast(value, word), sign);
  return builder_.CreateBitCast(bits, type_);
}

// A sum above 2**52 is an integer, the nearest one, whose last bit is the last of the format.
llvm::Value* Sine::sine(llvm::Value* x) {
  llvm::Value* offset = number(0x1.8p52);
  llvm::Value* integer = half_turns(x, offset);
  llvm::Value* r = reduced(x, builder_.CreateFSub(integer, offset));
  return builder_.CreateFMul(ratio(r), with_parity(r, integer));
}

// Half a turn less than an integer above 2**52, in which the sum must not round to halves: the
// difference of the two is an integer and a half.
llvm::Value* Sine::cosine(llvm::Value* magnitude) {
  llvm::Value* offset = number(0x1p52 - 0.5);
  llvm::Value* least = number(0x1p52);
  llvm::Value* sum = half_turns(magnitude, offset);
  llvm::Value* integer = builder_.CreateSelect(builder_.CreateFCmpOGT(sum, least), sum, least);
  // The reduction of -x by -n, for -r.
  llvm::Value* r = reduced(builder_.CreateFNeg(magnitude), builder_.CreateFSub(offset, integer));
  return builder_.CreateFMul(ratio(r), with_parity(r, integer));
}

}  // namespace

bool is_float32_sine(Op op, DType dtype) {
  return dtype == DType::float32 && (op == Op::sin || op == Op::cos);
}

llvm::Value* emit_float32_sine(
    llvm::IRBuilderBase& builder, MathLibrary& math, Op op, llvm::Value* x, bool fuses) {
  llvm::Type* type = x->getType();
  llvm::Type* wide = with_element(type, builder.getDoubleTy());
  const auto by_library = [&] {
    const std::array operands = {builder.CreateFPExt(x, wide)};
    return builder.CreateFPTrunc(math.call(builder, op, DType::float64, operands), type);
  };
  if (!fuses)
    return by_library();
  llvm::Value* magnitude = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  Sine emit(builder, wide);
  llvm::Value* near = op == Op::sin ? emit.sine(builder.CreateFPExt(x, wide))
                                    : emit.cosine(builder.CreateFPExt(magnitude, wide));
  llvm::Value* is_far = builder.CreateFCmpUGT(magnitude, llvm::ConstantFP::get(type, limit));
  return replace_rare_lanes(builder, is_far, builder.CreateFPTrunc(near, type), by_library);
}

}  // namespace phalanx::codegen::cpu
