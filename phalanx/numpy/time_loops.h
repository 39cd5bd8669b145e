// What NumPy's universal functions compute of times: loops over counts of one unit, in which the
// least number is NaT.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "phalanx/base/export.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/ir/types.h"
#include "phalanx/numpy/typed_function.h"

namespace phalanx::numpy {

// A call of a function of counts, which says nothing of their unit: the types that the operands are
// converted to, and the result's.
struct TimeTyping {
  const TypedFunction* function = nullptr;
  std::array<ir::Type, 2> operands = {};
  ir::Type result = {};
};

// Nothing where NumPy has no such loop. Throws TypeError for units that do not meet, and
// std::overflow_error for those too far apart. One of the operands is a time.
PHX_API std::optional<TimeTyping> resolve_times(
    const infer::Ufunc& ufunc, std::span<const ir::Type> operands);

// count * factor / divisor, rounded down, of a count and two numbers.
PHX_API const TypedFunction& scaled_time();
// The days from the beginning of 1970 to that of a month since then, and the month of a day.
PHX_API const TypedFunction& days_of_months();
PHX_API const TypedFunction& months_of_days();
// A float without its fraction; NaT where that is no int64.
PHX_API const TypedFunction& count_of_float();

}  // namespace phalanx::numpy
