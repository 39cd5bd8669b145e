#include "phalanx/numpy/random_source.h"

#include <algorithm>
#include <cmath>

namespace phalanx::numpy {

using ir::Op;

RandomSource::RandomSource(ir::Builder& builder, Stream stream, const Values& operands)
    : builder_(&builder),
      stream_(stream),
      element_(builder.cast(operands[0], DType::uint64)),
      key_(operands[1]) {}

Value RandomSource::word(Value number, std::int64_t shift) const {
  const Arithmetic wide(*builder_, DType::uint64);
  return builder_->cast(
      shift == 0 ? number : wide(Op::right_shift, number, wide.integer(shift)), DType::uint32);
}

PhiloxBlock RandomSource::block(Value attempt) const {
  const Value stream = builder_->integer(static_cast<std::int64_t>(stream_), DType::uint32);
  return philox(
      *builder_,
      {word(element_, 0), word(element_, 32), attempt, stream},
      {word(key_, 0), word(key_, 32)});
}

PhiloxBlock RandomSource::block() const { return block(builder_->integer(0, DType::uint32)); }

Value RandomSource::wide(const PhiloxBlock& block, std::size_t first) const {
  const Arithmetic words(*builder_, DType::uint64);
  const Value high = builder_->cast(block.at(first + 1), DType::uint64);
  return words(
      Op::bitwise_or,
      builder_->cast(block.at(first), DType::uint64),
      words(Op::left_shift, high, words.integer(32)));
}

namespace {

// As many of the highest bits as the mantissa has, so that the float is exact, times 2^-bits.
Value fraction(ir::Builder& builder, Value word, DType dtype, std::int64_t more) {
  const DType bits = word->type.dtype();
  const std::int64_t given = static_cast<std::int64_t>(size_of(bits)) * 8;
  const std::int64_t kept = std::min<std::int64_t>(dtype == DType::float64 ? 53 : 24, given);
  const Arithmetic words(builder, bits);
  const Value high =
      kept == given ? word : words(Op::right_shift, word, words.integer(given - kept));
  // Signed integers become floats in fewer instructions.
  const DType integer = kept >= 32 ? DType::int64 : DType::int32;
  const Arithmetic integers(builder, integer);
  const Value number = builder.cast(high, integer);
  const Value moved = more == 0 ? number : integers(Op::add, number, integers.integer(more));
  const Arithmetic floats(builder, dtype);
  return floats(
      Op::multiply,
      builder.cast(moved, dtype),
      floats.number(std::ldexp(1.0, -static_cast<int>(kept))));
}

}  // namespace

Value RandomSource::uniform(Value word, DType dtype) const {
  return fraction(*builder_, word, dtype, 0);
}

Value RandomSource::uniform_above_zero(Value word, DType dtype) const {
  if (dtype == DType::float64)
    return fraction(*builder_, word, dtype, 1);
  const Arithmetic floats(*builder_, dtype);
  const Value rounded = builder_->cast(word, dtype);
  return floats(
      Op::multiply,
      floats(Op::add, rounded, floats.number(0.5)),
      floats.number(std::ldexp(1.0, -8 * static_cast<int>(size_of(word->type.dtype())))));
}

Value until_accepted(const RandomSource& source, DType dtype, const MakeAttempt& attempt) {
  ir::Builder& builder = source.builder();
  const Arithmetic words(builder, DType::uint32);
  const ir::VariableId number = builder.variable("attempt", DType::uint32);
  const ir::VariableId drawn = builder.variable("drawn", dtype);
  builder.set(number, words.integer(0));
  builder.set(drawn, Arithmetic(builder, dtype).integer(0));
  {
    const ir::Builder::Loop loop = builder.loop();
    const auto body = builder.enter(loop.body);
    const Value now = builder.get(number);
    const Attempt made = attempt(source.block(now));
    builder.set(drawn, made.value);
    builder.set(number, words(Op::add, now, words.integer(1)));
    const auto branches = builder.if_(made.is_accepted);
    const auto done = builder.enter(branches.then);
    builder.break_();
  }
  return builder.get(drawn);
}

}  // namespace phalanx::numpy
