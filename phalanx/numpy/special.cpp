#include "phalanx/numpy/special.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string_view>

#include "phalanx/numpy/special_tables.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <Op op>
Value of_table(ir::Builder& builder, const Values& operands) {
  return builder.elementwise(op, operands);
}

// The functions of one float that the op table has, under its names; the other rows have no name.
constexpr std::string_view if_of_one_float(Op op, std::string_view name) {
  const ir::OpInfo& row = ir::info(op);
  return row.arity == 1 && row.rule == ir::Rule::float_math ? name : std::string_view();
}

constexpr TypedFunction ops[] = {
#define OP(name, ...)                                                     \
  {if_of_one_float(Op::name, #name), "d", 'd', of_table<Op::name>, true}, \
      {if_of_one_float(Op::name, #name "_single"), "f", 'f', of_table<Op::name>, true},
#include "phalanx/ir/ops.def"
#undef OP
};

Value polynomial(const Arithmetic& floats, Value x, std::span<const double> coefficients) {
  Value sum = floats.number(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;)
    sum = floats(Op::add, floats(Op::multiply, sum, x), floats.number(coefficients[i]));
  return sum;
}

// psi: below 0 by reflection, up to 10 by recurrence, from there on by Stirling's series. DLMF
// 5.5.4, 5.5.2, 5.11.2.
Value digamma(ir::Builder& builder, const Values& operands) {
  constexpr int least = 10;
  constexpr double series[] = {
      1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};
  const Arithmetic floats(builder, DType::float64);
  const auto number = [&](double value) { return floats.number(value); };
  const Value x = operands[0];
  const Value is_below = floats(Op::less_equal, x, number(0));
  Value y = floats.select(is_below, floats(Op::subtract, number(1), x), x);
  Value taken = number(0);
  for (int i = 0; i < least; ++i) {
    const Value is_small = floats(Op::less, y, number(least));
    const Value more = floats(Op::add, taken, floats(Op::true_divide, number(1), y));
    taken = floats.select(is_small, more, taken);
    y = floats.select(is_small, floats(Op::add, y, number(1)), y);
  }
  const Value inverse = floats(Op::true_divide, number(1), y);
  const Value square = floats(Op::multiply, inverse, inverse);
  const Value rest = floats(
      Op::add,
      floats(Op::multiply, inverse, number(0.5)),
      floats(Op::multiply, square, polynomial(floats, square, series)));
  const Value above = floats(Op::subtract, floats(Op::subtract, floats(Op::log, y), rest), taken);
  const Value fraction = floats(Op::subtract, x, builder.elementwise(Op::rint, {x}));
  const Value turned = floats(
      Op::true_divide,
      number(std::numbers::pi),
      floats(Op::tan, floats(Op::multiply, fraction, number(std::numbers::pi))));
  const Value reflected = floats(Op::subtract, above, turned);
  // Poles, of which only that at 0 has a side; and minus infinity, which has no fraction.
  const Value is_pole = floats.both(is_below, floats(Op::equal, fraction, number(0)));
  const Value sign = builder.elementwise(Op::copysign, {number(infinity), x});
  const Value at_pole =
      floats.select(floats(Op::equal, x, number(0)), floats(Op::negative, sign), number(nan));
  return floats.select(is_pole, at_pole, floats.select(is_below, reflected, above));
}

// Wichura, "Algorithm AS 241: the percentage points of the normal distribution", 1988: PPND16.
constexpr double middle_above[] = {
    3.3871328727963666080e0,
    1.3314166789178437745e+2,
    1.9715909503065514427e+3,
    1.3731693765509461125e+4,
    4.5921953931549871457e+4,
    6.7265770927008700853e+4,
    3.3430575583588128105e+4,
    2.5090809287301226727e+3};
constexpr double middle_below[] = {
    1,
    4.2313330701600911252e+1,
    6.8718700749205790830e+2,
    5.3941960214247511077e+3,
    2.1213794301586595867e+4,
    3.9307895800092710610e+4,
    2.8729085735721942674e+4,
    5.2264952788528545610e+3};
constexpr double near_above[] = {
    1.42343711074968357734e0,
    4.63033784615654529590e0,
    5.76949722146069140550e0,
    3.64784832476320460504e0,
    1.27045825245236838258e0,
    2.41780725177450611770e-1,
    2.27238449892691845833e-2,
    7.74545014278341407640e-4};
constexpr double near_below[] = {
    1,
    2.05319162663775882187e0,
    1.67638483018380384940e0,
    6.89767334985100004550e-1,
    1.48103976427480074590e-1,
    1.51986665636164571966e-2,
    5.47593808499534494600e-4,
    1.05075007164441684324e-9};
constexpr double far_above[] = {
    6.65790464350110377720e0,
    5.46378491116411436990e0,
    1.78482653991729133580e0,
    2.96560571828504891230e-1,
    2.65321895265761230930e-2,
    1.24266094738807843860e-3,
    2.71155556874348757815e-5,
    2.01033439929228813265e-7};
constexpr double far_below[] = {
    1,
    5.99832206555887937690e-1,
    1.36929880922735805310e-1,
    1.48753612908506148525e-2,
    7.86869131145613259100e-4,
    1.84631831751005468180e-5,
    1.42151175831644588870e-7,
    2.04426310338993978564e-15};

// The normal quantile of a probability: `from_middle` is it less 1/2, `tail` what is beyond it, on
// the shorter side, both without loss.
Value normal_quantile(ir::Builder& builder, Value from_middle, Value tail) {
  const Arithmetic floats(builder, DType::float64);
  const auto number = [&](double value) { return floats.number(value); };
  const auto quotient = [&](Value r, std::span<const double> a, std::span<const double> b) {
    return floats(Op::true_divide, polynomial(floats, r, a), polynomial(floats, r, b));
  };
  const Value square = floats(Op::multiply, from_middle, from_middle);
  const Value inside = floats(Op::subtract, number(0.180625), square);
  const Value middle =
      floats(Op::multiply, from_middle, quotient(inside, middle_above, middle_below));
  const Value root = builder.elementwise(Op::sqrt, {floats(Op::negative, floats(Op::log, tail))});
  const Value near = quotient(floats(Op::subtract, root, number(1.6)), near_above, near_below);
  const Value far = quotient(floats(Op::subtract, root, number(5)), far_above, far_below);
  const Value size = floats.select(floats(Op::less_equal, root, number(5)), near, far);
  const Value ending = floats.select(floats(Op::equal, tail, number(0)), number(infinity), size);
  const Value outside = builder.elementwise(Op::copysign, {ending, from_middle});
  const Value is_middle =
      floats(Op::less_equal, builder.elementwise(Op::absolute, {from_middle}), number(0.425));
  const Value is_valid = floats(Op::greater_equal, tail, number(0));
  return floats.select(is_valid, floats.select(is_middle, middle, outside), number(nan));
}

Value least(const Arithmetic& floats, Value a, Value b) {
  return floats.select(floats(Op::less, a, b), a, b);
}

Value ndtri(ir::Builder& builder, const Values& operands) {
  const Arithmetic floats(builder, DType::float64);
  const Value p = operands[0];
  return normal_quantile(
      builder,
      floats(Op::subtract, p, floats.number(0.5)),
      least(floats, floats(Op::subtract, floats.number(1), p), p));
}

Value erfinv(ir::Builder& builder, const Values& operands) {
  const Arithmetic floats(builder, DType::float64);
  const Value half = floats(Op::multiply, operands[0], floats.number(0.5));
  const Value size = builder.elementwise(Op::absolute, {half});
  const Value tail = floats(Op::subtract, floats.number(0.5), size);
  return floats(
      Op::multiply, normal_quantile(builder, half, tail), floats.number(std::numbers::sqrt2 / 2));
}

Value erfcinv(ir::Builder& builder, const Values& operands) {
  const Arithmetic floats(builder, DType::float64);
  const Value half = floats(Op::multiply, operands[0], floats.number(0.5));
  return floats(
      Op::multiply,
      normal_quantile(
          builder,
          floats(Op::subtract, floats.number(0.5), half),
          least(floats, half, floats(Op::subtract, floats.number(1), half))),
      floats.number(std::numbers::sqrt2 / 2));
}

constexpr TypedFunction table[] = {
    {"digamma", "d", 'd', digamma, true},
    {"digamma_single", "f", 'f', single<digamma>, true},
    {"ndtri", "d", 'd', ndtri, true},
    {"ndtri_single", "f", 'f', single<ndtri>, true},
    {"erfinv", "d", 'd', erfinv, true},
    {"erfinv_single", "f", 'f', single<erfinv>, true},
    {"erfcinv", "d", 'd', erfcinv, true},
    {"erfcinv_single", "f", 'f', single<erfcinv>, true},
};

}  // namespace

const TypedFunction* find_special(std::string_view name) {
  const auto find_in = [name](std::span<const TypedFunction> rows) -> const TypedFunction* {
    const auto found = std::ranges::find(rows, name, &TypedFunction::name);
    return name.empty() || found == rows.end() ? nullptr : &*found;
  };
  for (const std::span<const TypedFunction> rows :
       {std::span<const TypedFunction>(table),
        std::span<const TypedFunction>(ops),
        bessel_functions(),
        incomplete_functions(),
        integral_functions()})
    if (const TypedFunction* const found = find_in(rows))
      return found;
  return nullptr;
}

}  // namespace phalanx::numpy
