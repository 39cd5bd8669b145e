#include "phalanx/numpy/portable_math.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

namespace phalanx::numpy {
namespace {

using ir::Op;

// What differs between the formats. The polynomials are those of Sun's fdlibm (e_log.c, e_exp.c,
// k_sin.c, k_cos.c) and, in float32, of its single precision and of Moshier's Cephes.
struct Format {
  DType bits;
  std::int64_t mantissa_bits;
  std::int64_t bias;
  std::int64_t half_root;  // the bits of sqrt(1 / 2)
  double ln2_high;         // so short that whole numbers of it are exact
  double ln2_low;
  double least_exponent;  // of exp: below it the result is no normal number
  double most_exponent;
  std::span<const double> log;
  std::span<const double> exp;
  std::span<const double> sin;
  std::span<const double> cos;
};

constexpr double log64[] = {
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01};
constexpr double exp64[] = {
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08};
constexpr double sin64[] = {
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10};
constexpr double cos64[] = {
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11};
constexpr double log32[] = {0.66666662693, 0.40000972152, 0.28498786688, 0.24279078841};
constexpr double exp32[] = {1.6666625440e-1, -2.7667332906e-3};
constexpr double sin32[] = {-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4};
constexpr double cos32[] = {4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5};

constexpr Format format64 = {
    .bits = DType::uint64,
    .mantissa_bits = 52,
    .bias = 1023,
    .half_root = 0x3FE6A09E667F3BCD,
    .ln2_high = 6.93147180369123816490e-01,  // NOLINT(modernize-use-std-numbers)
    .ln2_low = 1.90821492927058770002e-10,
    .least_exponent = -708.39,
    .most_exponent = 709.782712893383973096,
    .log = log64,
    .exp = exp64,
    .sin = sin64,
    .cos = cos64};
constexpr Format format32 = {
    .bits = DType::uint32,
    .mantissa_bits = 23,
    .bias = 127,
    .half_root = 0x3F3504F3,
    .ln2_high = 6.9313812256e-01,  // NOLINT(modernize-use-std-numbers)
    .ln2_low = 9.0580006145e-06,
    .least_exponent = -87.33,
    .most_exponent = 88.72283,
    .log = log32,
    .exp = exp32,
    .sin = sin32,
    .cos = cos32};

// Arithmetic on one of the formats.
class Portable {
 public:
  Portable(ir::Builder& builder, DType dtype)
      : format_(dtype == DType::float64 ? format64 : format32),
        floats_(builder, dtype),
        bits_(builder, format_.bits) {}

  const Format& format() const { return format_; }
  const Arithmetic& floats() const { return floats_; }
  const Arithmetic& bits() const { return bits_; }

  Value number(double value) const { return floats_.number(value); }
  Value add(Value a, Value b) const { return floats_(Op::add, a, b); }
  Value subtract(Value a, Value b) const { return floats_(Op::subtract, a, b); }
  Value multiply(Value a, Value b) const { return floats_(Op::multiply, a, b); }
  Value divide(Value a, Value b) const { return floats_(Op::true_divide, a, b); }
  // a * b + c with one rounding.
  Value fma(Value a, Value b, Value c) const {
    return floats_.builder().elementwise(Op::fma, {a, b, c});
  }
  // The first coefficient is that of 1.
  Value polynomial(Value x, std::span<const double> coefficients) const {
    Value sum = number(coefficients.back());
    for (std::size_t i = coefficients.size() - 1; i-- > 0;)
      sum = fma(sum, x, number(coefficients[i]));
    return sum;
  }
  Value to_bits(Value x) const { return floats_.builder().bitcast(x, ir::Type(format_.bits)); }
  Value from_bits(Value x) const { return floats_.builder().bitcast(x, ir::Type(floats_.dtype())); }
  Value to_integer(Value x) const { return floats_.builder().cast(x, DType::int64); }
  Value from_integer(Value x) const { return floats_.builder().cast(x, floats_.dtype()); }
  // 2 to the power of an int64, within the normal numbers.
  Value power_of_two(Value exponent) const {
    const Arithmetic integers(floats_.builder(), DType::int64);
    const Value biased = integers(Op::add, exponent, integers.integer(format_.bias));
    return from_bits(bits_(
        Op::left_shift,
        floats_.builder().cast(biased, format_.bits),
        bits_.integer(format_.mantissa_bits)));
  }

 private:
  const Format& format_;
  Arithmetic floats_;
  Arithmetic bits_;
};

}  // namespace

// x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and log(1 + f) as a series in f / (2 + f).
Value portable_log(ir::Builder& builder, Value x) {
  const Portable math(builder, x->type.dtype());
  const Format& format = math.format();
  const Arithmetic& bits = math.bits();
  const std::int64_t one = format.bias << format.mantissa_bits;
  const Value shifted = bits(Op::add, math.to_bits(x), bits.integer(one - format.half_root));
  const Value exponent = builder.cast(
      bits(Op::right_shift, shifted, bits.integer(format.mantissa_bits)), DType::int64);
  const Arithmetic integers(builder, DType::int64);
  const Value k =
      math.from_integer(integers(Op::subtract, exponent, integers.integer(format.bias)));
  const std::int64_t mask = (std::int64_t{1} << format.mantissa_bits) - 1;
  const Value reduced = bits(
      Op::add, bits(Op::bitwise_and, shifted, bits.integer(mask)), bits.integer(format.half_root));
  const Value f = math.subtract(math.from_bits(reduced), math.number(1));
  const Value s = math.divide(f, math.add(f, math.number(2)));
  const Value z = math.multiply(s, s);
  const Value series = math.multiply(z, math.polynomial(z, format.log));
  const Value half_square = math.multiply(math.multiply(math.number(0.5), f), f);
  Value sum = math.multiply(s, math.add(half_square, series));
  sum = math.fma(k, math.number(format.ln2_low), sum);
  sum = math.add(math.subtract(sum, half_square), f);
  return math.fma(k, math.number(format.ln2_high), sum);
}

// What 1 + x lost of x is added to its logarithm.
Value portable_log1p(ir::Builder& builder, Value x) {
  const Portable math(builder, x->type.dtype());
  const Value one = math.number(1);
  const Value sum = math.add(one, x);
  const Value lost = math.subtract(x, math.subtract(sum, one));
  return math.add(portable_log(builder, sum), math.divide(lost, sum));
}

// x = k ln 2 + r, and exp(r) as a quotient of polynomials in r.
Value portable_exp(ir::Builder& builder, Value x) {
  const Portable math(builder, x->type.dtype());
  const Format& format = math.format();
  const Arithmetic& floats = math.floats();
  const Value least = math.number(format.least_exponent);
  const Value most = math.number(format.most_exponent);
  const Value is_less = floats(Op::less, x, least);
  const Value is_more = floats(Op::greater, x, most);
  // Also where x is NaN.
  const Value is_within =
      floats.both(floats(Op::greater_equal, x, least), floats(Op::less_equal, x, most));
  const Value within = floats.select(is_within, x, math.number(0));
  const Value k =
      builder.elementwise(Op::rint, {math.multiply(within, math.number(std::numbers::log2e))});
  const Value high = math.fma(k, math.number(-format.ln2_high), within);
  const Value low = math.multiply(k, math.number(format.ln2_low));
  const Value r = math.subtract(high, low);
  const Value square = math.multiply(r, r);
  const Value c = math.subtract(r, math.multiply(square, math.polynomial(square, format.exp)));
  const Value quotient = math.divide(math.multiply(r, c), math.subtract(math.number(2), c));
  const Value y = math.add(math.number(1), math.add(math.subtract(quotient, low), high));
  // In two factors, as 2^k itself may be beyond the format.
  const Arithmetic integers(builder, DType::int64);
  const Value exponent = math.to_integer(k);
  const Value half = integers(Op::right_shift, exponent, integers.integer(1));
  const Value scaled = math.multiply(
      math.multiply(y, math.power_of_two(half)),
      math.power_of_two(integers(Op::subtract, exponent, half)));
  const Value beyond =
      floats.select(is_more, math.number(HUGE_VAL), floats.select(is_less, math.number(0), x));
  return floats.select(is_within, scaled, beyond);
}

Value portable_cos_of_turns(ir::Builder& builder, Value u, Value quarters) {
  const Portable math(builder, u->type.dtype());
  const Format& format = math.format();
  const Value quadrant = builder.elementwise(Op::rint, {math.multiply(u, math.number(4))});
  const Value x =
      math.multiply(math.fma(quadrant, math.number(-0.25), u), math.number(2 * std::numbers::pi));
  const Value z = math.multiply(x, x);
  const Value sine = math.fma(math.multiply(z, x), math.polynomial(z, format.sin), x);
  const Value cosine = math.fma(
      math.multiply(z, z),
      math.polynomial(z, format.cos),
      math.fma(z, math.number(-0.5), math.number(1)));
  const Arithmetic integers(builder, DType::int64);
  const Value turned = integers(
      Op::bitwise_and,
      integers(Op::subtract, math.to_integer(quadrant), quarters),
      integers.integer(3));
  const auto has_bit = [&](Value number, std::int64_t bit) {
    const Value masked = integers(Op::bitwise_and, number, integers.integer(bit));
    return integers(Op::not_equal, masked, integers.integer(0));
  };
  const Arithmetic& floats = math.floats();
  const Value chosen = floats.select(has_bit(turned, 1), sine, cosine);
  const Value is_negative = has_bit(integers(Op::add, turned, integers.integer(1)), 2);
  return floats.select(is_negative, floats(Op::negative, chosen), chosen);
}

// Kahan: what exp(x) lost of x near 1 is lost by its logarithm, too.
Value portable_expm1(ir::Builder& builder, Value x) {
  const Portable math(builder, x->type.dtype());
  const Arithmetic& floats = math.floats();
  const Value one = math.number(1);
  const Value u = portable_exp(builder, x);
  const Value difference = math.subtract(u, one);
  const Value is_near =
      floats.both(floats(Op::greater, u, math.number(0.25)), floats(Op::less, u, math.number(4)));
  const Value near = math.divide(
      math.multiply(difference, x),
      portable_log(builder, floats.select(is_near, u, math.number(2))));
  return floats.select(floats(Op::equal, u, one), x, floats.select(is_near, near, difference));
}

// The asymptotic series from 10 on. DLMF 5.11.1.
Value portable_stirling_rest(ir::Builder& builder, Value k) {
  constexpr int least = 10;
  constexpr double series[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188};
  const Portable math(builder, DType::float64);
  const Arithmetic& floats = math.floats();
  const Value inverse = math.divide(math.number(1), math.add(k, math.number(1)));
  Value rest = math.multiply(inverse, math.polynomial(math.multiply(inverse, inverse), series));
  for (int i = 0; i < least; ++i) {
    const double formula =
        (i + 0.5) * std::log(i + 1.0) - (i + 1) + 0.5 * std::log(2 * std::numbers::pi);
    rest = floats.select(
        floats(Op::equal, k, math.number(i)), math.number(std::lgamma(i + 1.0) - formula), rest);
  }
  return rest;
}

}  // namespace phalanx::numpy
