// The exponential, sine and cosine integrals, of DLMF's chapter 6, and the scaled erfc.
#include <limits>
#include <numbers>
#include <span>

#include "phalanx/numpy/real.h"
#include "phalanx/numpy/special_coefficients.h"
#include "phalanx/numpy/special_tables.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Real operand(ir::Builder& builder, const Values& operands) {
  return {Arithmetic(builder, DType::float64), operands[0]};
}

// E1 for x > 0.
Real e1(const Real& x) {
  const auto large = [&] {
    const Real inverse = 1 / x;
    const Real scaled = branch(
        x <= 4,
        [&] { return quotient(inverse, e1_from_1_above, e1_from_1_below); },
        [&] { return quotient(inverse, e1_from_4_above, e1_from_4_below); });
    return scaled * exp(-x) * inverse;
  };
  return branch(x <= 1, [&] { return polynomial(x, e1_small) - log(x); }, large);
}

// Ei for x > 0.
Real ei(const Real& x) {
  const auto small = [&] {
    const Real from_zero = (x - ei_zero[0]) - ei_zero[1];
    const Real beyond = from_zero / (ei_zero[0] + ei_zero[1]);
    const Real of_log =
        select(absolute(beyond) <= 0.5, beyond.call(Op::log1p), log(x / (ei_zero[0] + ei_zero[1])));
    return polynomial(x / 3 - 1, ei_small) * from_zero + of_log;
  };
  const auto large = [&] {
    const Real inverse = 1 / x;
    const auto from_24 = [&] {
      return branch(
          x <= 48,
          [&] { return polynomial(inverse, ei_from_24); },
          [&] { return quotient(inverse, ei_from_48_above, ei_from_48_below); });
    };
    const auto from_12 = [&] {
      return branch(
          x <= 24, [&] { return quotient(inverse, ei_from_12_above, ei_from_12_below); }, from_24);
    };
    const Real scaled = branch(
        x <= 12, [&] { return quotient(inverse, ei_from_6_above, ei_from_6_below); }, from_12);
    // In two factors, the exponential is infinite only where the function is.
    const Real root = exp(x * 0.5);
    return select(x == infinity, infinity, scaled * root * inverse * root);
  };
  return branch(x <= 6, small, large);
}

Value exp1(ir::Builder& builder, const Values& operands) {
  const Real x = operand(builder, operands);
  return select(x == 0, infinity, select(x < 0, nan, e1(x))).value();
}

Value expi(ir::Builder& builder, const Values& operands) {
  const Real x = operand(builder, operands);
  const Real made = branch(x < 0, [&] { return -e1(-x); }, [&] { return ei(x); });
  return select(x == 0, -infinity, made).value();
}

// Below 0 it is 2 exp(x^2) less that of -x; the square's rounding error is of importance there.
Value erfcx(ir::Builder& builder, const Values& operands) {
  const Real x = operand(builder, operands);
  const Real size = absolute(x);
  const Real inverse = 1 / (1 + size);
  const Real scaled = branch(
      size <= 3,
      [&] { return quotient(inverse, erfcx_to_3_above, erfcx_to_3_below); },
      [&] { return quotient(inverse, erfcx_from_3_above, erfcx_from_3_below); });
  const Real above = scaled * inverse;
  const auto below = [&] {
    const Real square = x * x;
    const Real error(
        x.floats(), builder.elementwise(Op::fma, {x.value(), x.value(), (-square).value()}));
    const Real power = exp(square);
    return select(power < infinity, 2 * (power + power * error) - above, infinity);
  };
  return branch(x < 0, below, [&] { return above; }).value();
}

// Si or Ci for x > 4, DLMF 6.2.19 and 6.2.20.
Real large_integral(const Real& x, bool is_sine) {
  const Real part = 4 / x;
  const Real square = part * part;
  const Condition is_near = x <= 8;
  const Real f = branch(
                     is_near,
                     [&] { return quotient(square, si_f_from_4_above, si_f_from_4_below); },
                     [&] { return quotient(square, si_f_from_8_above, si_f_from_8_below); }) /
                 x;
  const Real g = branch(
                     is_near,
                     [&] { return quotient(square, si_g_from_4_above, si_g_from_4_below); },
                     [&] { return quotient(square, si_g_from_8_above, si_g_from_8_below); }) /
                 x / x;
  const Real sine = x.call(Op::sin);
  const Real cosine = x.call(Op::cos);
  const Real made = is_sine ? std::numbers::pi / 2 - f * cosine - g * sine : f * sine - g * cosine;
  return select(x == infinity, is_sine ? std::numbers::pi / 2 : 0, made);
}

Value si(ir::Builder& builder, const Values& operands) {
  const Real x = operand(builder, operands);
  const Real size = absolute(x);
  const Real made = branch(
      size <= 4,
      [&] { return polynomial(x * x * 0.125 - 1, si_small) * size; },
      [&] { return large_integral(size, true); });
  return copysign(made, x).value();
}

// For negative numbers this gives the real part.
Value ci(ir::Builder& builder, const Values& operands) {
  const Real x = operand(builder, operands);
  const Real size = absolute(x);
  const Real made = branch(
      size <= 4,
      [&] { return polynomial(x * x * 0.125 - 1, ci_small) + log(size); },
      [&] { return large_integral(size, false); });
  return select(x == 0, -infinity, select(x == -infinity, nan, made)).value();
}

constexpr TypedFunction table[] = {
    {"exp1", "d", 'd', exp1, true},
    {"exp1_single", "f", 'f', single<exp1>, true},
    {"expi", "d", 'd', expi, true},
    {"expi_single", "f", 'f', single<expi>, true},
    {"erfcx", "d", 'd', erfcx, true},
    {"erfcx_single", "f", 'f', single<erfcx>, true},
    {"si", "d", 'd', si, true},
    {"si_single", "f", 'f', single<si>, true},
    {"ci", "d", 'd', ci, true},
    {"ci_single", "f", 'f', single<ci>, true},
};

}  // namespace

std::span<const TypedFunction> integral_functions() { return table; }

}  // namespace phalanx::numpy
