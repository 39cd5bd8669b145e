// NumPy's universal functions on scalars: which there are, and how a call of one is typed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/infer/functions.h"
#include "phalanx/ir/op.h"

namespace phalanx::infer {

enum class UfuncResult : std::uint8_t { loop, truth, real };

// A row of ufuncs.def, where the columns are explained, or made from one of ir/ops.def.
struct Ufunc {
  std::string_view name;
  int arity;
  std::optional<ir::Op> op;
  std::string_view loops;
  UfuncResult result;
  std::string_view doc;
  std::string_view alias_of = {};  // NumPy's first name of it
};

// nullptr if there is no such function; `name` is without "numpy.".
PHX_API const Ufunc* find_ufunc(std::string_view name);
PHX_API std::span<const Ufunc> ufuncs();

// The types that it computes in, in the order they are tried, and the result's in one of them.
PHX_API std::vector<DType> loops_of(const Ufunc& ufunc);
PHX_API DType result_in(const Ufunc& ufunc, DType loop);

// How Numba types the call: in the first loop to which all operands can be cast safely, where an
// integer beside a float counts as safe. `op` may not take the loop's type (ops.def, `kinds`): a
// floor of integers and a predicate of integers are then trivial, complex functions are composed.
std::optional<Typing> resolve(const Ufunc& ufunc, std::span<const DType> operands);

}  // namespace phalanx::infer
