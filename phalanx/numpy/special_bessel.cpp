// Bessel functions of orders 0 and 1, of DLMF's chapter 10: near 0 by approximations of what is
// left without zeros and poles, farther out by those of what is left without sines and
// exponentials.
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
constexpr double end_of_small_j = 5;
constexpr double end_of_small_i = 8;
constexpr double end_of_small_k = 1;

// What the functions of one order differ in. A zero is the sum of two numbers.
struct Order {
  int n;
  std::span<const double> zero_1, zero_2;
  std::span<const double> j, y, p_above, p_below, q_above, q_below;
  std::span<const double> i, i_large, k, k_above, k_below;
};
constexpr Order orders[] = {
    {0,
     j0_zero_1,
     j0_zero_2,
     j0_small,
     y0_small,
     p0_above,
     p0_below,
     q0_above,
     q0_below,
     i0_small,
     i0_large,
     k0_small,
     k0_large_above,
     k0_large_below},
    {1,
     j1_zero_1,
     j1_zero_2,
     j1_small,
     y1_small,
     p1_above,
     p1_below,
     q1_above,
     q1_below,
     i1_small,
     i1_large,
     k1_small,
     k1_large_above,
     k1_large_below},
};

Real operand(ir::Builder& builder, const Values& operands) {
  return {Arithmetic(builder, DType::float64), operands[0]};
}

// x to the power of the order.
Real times_power(const Order& order, const Real& value, const Real& x) {
  return order.n == 0 ? value : value * x;
}

// J for 0 <= x <= 5, to the last bits also near its zeros.
Real small_j(const Order& order, const Real& x) {
  const auto without = [&](std::span<const double> zero) {
    return ((x - zero[0]) - zero[1]) * (x + (zero[0] + zero[1]));
  };
  const Real square = x * x * (2 / (end_of_small_j * end_of_small_j)) - 1;
  const Real zeros = without(order.zero_1) * without(order.zero_2);
  return times_power(order, polynomial(square, order.j) * zeros, x);
}

// DLMF 10.17.3 and 10.17.4, for x > 5: cos and sin of x less the phase are sums of those of x.
Real large_j_or_y(const Order& order, const Real& x, bool is_y) {
  const Real part = end_of_small_j / x;
  const Real square = part * part;
  const Real p = quotient(square, order.p_above, order.p_below);
  const Real q = quotient(square, order.q_above, order.q_below) / x;
  const Real sine = x.call(Op::sin);
  const Real cosine = x.call(Op::cos);
  const Real turned_cosine = order.n == 0 ? cosine + sine : sine - cosine;
  const Real turned_sine = order.n == 0 ? sine - cosine : -(sine + cosine);
  const Real sum = is_y ? p * turned_sine + q * turned_cosine : p * turned_cosine - q * turned_sine;
  return sum * std::numbers::inv_sqrtpi / sqrt(x);
}

template <int n>
Value bessel_j(ir::Builder& builder, const Values& operands) {
  const Order& order = orders[n];
  const Real x = operand(builder, operands);
  const Real size = absolute(x);
  const Real made = branch(
      size <= end_of_small_j,
      [&] { return small_j(order, size); },
      [&] { return large_j_or_y(order, size, false); });
  return (n == 0 ? made : made * copysign(x.number(1), x)).value();
}

template <int n>
Value bessel_y(ir::Builder& builder, const Values& operands) {
  const Order& order = orders[n];
  const Real x = operand(builder, operands);
  const auto small = [&] {
    const Real square = x * x * (2 / (end_of_small_j * end_of_small_j)) - 1;
    const Real of_log = log(x) * small_j(order, x);
    const Real poles = n == 0 ? of_log : of_log - 1 / x;
    return times_power(order, polynomial(square, order.y), x) + poles * (2 / std::numbers::pi);
  };
  const Real made =
      branch(x <= end_of_small_j, small, [&] { return large_j_or_y(order, x, true); });
  return select(x == 0, -infinity, select(x < 0, nan, made)).value();
}

Real small_i(const Order& order, const Real& x) {
  return times_power(order, polynomial(x * x * 0.25, order.i), x);
}

template <int n, bool is_scaled>
Value bessel_i(ir::Builder& builder, const Values& operands) {
  const Order& order = orders[n];
  const Real x = operand(builder, operands);
  const Real size = absolute(x);
  const auto small = [&] {
    const Real whole = small_i(order, size);
    return is_scaled ? whole * exp(-size) : whole;
  };
  const auto large = [&] {
    const Real scaled = polynomial(2 * end_of_small_i / size - 1, order.i_large) / sqrt(size);
    // In two factors, the exponential is infinite only where the function is.
    const Real root = exp(size * 0.5);
    return is_scaled ? scaled : scaled * root * root;
  };
  const Real made = branch(size <= end_of_small_i, small, large);
  return (n == 0 ? made : made * copysign(x.number(1), x)).value();
}

template <int n, bool is_scaled>
Value bessel_k(ir::Builder& builder, const Values& operands) {
  const Order& order = orders[n];
  const Real x = operand(builder, operands);
  const auto small = [&] {
    const Real of_log = log(x) * small_i(order, x);
    const Real poles = n == 0 ? -of_log : of_log + 1 / x;
    const Real whole = times_power(order, polynomial(x * x, order.k), x) + poles;
    return is_scaled ? whole * exp(x) : whole;
  };
  const auto large = [&] {
    const Real scaled = quotient(1 / x, order.k_above, order.k_below) / sqrt(x);
    return is_scaled ? scaled : scaled * exp(-x);
  };
  const Real made = branch(x <= end_of_small_k, small, large);
  return select(x == 0, infinity, select(x < 0, nan, made)).value();
}

constexpr TypedFunction table[] = {
    {"j0", "d", 'd', bessel_j<0>, true},
    {"j0_single", "f", 'f', single<bessel_j<0>>, true},
    {"j1", "d", 'd', bessel_j<1>, true},
    {"j1_single", "f", 'f', single<bessel_j<1>>, true},
    {"y0", "d", 'd', bessel_y<0>, true},
    {"y0_single", "f", 'f', single<bessel_y<0>>, true},
    {"y1", "d", 'd', bessel_y<1>, true},
    {"y1_single", "f", 'f', single<bessel_y<1>>, true},
    {"i0", "d", 'd', bessel_i<0, false>, true},
    {"i0_single", "f", 'f', single<bessel_i<0, false>>, true},
    {"i0e", "d", 'd', bessel_i<0, true>, true},
    {"i0e_single", "f", 'f', single<bessel_i<0, true>>, true},
    {"i1", "d", 'd', bessel_i<1, false>, true},
    {"i1_single", "f", 'f', single<bessel_i<1, false>>, true},
    {"i1e", "d", 'd', bessel_i<1, true>, true},
    {"i1e_single", "f", 'f', single<bessel_i<1, true>>, true},
    {"k0", "d", 'd', bessel_k<0, false>, true},
    {"k0_single", "f", 'f', single<bessel_k<0, false>>, true},
    {"k0e", "d", 'd', bessel_k<0, true>, true},
    {"k0e_single", "f", 'f', single<bessel_k<0, true>>, true},
    {"k1", "d", 'd', bessel_k<1, false>, true},
    {"k1_single", "f", 'f', single<bessel_k<1, false>>, true},
    {"k1e", "d", 'd', bessel_k<1, true>, true},
    {"k1e_single", "f", 'f', single<bessel_k<1, true>>, true},
};

}  // namespace

std::span<const TypedFunction> bessel_functions() { return table; }

}  // namespace phalanx::numpy
