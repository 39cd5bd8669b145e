// The random words of one element of a draw.
#pragma once

#include <cstdint>
#include <functional>

#include "phalanx/numpy/philox.h"

namespace phalanx::numpy {

// Each function that draws has a stream of its own: the same element and key give it other words.
// The values are part of what is drawn and stay.
enum class Stream : std::uint16_t {
  words = 0,
  uniform = 1,
  uniform_single = 2,
  normal = 3,
  normal_single = 4,
  exponential = 5,
  exponential_single = 6,
  cauchy = 7,
  gamma = 9,
  gamma_single = 10,
  log_gamma = 11,
  integers = 12,
  poisson = 13,
  binomial = 14,
  geometric = 15,
  logseries = 16,
  zipf = 17,
};

class RandomSource {
 public:
  // The first operands of a draw are the element's number, an int64, and the key, a uint64.
  RandomSource(ir::Builder& builder, Stream stream, const Values& operands);

  ir::Builder& builder() const { return *builder_; }
  // The words of an attempt, a uint32: those that reject draw again.
  PhiloxBlock block(Value attempt) const;
  PhiloxBlock block() const;

  // Words of a block as one uint64.
  Value wide(const PhiloxBlock& block, std::size_t first) const;
  // Of a word's highest bits, as many as the float holds exactly: in [0, 1).
  Value uniform(Value word, DType dtype) const;
  // In (0, 1], for logarithms: float32 has all 32 bits of a word near 0, or the tails would end
  // early.
  Value uniform_above_zero(Value word, DType dtype) const;

 private:
  Value word(Value number, std::int64_t shift) const;

  ir::Builder* builder_;
  Stream stream_;
  Value element_;
  Value key_;
};

struct Attempt {
  Value is_accepted;
  Value value;
};
using MakeAttempt = std::function<Attempt(const PhiloxBlock& block)>;

// Rejection: draws blocks until one is accepted; its value, of that type.
Value until_accepted(const RandomSource& source, DType dtype, const MakeAttempt& attempt);

}  // namespace phalanx::numpy
