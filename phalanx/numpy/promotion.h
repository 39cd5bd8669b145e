// How NumPy types what it computes. Numba's rules, which the Python front end has, are infer's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/ir/types.h"

namespace phalanx::numpy {

// The type of an array or of a number of NumPy's; or, weak, an int (int64), float (float64) or
// complex (complex128) of Python's, which takes the precision of what it is computed with.
struct Operand {
  DType dtype = DType::boolean;
  bool is_weak = false;
};

// As numpy.result_type since NumPy 2 (NEP 50). bfloat16: see infer::promoted.
PHX_API DType result_type(std::span<const Operand> operands);

// NumPy's casting rules, from strictest to loosest.
enum class Casting : std::uint8_t { equivalent, safe, same_kind, unsafe };
PHX_API bool can_cast(DType from, DType to, Casting casting);
// Times and records too: a time by its unit, a record field by field, whatever their names; whole
// numbers are spans of time. Other types are cast to themselves alone, and so are arrays in
// records, which NumPy stretches.
PHX_API bool can_cast(const ir::Type& from, const ir::Type& to, Casting casting);
// True if a weak number is taken as one of the type: every type of its kind and above.
PHX_API bool fits_weak(DType weak, DType wanted);

// The loop that NumPy takes for the call, float16 and bfloat16 among them, and the type of the
// result. Nothing where it has none.
PHX_API std::optional<infer::Typing> resolve(
    const infer::Ufunc& ufunc, std::span<const Operand> operands);

}  // namespace phalanx::numpy
