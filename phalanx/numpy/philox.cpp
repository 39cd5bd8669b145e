#include "phalanx/numpy/philox.h"

#include <cstdint>

namespace phalanx::numpy {
namespace {

using ir::Op;

constexpr int rounds = 10;
constexpr std::int64_t multipliers[] = {0xD2511F53, 0xCD9E8D57};
constexpr std::int64_t steps[] = {0x9E3779B9, 0xBB67AE85};  // of the key: golden ratio, sqrt(3) - 1

struct Product {
  Value high;
  Value low;
};

Product multiply(ir::Builder& builder, Value word, std::int64_t by) {
  const Arithmetic wide(builder, DType::uint64);
  const Value product = wide(Op::multiply, builder.cast(word, DType::uint64), wide.integer(by));
  return {
      builder.cast(wide(Op::right_shift, product, wide.integer(32)), DType::uint32),
      builder.cast(product, DType::uint32)};
}

}  // namespace

PhiloxBlock philox(ir::Builder& builder, const PhiloxBlock& counter, const PhiloxKey& key) {
  const Arithmetic words(builder, DType::uint32);
  PhiloxBlock state = counter;
  PhiloxKey now = key;
  for (int round = 0; round < rounds; ++round) {
    const Product first = multiply(builder, state[0], multipliers[0]);
    const Product second = multiply(builder, state[2], multipliers[1]);
    const auto mixed = [&](Value high, Value word, Value round_key) {
      return words(Op::bitwise_xor, words(Op::bitwise_xor, high, word), round_key);
    };
    state = {
        mixed(second.high, state[1], now[0]),
        second.low,
        mixed(first.high, state[3], now[1]),
        first.low};
    now = {
        words(Op::add, now[0], words.integer(steps[0])),
        words(Op::add, now[1], words.integer(steps[1]))};
  }
  return state;
}

}  // namespace phalanx::numpy
