// The incomplete gamma and beta functions, regularised, and the beta function.
#include <iterator>
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
constexpr double root_of_2pi = 2.5066282746310005024;
// A series ends where a term does not change its sum, a fraction where a factor is 1 but for
// rounding.
constexpr double least_term = 0x1p-54;
constexpr double least_change = 0x1p-51;

struct Pair {
  Real x;
  Real y;
};

// log(1 + m) - m for m > -1, exact near 0; `ratio` is 1 + m.
Real log1p_less(const Real& m, const Real& ratio) {
  // 2 atanh(r) is log(1 + m) for r = m / (2 + m), and 2 r - m is -m r.
  const auto near = [&] {
    double terms[17];
    for (std::size_t i = 0; i < std::size(terms); ++i)
      terms[i] = 1 / (2 * static_cast<double>(i) + 3);
    const Real r = m / (2 + m);
    const Real square = r * r;
    return r * (2 * square * polynomial(square, terms) - m);
  };
  return branch(absolute(m) <= 0.5, near, [&] { return log(ratio) - m; });
}

// What Stirling's formula lacks of log(gamma(z)), by z and of 1 / z^2. DLMF 5.11.1.
constexpr double stirling[] = {
    1.0 / 12,
    -1.0 / 360,
    1.0 / 1260,
    -1.0 / 1680,
    1.0 / 1188,
    -691.0 / 360360,
    1.0 / 156,
    -3617.0 / 122400};

// gamma(z) by Stirling's sqrt(2 pi) z^(z - 1/2) e^-z, for z > 0.
Real gamma_star(const Real& z) {
  const auto large = [&] {
    const Real inverse = 1 / z;
    return exp(inverse * polynomial(inverse * inverse, stirling));
  };
  const auto small = [&] { return z.call(Op::gamma) * exp(z) / (root_of_2pi * power(z, z - 0.5)); };
  return branch(z >= 10, large, small);
}

// The log of gamma(1 + a), for 0 < a, exact near 0.
Real log_gamma_1(const Real& a) {
  return branch(
      a <= 0.5,
      [&] { return a * quotient(a, log_gamma_1_above, log_gamma_1_below); },
      [&] { return (a + 1).call(Op::lgamma); });
}

constexpr double least_large_a = 20;
constexpr double widest_temme = 0.4;

// x^a e^-x / gamma(a + 1).
Real gamma_term(const Real& a, const Real& x) {
  const auto large = [&] {
    return exp(a * log1p_less((x - a) / a, x / a)) / (sqrt(a) * root_of_2pi * gamma_star(a));
  };
  const auto small = [&] {
    // Beyond 2000 it is 0; in two factors, the exponential is 0 only where the term is.
    const Real bounded = select(x < 2000, x, 2000);
    const Real root = exp(bounded * -0.5);
    return power(bounded, a) * root / (a + 1).call(Op::gamma) * root;
  };
  return branch(a >= least_large_a, large, small);
}

// P(a, x) by its series, DLMF 8.7.1.
Real gamma_by_series(const Real& a, const Real& x) {
  const State<2> start = {x.number(1), x.number(1)};
  const Real sum = iterate(
      start,
      1000,
      [&](const State<2>& now, const Real& n) {
        const Real term = now[1] * (x / (a + n));
        return State<2>{now[0] + term, term};
      },
      [](const State<2>& now) { return !(now[0] * least_term < now[1]); });
  return gamma_term(a, x) * sum;
}

// Q(a, x) by its continued fraction, DLMF 8.9.2, by Lentz's method.
Real gamma_by_fraction(const Real& a, const Real& x) {
  const Real first = x + 1 - a;
  const Real inverse = 1 / first;
  const State<4> start = {inverse, x.number(0x1p500), inverse, x.number(1)};
  const Real fraction = iterate(
      start,
      1000,
      [&](const State<4>& now, const Real& n) {
        const Real above = n * (a - n);
        const Real below = first + 2 * n;
        const Real c = below + above / now[1];
        const Real d = 1 / (above * now[2] + below);
        const Real change = c * d;
        return State<4>{now[0] * change, c, d, change};
      },
      [](const State<4>& now) { return !(absolute(now[3] - 1) > least_change); });
  return gamma_term(a, x) * a * fraction;
}

// Q(a, x) for small numbers, where P is near 1: DLMF 8.7.3 without cancellation.
Real upper_gamma_by_series(const Real& a, const Real& x) {
  const State<2> start = {x.number(0), x.number(1)};
  const Real sum = iterate(
      start,
      100,
      [&](const State<2>& now, const Real& n) {
        const Real factor = -now[1] * x / n;
        return State<2>{now[0] + a / (a + n) * factor, factor};
      },
      [](const State<2>& now) { return !(absolute(now[1]) > least_term * 0x1p-4); });
  const Real power_log = a * log(x) - log_gamma_1(a);
  return -power_log.call(Op::expm1) - exp(power_log) * sum;
}

// Temme's uniform expansion for x near a large a, DLMF 8.12.
Real gamma_by_temme(const Real& a, const Real& x, bool is_upper) {
  constexpr std::span<const double> rows[] = {
      temme_0,
      temme_1,
      temme_2,
      temme_3,
      temme_4,
      temme_5,
      temme_6,
      temme_7,
      temme_8,
      temme_9,
      temme_10};
  const Real m = (x - a) / a;
  const Real half_square = -log1p_less(m, x / a);
  const Real eta = copysign(sqrt(2 * half_square), m);
  const Real inverse = 1 / a;
  Real sum = polynomial(eta, rows[std::size(rows) - 1]);
  for (std::size_t k = std::size(rows) - 1; k-- > 0;)
    sum = sum * inverse + polynomial(eta, rows[k]);
  const Real exponent = a * half_square;
  const Real rest = exp(-exponent) / (root_of_2pi * sqrt(a)) * sum;
  const Real distance = copysign(sqrt(exponent), m);
  if (is_upper)
    return 0.5 * distance.call(Op::erfc) + rest;
  return 0.5 * (-distance).call(Op::erfc) - rest;
}

// The choice is that of Gautschi, "A computational procedure for incomplete gamma functions", 1979,
// outside of Temme's range.
template <bool is_upper>
Value incomplete_gamma(ir::Builder& builder, const Values& operands) {
  const Arithmetic floats(builder, DType::float64);
  const Real a_given(floats, operands[0]);
  const Real x_given(floats, operands[1]);
  const auto is_inside = [](const Real& each) { return both(each > 0, each < infinity); };
  const Condition is_regular = both(is_inside(a_given), is_inside(x_given));
  const Real a = select(is_regular, a_given, 1);
  const Real x = select(is_regular, x_given, 1);
  const auto by_series = [&] {
    const Real made = gamma_by_series(a, x);
    return is_upper ? 1 - made : made;
  };
  const auto by_fraction = [&] {
    const Real made = gamma_by_fraction(a, x);
    return is_upper ? made : 1 - made;
  };
  const auto otherwise = [&] {
    if (!is_upper)
      return branch(either(x <= 1, x <= a), by_series, by_fraction);
    const Condition is_large = x > 1.1;
    const Real least = select(is_large, x, select(x <= 0.5, -0.4 / log(x), x * 1.1));
    return branch(least < a, by_series, [&] {
      return branch(is_large, by_fraction, [&] { return upper_gamma_by_series(a, x); });
    });
  };
  const Condition is_near = absolute(x - a) <= widest_temme * a;
  const Real made = branch(
      both(a >= least_large_a, is_near), [&] { return gamma_by_temme(a, x, is_upper); }, otherwise);
  const Condition is_none = both(a_given == 0, x_given == 0);
  const Condition is_both = both(a_given == infinity, x_given == infinity);
  const Condition is_valid = both(both(a_given >= 0, x_given >= 0), !either(is_none, is_both));
  const Condition is_all = either(a_given == 0, x_given == infinity);
  const Real all = made.number(is_upper ? 0 : 1);
  const Real at_end = select(is_valid, select(is_all, all, is_upper ? 1 : 0), nan);
  return select(is_regular, made, at_end).value();
}

// x^a y^b / B(a, b), for x + y = 1. All terms of the exponent have one sign, so that none cancel.
Real beta_term(const Pair& parameters, const Pair& at) {
  const auto& [a, b] = parameters;
  const Real sum = a + b;
  const Real beyond = at.x * b - at.y * a;
  const Real exponent =
      a * log1p_less(beyond / a, at.x * (sum / a)) + b * log1p_less(-beyond / b, at.y * (sum / b));
  const Real scale = sqrt(a / sum) * sqrt(b) / root_of_2pi;
  return exp(exponent) * scale * (gamma_star(sum) / (gamma_star(a) * gamma_star(b)));
}

// I_x(a, b) for x at most about a / (a + b), without its `beta_term`: the continued fraction of
// Didonato and Morris, "Algorithm 708: significant digit computation of the incomplete beta
// function ratios", 1992, by Lentz's method.
Real beta_by_fraction(const Pair& parameters, const Pair& at) {
  const auto& [a, b] = parameters;
  const auto& [x, y] = at;
  const Real lambda = a * y - b * x;
  const auto below = [&](const Real& n) {
    return n + n * (b - n) * x / (a + (2 * n - 1)) +
           (a + n) * (lambda + 1 + n * (1 + y)) / (a + 2 * n + 1);
  };
  const Real first = a * (lambda + 1) / (a + 1);
  const State<4> start = {first, first, x.number(0), x.number(1)};
  const Real fraction = iterate(
      start,
      20000,
      [&](const State<4>& now, const Real& n) {
        const Real root = x / (a + (2 * n - 1));
        const Real above = (a + (n - 1)) * (a + b + (n - 1)) * n * (b - n) * root * root;
        const Real next = below(n);
        const Real c = next + above / now[1];
        const Real d = 1 / (above * now[2] + next);
        const Real change = c * d;
        return State<4>{now[0] * change, c, d, change};
      },
      [](const State<4>& now) { return !(absolute(now[3] - 1) > least_change); });
  return 1 / fraction;
}

// log(gamma(z + a) / gamma(z)) to a relative error, for a small a.
Real log_gamma_step(const Real& z, const Real& a) {
  constexpr int steps = 10;
  // From z + 10 on by Stirling's formula; product is that of the factors 1 + a / z, less 1.
  Real product = z.number(0);
  for (int i = 0; i < steps; ++i) {
    const Real part = a / (z + i);
    product = product + part + product * part;
  }
  const Real large = z + steps;
  const Real first = 1 / large;
  const Real second = 1 / (large + a);
  // The difference of the series' values at both, by their distance.
  Real value = z.number(0);
  Real slope = z.number(0);
  for (std::size_t i = 2 * std::size(stirling); i-- > 0;) {
    slope = slope * second + value;
    value = value * first + (i % 2 == 1 ? stirling[i / 2] : 0);
  }
  const Real of_series = -a * first * second * slope;
  const Real of_power = (large + a - 0.5) * (a / large).call(Op::log1p) + a * (log(large) - 1);
  return of_power + of_series - product.call(Op::log1p);
}

// 1 - I_x(a, b) for a small a and b x, where it is small as well: by the logarithm of DLMF 8.17.7.
Real beta_rest_by_series(const Pair& parameters, const Real& x) {
  const auto& [a, b] = parameters;
  const State<2> start = {x.number(0), x.number(1)};
  const Real sum = iterate(
      start,
      200,
      [&](const State<2>& now, const Real& n) {
        const Real term = now[1] * ((n - b) / n * x);
        return State<2>{now[0] + term / (a + n), term};
      },
      [](const State<2>& now) { return !(absolute(now[1]) > least_term * 0x1p-4); });
  const Real of_gammas = log_gamma_step(b, a) - log_gamma_1(a);
  const Real exponent = a * log(x) + of_gammas + (a * sum).call(Op::log1p);
  return -exponent.call(Op::expm1);
}

// Of a, b and x, or x - 1 where that is below 0 and the exacter number.
template <bool is_upper>
Value incomplete_beta(ir::Builder& builder, const Values& operands) {
  const Arithmetic floats(builder, DType::float64);
  const Real a(floats, operands[0]);
  const Real b(floats, operands[1]);
  const Real given(floats, operands[2]);
  const Condition is_rest = given < 0;
  const Real x = select(is_rest, 1 + given, given);
  const Real y = select(is_rest, -given, 1 - given);
  const auto is_inside = [](const Real& each) { return both(each > 0, each < infinity); };
  const Condition is_regular =
      both(both(is_inside(a), is_inside(b)), both(is_inside(x), is_inside(y)));
  const auto inside = [&](const Real& each, double harmless) {
    return select(is_regular, each, harmless);
  };
  const Pair parameters = {inside(a, 1), inside(b, 1)};
  const Pair at = {inside(x, 0.5), inside(y, 0.5)};
  // The fraction is that of the side on which the result is smaller, but where x or y is so small
  // that only the other side's converges fast.
  const Real of_x = parameters.y * at.x;
  const Real of_y = parameters.x * at.y;
  const Condition is_beyond = of_y < of_x;
  const Condition is_swapped = either(
      both(at.x <= 0.5, both(is_beyond, of_x > 0.1)),
      both(at.x > 0.5, either(is_beyond, of_y <= 0.1)));
  const auto chosen = [&](const Pair& of) {
    return Pair{select(is_swapped, of.y, of.x), select(is_swapped, of.x, of.y)};
  };
  const Pair turned = chosen(parameters);
  const Pair turned_at = chosen(at);
  const Real part = branch(
      is_regular,
      [&] { return beta_term(turned, turned_at) * beta_by_fraction(turned, turned_at); },
      [&] { return x.number(0); });
  const Condition is_small = both(turned.x <= 0.1, turned.y * turned_at.x <= 0.1);
  const Real rest = branch(
      both(is_regular, is_small),
      [&] { return beta_rest_by_series(turned, turned_at.x); },
      [&] { return 1 - part; });
  const Real made = is_upper ? select(is_swapped, part, rest) : select(is_swapped, rest, part);
  const Condition is_none = either(both(a == 0, b == 0), both(a == infinity, b == infinity));
  const Condition is_valid =
      both(both(both(a >= 0, b >= 0), both(x >= 0, y >= 0)), both(!is_none, both(x <= 1, y <= 1)));
  const Condition is_limit = either(a == 0, b == infinity);
  const Real one = x.number(is_upper ? 0 : 1);
  const double zero = is_upper ? 1 : 0;
  const Real at_limit = select(x == 0, zero, select(either(y == 0, is_limit), one, zero));
  return select(is_regular, made, select(is_valid, at_limit, nan)).value();
}

// The logarithm of B(a, b) for a, b > 0 is the exponent, whose terms have one sign, and that of the
// factor, which is of moderate size.
struct BetaParts {
  Real exponent;
  Real factor;
};
BetaParts positive_beta(const Real& a, const Real& b) {
  const auto log_1 = [](const Real& m) { return m.call(Op::log1p); };
  const Real sum = a + b;
  const Real shorter = select(a < b, a, b);
  const Real longer = select(a < b, b, a);
  return {
      .exponent = -(shorter * log_1(longer / shorter) + longer * log_1(shorter / longer)),
      .factor = sqrt(sum / longer) / sqrt(shorter) * root_of_2pi * gamma_star(a) *
                (gamma_star(b) / gamma_star(sum))};
}

Condition is_whole(const Real& x) { return x == x.call(Op::floor); }
Condition is_pole(const Real& x) { return both(x <= 0, is_whole(x)); }

// For whole p <= 0 the function is finite only for whole q with p + q <= 0: it is that of
// 1 - p - q and q, with the sign of (-1)^q. Of other arguments not above 0 it is that of the
// gammas.
struct BetaArguments {
  Real p;
  Real q;
  Real sign;
  Condition is_infinite;
};
BetaArguments reflected_beta(const Real& a, const Real& b) {
  const Condition is_a = is_pole(a);
  const Real p = select(is_a, a, b);
  const Real q = select(is_a, b, a);
  const Real turned = 1 - p - q;
  const Condition is_turned = both(turned > 0, turned < infinity);
  const Condition reflects = both(is_pole(p), both(is_whole(q), is_turned));
  const Condition is_odd = !(is_whole(q * 0.5));
  const Real moved = select(reflects, turned, p);
  return {
      .p = moved,
      .q = q,
      .sign = select(both(reflects, is_odd), p.number(-1), 1),
      .is_infinite = either(is_pole(moved), is_pole(q))};
}

// B of positive numbers or its logarithm.
Real beta_above(const Real& p, const Real& q, bool is_log) {
  const BetaParts parts = positive_beta(p, q);
  return is_log ? parts.exponent + log(parts.factor) : exp(parts.exponent) * parts.factor;
}

Real sign_of_gamma(const Real& x) {
  const Condition is_even = is_whole(x.call(Op::floor) * 0.5);
  return select(either(x > 0, is_even), x.number(1), -1);
}

// B or its logarithm where an argument is below 0.
Real beta_below(const Real& p, const Real& q, bool is_log) {
  constexpr double most = 170;  // of an argument of gamma
  const Real sum = p + q;
  const auto log_gamma = [](const Real& x) { return x.call(Op::lgamma); };
  const auto by_logs = [&] { return log_gamma(p) + log_gamma(q) - log_gamma(sum); };
  if (is_log)
    return by_logs();
  const auto gamma = [](const Real& x) { return x.call(Op::gamma); };
  const auto is_small = [](const Real& x) { return absolute(x) <= most; };
  const Real made = branch(
      both(is_small(p), both(is_small(q), is_small(sum))),
      [&] { return gamma(p) * (gamma(q) / gamma(sum)); },
      [&] { return sign_of_gamma(p) * sign_of_gamma(q) * sign_of_gamma(sum) * exp(by_logs()); });
  return select(is_pole(sum), 0, made);
}

Real beta_of(const Real& a, const Real& b, bool is_log) {
  const BetaArguments to = reflected_beta(a, b);
  const auto& [p, q, sign, is_infinite] = to;
  const Condition is_above = both(p > 0, q > 0);
  const Condition is_finite = both(p < infinity, q < infinity);
  const auto above = [&] { return beta_above(p, q, is_log); };
  const auto below = [&] { return beta_below(p, q, is_log); };
  const Real made = branch(both(is_above, is_finite), above, below);
  // Of infinity and a number below 0 it is infinite, with the sign of that number's gamma.
  const Real sign_below = sign_of_gamma(select(p < q, p, q));
  const Real below_limit = is_log ? p.number(infinity) : sign_below * infinity;
  const Real limit = select(is_above, is_log ? -infinity : 0, below_limit);
  const Condition is_limit = either(p == infinity, q == infinity);
  const Real limited = select(both(is_limit, either(is_above, either(p < 0, q < 0))), limit, made);
  const Real pole = is_log ? p.number(infinity) : sign * infinity;
  return select(is_infinite, pole, is_log ? limited : limited * sign);
}

template <bool is_log>
Value beta(ir::Builder& builder, const Values& operands) {
  const Arithmetic floats(builder, DType::float64);
  return beta_of(Real(floats, operands[0]), Real(floats, operands[1]), is_log).value();
}

// n over k: exact for small whole k as long as the numbers are whole, of k factors; else by B.
Value binomial(ir::Builder& builder, const Values& operands) {
  constexpr double most_factors = 20;
  const Arithmetic floats(builder, DType::float64);
  const Real n(floats, operands[0]);
  const Real k_given(floats, operands[1]);
  const Condition is_turned = both(both(is_whole(n), n > 0), n * 0.5 < k_given);
  const Real k = select(both(is_whole(k_given), is_turned), n - k_given, k_given);
  const Condition is_product = both(is_whole(k), both(k >= 0, k < most_factors));
  const auto by_factors = [&] {
    const State<2> start = {n.number(1), n.number(0)};
    return iterate(
        start,
        most_factors,
        [&](const State<2>& now, const Real& i) {
          return State<2>{select(i <= k, now[0] * (n + (i - k)) / i, now[0]), i};
        },
        [&](const State<2>& now) { return k <= now[1]; });
  };
  const auto by_beta = [&] { return 1 / ((n + 1) * beta_of(1 + n - k, 1 + k, false)); };
  const Condition is_none =
      either(both(n < 0, is_whole(n)), either(n.isnan(), k_given == infinity));
  return select(is_none, nan, branch(is_product, by_factors, by_beta)).value();
}

constexpr TypedFunction table[] = {
    {"beta", "dd", 'd', beta<false>, true},
    {"beta_single", "ff", 'f', single<beta<false>>, true},
    {"betaln", "dd", 'd', beta<true>, true},
    {"betaln_single", "ff", 'f', single<beta<true>>, true},
    {"binom", "dd", 'd', binomial, true},
    {"binom_single", "ff", 'f', single<binomial>, true},
    {"gammainc", "dd", 'd', incomplete_gamma<false>, true},
    {"gammainc_single", "ff", 'f', single<incomplete_gamma<false>>, true},
    {"gammaincc", "dd", 'd', incomplete_gamma<true>, true},
    {"gammaincc_single", "ff", 'f', single<incomplete_gamma<true>>, true},
    {"betainc", "ddd", 'd', incomplete_beta<false>, true},
    {"betainc_single", "fff", 'f', single<incomplete_beta<false>>, true},
    {"betaincc", "ddd", 'd', incomplete_beta<true>, true},
    {"betaincc_single", "fff", 'f', single<incomplete_beta<true>>, true},
};

}  // namespace

std::span<const TypedFunction> incomplete_functions() { return table; }

}  // namespace phalanx::numpy
