#include "phalanx/numpy/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phalanx/numpy/portable_math.h"
#include "phalanx/numpy/random_discrete.h"
#include "phalanx/numpy/random_source.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

// The bits of a block for one uniform float: 64 for float64, 32 for float32.
Value bits_for(const RandomSource& source, const PhiloxBlock& block, DType dtype, std::size_t i) {
  return dtype == DType::float64 ? source.wide(block, 2 * i) : block.at(i);
}

Value words(ir::Builder& builder, const Values& operands) {
  const RandomSource source(builder, Stream::words, operands);
  return source.wide(source.block(), 0);
}

template <DType dtype>
Value random(ir::Builder& builder, const Values& operands) {
  constexpr bool is_single = dtype == DType::float32;
  const RandomSource source(
      builder, is_single ? Stream::uniform_single : Stream::uniform, operands);
  return source.uniform(bits_for(source, source.block(), dtype, 0), dtype);
}

// -log(u).
template <DType dtype>
Value exponential(ir::Builder& builder, const Values& operands) {
  constexpr bool is_single = dtype == DType::float32;
  const RandomSource source(
      builder, is_single ? Stream::exponential_single : Stream::exponential, operands);
  const Value u = source.uniform_above_zero(bits_for(source, source.block(), dtype, 0), dtype);
  // 0 - x, as -0 is no draw.
  const Arithmetic floats(builder, dtype);
  return floats(Op::subtract, floats.number(0), portable_log(builder, u));
}

// Box and Muller, "A note on the generation of random normal deviates", 1958: the cosine only, as
// each element has words of its own.
Value box_muller(ir::Builder& builder, Value u, Value turns) {
  const Arithmetic floats(builder, u->type.dtype());
  const Value square = floats(Op::multiply, floats.number(-2), portable_log(builder, u));
  const Value radius = builder.elementwise(Op::sqrt, {square});
  return floats(Op::multiply, radius, portable_cos_of_turns(builder, turns, builder.integer(0)));
}

template <DType dtype>
Value normal(ir::Builder& builder, const Values& operands) {
  constexpr bool is_single = dtype == DType::float32;
  const RandomSource source(builder, is_single ? Stream::normal_single : Stream::normal, operands);
  const PhiloxBlock block = source.block();
  return box_muller(
      builder,
      source.uniform_above_zero(bits_for(source, block, dtype, 0), dtype),
      source.uniform(bits_for(source, block, dtype, 1), dtype));
}

// The tangent of an angle that is uniform: a cosine over a sine, at half a turn or less.
Value cauchy(ir::Builder& builder, const Values& operands) {
  const RandomSource source(builder, Stream::cauchy, operands);
  const Arithmetic floats(builder, DType::float64);
  const Value u = source.uniform_above_zero(source.wide(source.block(), 0), DType::float64);
  const Value turns = floats(Op::multiply, u, floats.number(0.5));
  const auto at = [&](std::int64_t quarters) {
    return portable_cos_of_turns(builder, turns, builder.integer(quarters));
  };
  return floats(Op::true_divide, at(0), at(1));
}

// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000. Below a shape of 1
// it is a draw of that shape + 1 times u^(1 / shape), whose logarithm is apart as it may be beyond
// the format.
struct GammaDraw {
  Value has_draw;  // false: the shape is 0, infinite or none
  Value drawn;
  Value log_factor;
};

template <DType dtype>
GammaDraw draw_gamma(const RandomSource& source, Value given) {
  ir::Builder& builder = source.builder();
  const Arithmetic floats(builder, dtype);
  const auto number = [&](double value) { return floats.number(value); };
  const Value infinity = number(std::numeric_limits<double>::infinity());
  const Value has_draw =
      floats.both(floats(Op::greater, given, number(0)), floats(Op::less, given, infinity));
  const Value shape = floats.select(has_draw, given, number(1));
  const Value is_below = floats(Op::less, shape, number(1));
  const Value above = floats.select(is_below, floats(Op::add, shape, number(1)), shape);
  const Value d = floats(Op::subtract, above, number(1.0 / 3));
  const Value c = floats(Op::true_divide, number(1.0 / 3), builder.elementwise(Op::sqrt, {d}));

  const Value drawn = until_accepted(source, dtype, [&](const PhiloxBlock& block) {
    // 32 bits each would do but for the tail, which is that of the first word.
    const Value u = dtype == DType::float64 ? source.wide(block, 0) : block[0];
    const Value x =
        box_muller(builder, source.uniform_above_zero(u, dtype), source.uniform(block[2], dtype));
    const Value root = floats(Op::add, number(1), floats(Op::multiply, c, x));
    const Value cube = floats(Op::multiply, floats(Op::multiply, root, root), root);
    const Value half_square = floats(Op::multiply, number(0.5), floats(Op::multiply, x, x));
    const Value change =
        floats(Op::add, floats(Op::subtract, number(1), cube), portable_log(builder, cube));
    const Value most = floats(Op::add, half_square, floats(Op::multiply, d, change));
    const Value chance = portable_log(builder, source.uniform_above_zero(block[3], dtype));
    return Attempt{
        .is_accepted =
            floats.both(floats(Op::greater, root, number(0)), floats(Op::less, chance, most)),
        .value = floats(Op::multiply, d, cube)};
  });

  const PhiloxBlock last = source.block(builder.integer(0xFFFFFFFF, DType::uint32));
  const Value u = source.uniform_above_zero(bits_for(source, last, dtype, 0), dtype);
  const Value log_factor = floats(Op::true_divide, portable_log(builder, u), shape);
  return {has_draw, drawn, floats.select(is_below, log_factor, number(0))};
}

template <DType dtype>
Value gamma(ir::Builder& builder, const Values& operands) {
  constexpr bool is_single = dtype == DType::float32;
  const RandomSource source(builder, is_single ? Stream::gamma_single : Stream::gamma, operands);
  const Value given = operands[2];
  const GammaDraw made = draw_gamma<dtype>(source, given);
  const Arithmetic floats(builder, dtype);
  const Value value = floats(Op::multiply, made.drawn, portable_exp(builder, made.log_factor));
  // 0 and infinity are draws of themselves.
  const Value is_shape = floats(Op::greater_equal, given, floats.number(0));
  const Value other =
      floats.select(is_shape, given, floats.number(std::numeric_limits<double>::quiet_NaN()));
  return floats.select(made.has_draw, value, other);
}

Value log_gamma(ir::Builder& builder, const Values& operands) {
  const RandomSource source(builder, Stream::log_gamma, operands);
  const Value given = operands[2];
  const GammaDraw made = draw_gamma<DType::float64>(source, given);
  const Arithmetic floats(builder, DType::float64);
  const Value value = floats(Op::add, portable_log(builder, made.drawn), made.log_factor);
  // Of 0 minus infinity, of infinity itself, of what is no shape NaN.
  const Value is_none = floats(Op::equal, given, floats.number(0));
  const Value other =
      floats.select(is_none, floats.number(-std::numeric_limits<double>::infinity()), given);
  return floats.select(made.has_draw, value, other);
}

Value exp(ir::Builder& builder, const Values& operands) {
  return portable_exp(builder, operands[0]);
}
Value log(ir::Builder& builder, const Values& operands) {
  return portable_log(builder, operands[0]);
}
Value expm1(ir::Builder& builder, const Values& operands) {
  return portable_expm1(builder, operands[0]);
}

constexpr DType single = DType::float32;
constexpr DType full = DType::float64;

constexpr TypedFunction draws[] = {
    {"words", "qQ", 'Q', words, true},
    {"random", "qQ", 'd', random<full>, true},
    {"random_single", "qQ", 'f', random<single>, true},
    {"normal", "qQ", 'd', normal<full>, true},
    {"normal_single", "qQ", 'f', normal<single>, true},
    {"exponential", "qQ", 'd', exponential<full>, true},
    {"exponential_single", "qQ", 'f', exponential<single>, true},
    {"cauchy", "qQ", 'd', cauchy, true},
    {"gamma", "qQd", 'd', gamma<full>, true},
    {"gamma_single", "qQf", 'f', gamma<single>, true},
    {"log_gamma", "qQd", 'd', log_gamma, true},
    {"integers", "qQQ", 'Q', draw_integers, true},
    {"poisson", "qQd", 'q', draw_poisson, true},
    {"binomial", "qQD", 'q', draw_binomial, true},
    {"geometric", "qQd", 'q', draw_geometric, true},
    {"logseries", "qQd", 'q', draw_logseries, true},
    {"zipf", "qQd", 'q', draw_zipf, true},
    {"exp", "d", 'd', exp, true},
    {"log", "d", 'd', log, true},
    {"expm1", "d", 'd', expm1, true},
};

}  // namespace

const TypedFunction* find_draw(std::string_view name) {
  const auto* const found =
      std::ranges::find(draws, name, [](const TypedFunction& each) { return each.name; });
  return found == std::end(draws) ? nullptr : found;
}

}  // namespace phalanx::numpy
