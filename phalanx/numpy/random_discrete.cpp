#include "phalanx/numpy/random_discrete.h"

#include <limits>

#include "phalanx/numpy/portable_math.h"
#include "phalanx/numpy/random_source.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

// Formulas of float64.
class Formula {
 public:
  explicit Formula(ir::Builder& builder) : builder_(&builder), floats_(builder, DType::float64) {}

  ir::Builder& builder() const { return *builder_; }
  const Arithmetic& floats() const { return floats_; }
  Value number(double value) const { return floats_.number(value); }
  Value add(Value a, Value b) const { return floats_(Op::add, a, b); }
  Value add(Value a, double b) const { return add(a, number(b)); }
  Value subtract(Value a, Value b) const { return floats_(Op::subtract, a, b); }
  Value multiply(Value a, Value b) const { return floats_(Op::multiply, a, b); }
  Value multiply(Value a, double b) const { return multiply(a, number(b)); }
  Value divide(Value a, Value b) const { return floats_(Op::true_divide, a, b); }
  Value less(Value a, Value b) const { return floats_(Op::less, a, b); }
  Value less_equal(Value a, Value b) const { return floats_(Op::less_equal, a, b); }
  Value root(Value a) const { return builder_->elementwise(Op::sqrt, {a}); }
  Value floor(Value a) const { return builder_->elementwise(Op::floor, {a}); }
  Value absolute(Value a) const { return builder_->elementwise(Op::absolute, {a}); }
  Value log(Value a) const { return portable_log(*builder_, a); }
  Value log1p(Value a) const { return portable_log1p(*builder_, a); }
  Value rest(Value k) const { return portable_stirling_rest(*builder_, k); }
  Value exp(Value a) const { return portable_exp(*builder_, a); }
  // a to the power of b, for a > 0.
  Value power(Value a, Value b) const { return exp(multiply(b, log(a))); }
  // The value where it may be drawn from, else a harmless one, with which loops end.
  Value or_else(Value is_valid, Value value, double harmless) const {
    return floats_.select(is_valid, value, number(harmless));
  }
  // A whole number as int64; the greatest one beyond it.
  Value to_integer(Value whole) const {
    const Arithmetic integers(*builder_, DType::int64);
    const Value fits = less(whole, number(0x1p63));
    return integers.select(
        fits,
        builder_->cast(floats_.select(fits, whole, number(0)), DType::int64),
        integers.integer(std::numeric_limits<std::int64_t>::max()));
  }

 private:
  ir::Builder* builder_;
  Arithmetic floats_;
};

// The value that the branch for `condition` makes, else that of the other one.
template <typename Then, typename Otherwise>
Value either_way(
    ir::Builder& builder, Value condition, const Then& then, const Otherwise& otherwise) {
  const ir::VariableId result = builder.variable("drawn", DType::float64);
  const ir::Builder::Branches branches = builder.if_(condition);
  {
    const auto inside = builder.enter(branches.then);
    builder.set(result, then());
  }
  {
    const auto inside = builder.enter(branches.otherwise);
    builder.set(result, otherwise());
  }
  return builder.get(result);
}

// The least k at which the sum of the probabilities exceeds u: `next` makes the probability of k
// from that of k - 1. Rounding may keep the sum below u: where means are below 10, no k is above
// `most_inverted` but with a chance of 1e-70.
constexpr double most_inverted = 110;
template <typename Next>
Value invert(const Formula& math, Value u, Value first, const Next& next) {
  ir::Builder& builder = math.builder();
  const ir::VariableId count = builder.variable("k", DType::float64);
  const ir::VariableId chance = builder.variable("chance", DType::float64);
  const ir::VariableId sum = builder.variable("sum", DType::float64);
  builder.set(count, math.number(0));
  builder.set(chance, first);
  builder.set(sum, first);
  {
    const ir::Builder::Loop loop = builder.loop();
    const auto body = builder.enter(loop.body);
    const Value now = builder.get(count);
    const Value goes_on = math.floats().both(
        math.less_equal(builder.get(sum), u), math.less(now, math.number(most_inverted)));
    const auto branches = builder.if_(goes_on);
    {
      const auto inside = builder.enter(branches.then);
      const Value k = math.add(now, 1);
      const Value probability = next(builder.get(chance), k);
      builder.set(count, k);
      builder.set(chance, probability);
      builder.set(sum, math.add(builder.get(sum), probability));
    }
    const auto done = builder.enter(branches.otherwise);
    builder.break_();
  }
  return builder.get(count);
}

constexpr double half_log_of_2pi = 0.918938533204672741780;
constexpr double least_rejected = 10;  // of the mean: below it inversion takes fewer steps

// Hörmann, "The transformed rejection method for generating Poisson random variables", 1993: what
// PTRS and BTRS have in common.
struct Transformed {
  Value a;
  Value b;
  Value centre;
  Value quick;  // V at most that is accepted without a logarithm
};
struct Proposal {
  Value k;
  Value us;
  Value v;
  Value is_quick;
};
Proposal propose(
    const Formula& math,
    const RandomSource& source,
    const PhiloxBlock& block,
    const Transformed& method) {
  const Value u =
      math.subtract(source.uniform(source.wide(block, 0), DType::float64), math.number(0.5));
  const Value v = source.uniform_above_zero(source.wide(block, 2), DType::float64);
  const Value us = math.subtract(math.number(0.5), math.absolute(u));
  const Value slope = math.add(math.divide(math.multiply(method.a, 2), us), method.b);
  return {
      .k = math.floor(math.add(math.multiply(slope, u), method.centre)),
      .us = us,
      .v = v,
      .is_quick = math.floats().both(
          math.less_equal(math.number(0.07), us), math.less_equal(v, method.quick))};
}

Value poisson_by_rejection(const Formula& math, const RandomSource& source, Value mean) {
  const Value b = math.add(math.multiply(math.root(mean), 2.53), 0.931);
  const Value a = math.add(math.multiply(b, 0.02483), -0.059);
  const Value inverse_alpha = math.add(math.divide(math.number(1.1328), math.add(b, -3.4)), 1.1239);
  const Value quick =
      math.subtract(math.number(0.9277), math.divide(math.number(3.6224), math.add(b, -2)));
  const Transformed method = {a, b, math.add(mean, 0.43), quick};
  return until_accepted(source, DType::float64, [&](const PhiloxBlock& block) {
    const Proposal made = propose(math, source, block, method);
    const Value scale = math.add(math.divide(a, math.multiply(made.us, made.us)), b);
    const Value left = math.log(math.divide(math.multiply(made.v, inverse_alpha), scale));
    // The logarithm of the probability of k, in terms no larger than the deviation: as it stands,
    // k log(mean) - mean - log(k!) is a difference of what is of the mean's size.
    const Value z = math.add(made.k, 1);
    const Value beyond = math.subtract(mean, z);
    const Value large =
        math.subtract(math.multiply(made.k, math.log1p(math.divide(beyond, z))), beyond);
    const Value small = math.add(
        math.add(math.multiply(math.log(z), 0.5), math.rest(made.k)), math.number(half_log_of_2pi));
    const Value right = math.subtract(large, small);
    const Arithmetic& floats = math.floats();
    const Value may_be = floats.both(
        math.less_equal(math.number(0), made.k),
        floats.either(
            math.less_equal(math.number(0.013), made.us), math.less_equal(made.v, made.us)));
    return Attempt{
        .is_accepted =
            floats.either(made.is_quick, floats.both(may_be, math.less_equal(left, right))),
        .value = made.k};
  });
}

struct Trials {
  Value n;
  Value p;  // at most 1/2
};

Value binomial_by_rejection(const Formula& math, const RandomSource& source, const Trials& given) {
  const auto [n, p] = given;
  const Value q = math.subtract(math.number(1), p);
  const Value mean = math.multiply(n, p);
  const Value deviation = math.root(math.multiply(mean, q));
  const Value b = math.add(math.multiply(deviation, 2.53), 1.15);
  const Value a =
      math.add(math.add(math.multiply(b, 0.0248), math.multiply(p, 0.01)), math.number(-0.0873));
  const Value quick = math.subtract(math.number(0.92), math.divide(math.number(4.2), b));
  const Value alpha = math.multiply(math.add(math.divide(math.number(5.1), b), 2.83), deviation);
  const Value odds = math.divide(p, q);
  const Value mode = math.floor(math.multiply(math.add(n, 1), p));
  const Value left_of_mode = math.add(math.subtract(n, mode), 1);
  const Value rest_of_mode = math.add(math.rest(mode), math.rest(math.subtract(n, mode)));
  const Transformed method = {a, b, math.add(mean, 0.5), quick};
  return until_accepted(source, DType::float64, [&](const PhiloxBlock& block) {
    const Proposal made = propose(math, source, block, method);
    const Value scale = math.add(math.divide(a, math.multiply(made.us, made.us)), b);
    const Value left = math.log(math.divide(math.multiply(made.v, alpha), scale));
    const Arithmetic& floats = math.floats();
    const Value may_be =
        floats.both(math.less_equal(math.number(0), made.k), math.less_equal(made.k, n));
    const Value k = floats.select(may_be, made.k, mode);
    // The logarithm of the probability of k by that of the mode, likewise.
    const Value beyond = math.subtract(k, mode);
    const Value left_of_k = math.add(math.subtract(n, k), 1);
    const Value of_successes =
        math.multiply(math.add(mode, 0.5), math.log1p(math.divide(beyond, math.add(mode, 1))));
    const Value of_failures =
        math.multiply(math.add(left_of_k, -0.5), math.log1p(math.divide(beyond, left_of_k)));
    const Value of_odds = math.multiply(
        beyond, math.log(math.divide(math.multiply(odds, left_of_mode), math.add(k, 1))));
    const Value large = math.add(math.subtract(of_failures, of_successes), of_odds);
    const Value rests =
        math.subtract(rest_of_mode, math.add(math.rest(k), math.rest(math.subtract(n, k))));
    const Value right = math.add(large, rests);
    return Attempt{
        .is_accepted =
            floats.both(may_be, floats.either(made.is_quick, math.less_equal(left, right))),
        .value = k};
  });
}

}  // namespace

// The high half of the product of 128 random bits, as a fraction, and the number: no value is
// likelier than another by more than 2^-64. Lemire, "Fast random integer generation in an
// interval", 2019.
Value draw_integers(ir::Builder& builder, const Values& operands) {
  const RandomSource source(builder, Stream::integers, operands);
  const PhiloxBlock block = source.block();
  const Arithmetic wide(builder, DType::uint64);
  const auto half = [&](Value value, bool is_high) {
    return is_high ? wide(Op::right_shift, value, wide.integer(32))
                   : wide(Op::bitwise_and, value, wide.integer(0xFFFFFFFF));
  };
  const Value range = operands[2];
  const Value low = half(range, false);
  const Value high = half(range, true);
  // The fraction's 32-bit digits by the number's two, from the least one up; what is carried on
  // never exceeds 64 bits.
  Value carried = wide.integer(0);
  for (const Value digit : block) {
    const Value word = builder.cast(digit, DType::uint64);
    const Value least = wide(Op::add, wide(Op::multiply, word, low), half(carried, false));
    const Value most = wide(Op::add, wide(Op::multiply, word, high), half(carried, true));
    carried = wide(Op::add, most, half(least, true));
  }
  const Value is_all = wide(Op::equal, range, wide.integer(0));
  return wide.select(is_all, source.wide(block, 2), carried);
}

Value draw_poisson(ir::Builder& builder, const Values& operands) {
  const Formula math(builder);
  const Arithmetic& floats = math.floats();
  const RandomSource source(builder, Stream::poisson, operands);
  const Value given = operands[2];
  const Value is_valid =
      floats.both(math.less_equal(math.number(0), given), math.less(given, math.number(0x1p63)));
  const Value mean = math.or_else(is_valid, given, 0);
  const auto by_inversion = [&] {
    const Value u = source.uniform(source.wide(source.block(), 0), DType::float64);
    const auto next = [&](Value chance, Value k) {
      return math.divide(math.multiply(chance, mean), k);
    };
    const Value first = math.exp(math.subtract(math.number(0), mean));
    return invert(math, u, first, next);
  };
  return math.to_integer(
      either_way(builder, math.less(mean, math.number(least_rejected)), by_inversion, [&] {
        return poisson_by_rejection(math, source, mean);
      }));
}

// Probabilities are 1/2 at most: the caller draws failures where successes are likelier.
Value draw_binomial(ir::Builder& builder, const Values& operands) {
  const Formula math(builder);
  const RandomSource source(builder, Stream::binomial, operands);
  const Value given = builder.complex_imag(operands[2]);
  const Value is_valid = math.floats().both(
      math.less_equal(math.number(0), given), math.less_equal(given, math.number(0.5)));
  const Value p = math.or_else(is_valid, given, 0);
  const Value n = builder.complex_real(operands[2]);
  const auto by_inversion = [&] {
    const Value u = source.uniform(source.wide(source.block(), 0), DType::float64);
    const Value odds = math.divide(p, math.subtract(math.number(1), p));
    const auto next = [&](Value before, Value k) {
      const Value left = math.add(math.subtract(n, k), 1);
      return math.divide(math.multiply(math.multiply(before, left), odds), k);
    };
    const Value log_q = math.log1p(math.subtract(math.number(0), p));
    return invert(math, u, math.exp(math.multiply(n, log_q)), next);
  };
  const Value mean = math.multiply(n, p);
  return math.to_integer(
      either_way(builder, math.less(mean, math.number(least_rejected)), by_inversion, [&] {
        return binomial_by_rejection(math, source, {n, p});
      }));
}

// Inversion: the least k with 1 - (1 - p)^k >= u.
Value draw_geometric(ir::Builder& builder, const Values& operands) {
  const Formula math(builder);
  const RandomSource source(builder, Stream::geometric, operands);
  const Value given = operands[2];
  const Value is_chance =
      math.floats().both(math.less(math.number(0), given), math.less(given, math.number(1)));
  const Value p = math.or_else(is_chance, given, 0.5);
  const Value u = source.uniform_above_zero(source.wide(source.block(), 0), DType::float64);
  const Value log_q = portable_log1p(builder, math.subtract(math.number(0), p));
  const Value trials = builder.elementwise(Op::ceil, {math.divide(math.log(u), log_q)});
  const Value at_least_one =
      math.floats().select(math.less(trials, math.number(1)), math.number(1), trials);
  return math.to_integer(math.or_else(is_chance, at_least_one, 1));
}

// Kemp, "Efficient generation of logarithmically distributed pseudo-random variables", 1981: LK.
Value draw_logseries(ir::Builder& builder, const Values& operands) {
  const Formula math(builder);
  const Arithmetic& floats = math.floats();
  const RandomSource source(builder, Stream::logseries, operands);
  const Value given = operands[2];
  const Value is_valid =
      floats.both(math.less(math.number(0), given), math.less(given, math.number(1)));
  const Value p = math.or_else(is_valid, given, 0.5);
  const Value rate = portable_log1p(builder, math.subtract(math.number(0), p));
  const Value drawn = until_accepted(source, DType::float64, [&](const PhiloxBlock& block) {
    const Value v = source.uniform_above_zero(source.wide(block, 0), DType::float64);
    const Value u = source.uniform_above_zero(source.wide(block, 2), DType::float64);
    const Value q = math.subtract(math.number(1), math.exp(math.multiply(rate, u)));
    const Value many = math.floor(math.add(math.divide(math.log(v), math.log(q)), 1));
    const Value is_many = math.less_equal(v, math.multiply(q, q));
    const Value few = floats.select(math.less_equal(q, v), math.number(1), math.number(2));
    const Value is_one = math.less_equal(p, v);
    const Value value = floats.select(is_one, math.number(1), floats.select(is_many, many, few));
    return Attempt{.is_accepted = math.less_equal(math.number(1), value), .value = value};
  });
  return math.to_integer(math.or_else(is_valid, drawn, 1));
}

// Devroye, "Non-uniform random variate generation", 1986, section X.6.1.
Value draw_zipf(ir::Builder& builder, const Values& operands) {
  constexpr double most = 1025;  // from there on 2^-a is 0
  const Formula math(builder);
  const Arithmetic& floats = math.floats();
  const RandomSource source(builder, Stream::zipf, operands);
  const Value given = operands[2];
  const Value is_valid =
      floats.both(math.less(math.number(1), given), math.less(given, math.number(most)));
  const Value less_one = math.add(math.or_else(is_valid, given, 2), -1);
  const Value b = math.power(math.number(2), less_one);
  const Value least = math.power(math.number(0x1p63), math.subtract(math.number(0), less_one));
  const Value exponent = math.divide(math.number(-1), less_one);
  const Value drawn = until_accepted(source, DType::float64, [&](const PhiloxBlock& block) {
    const Value chance = source.uniform(source.wide(block, 0), DType::float64);
    const Value v = source.uniform_above_zero(source.wide(block, 2), DType::float64);
    const Value u = math.add(math.multiply(chance, least), math.subtract(math.number(1), chance));
    const Value x = math.floor(math.power(u, exponent));
    const Value is_number =
        floats.both(math.less_equal(math.number(1), x), math.less(x, math.number(0x1p63)));
    const Value safe = math.or_else(is_number, x, 1);
    const Value t = math.power(math.add(math.divide(math.number(1), safe), 1), less_one);
    const Value left =
        math.divide(math.multiply(math.multiply(v, safe), math.add(t, -1)), math.add(b, -1));
    return Attempt{
        .is_accepted = floats.both(is_number, math.less_equal(left, math.divide(t, b))),
        .value = safe};
  });
  return math.to_integer(math.or_else(is_valid, drawn, 1));
}

}  // namespace phalanx::numpy
