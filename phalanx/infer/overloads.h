// The signatures a function is declared with, and the choice of the one that fits best.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "phalanx/base/dtype.h"

namespace phalanx::infer {

// One declared signature; entries of `operands` beyond the function's arity mean nothing.
struct Signature {
  DType result = DType::boolean;
  std::array<DType, 3> operands = {};

  bool operator==(const Signature&) const = default;
};

// Families of signatures that many functions share.
enum class Overloads : std::uint8_t {
  binary,       // + - *
  real_binary,  // // %
  true_divide,
  power,
  bitwise,
  shift,
  order,     // < <= > >=
  equality,  // == !=
  sign,      // -x +x
  invert,
  truth,  // not x
  to_bool,
  to_int,
  to_float,
  to_complex,
  absolute,
  round,
  round_digits,
  real,       // float32 or float64
  math,       // real; integers give float64
  math_half,  // math; float16 stays float16
  math_power,
  half,
  half_compare,
  ldexp,
  frexp,   // yields a float and an int32
  modf,    // yields two floats
  divmod,  // yields two values
  predicate,
  complex_math,
  complex_real,   // yields the type of the real part
  complex_polar,  // yields two of them
  complex_predicate,
  bits,
  bits_reverse,
  bits_find,
  // Typed by a rule instead of a list of signatures:
  unified,       // the type that holds all operands, as infer/conversion.h finds it
  select,        // a condition and two operands of one type
  complex_pair,  // real and imaginary part
};

// The declared signature that the operands convert to at least cost: fewest unsafe conversions,
// then fewest safe ones, then fewest promotions; the first of equals. Nothing if none fits, or the
// family is typed by a rule.
std::optional<Signature> choose(Overloads family, std::span<const DType> operands);

}  // namespace phalanx::infer
