// Which types turn into which, and how gladly: Numba's conversion rules and unification.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "phalanx/base/dtype.h"
#include "phalanx/ir/types.h"

namespace phalanx::infer {

// From strictest to loosest.
enum class Conversion : std::uint8_t {
  exact,    // the same type
  promote,  // same kind, more range or precision: int32 -> int64
  safe,     // nothing is lost: int32 -> float64; int64 -> float64 counts as safe too
  unsafe,   // may lose: int64 -> int32, float64 -> float32
  none,     // no implicit conversion
};

Conversion conversion(DType from, DType to);

// Scalars as above; an array to a less demanding view of the same element type (safe); plain
// tuples as the worst of their elements.
Conversion conversion(const ir::Type& from, const ir::Type& to);

// The dtype that holds both, by NumPy's rules (int64 with uint64: float64). bfloat16 takes bool
// and 8-bit integers in, meets float16 in float32, and else counts as float16 does.
DType promoted(DType first, DType second);

// The type of a variable that holds both; nothing when there is none. Array views of one element
// type and rank meet in layout `any` when their layouts differ, and are read-only if one is.
std::optional<ir::Type> unify(const ir::Type& first, const ir::Type& second);

// All of them: narrow scalars first, as Numba does, so that the order does not matter.
std::optional<ir::Type> unify(std::span<const ir::Type> types);

}  // namespace phalanx::infer
