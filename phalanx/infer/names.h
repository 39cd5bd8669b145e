// Numba's names: of types in messages, and of dtypes in signature strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "phalanx/base/dtype.h"
#include "phalanx/ir/types.h"

namespace phalanx::infer {

// As Numba prints a type: `int64`, `bool`, `array(float32, 1d, C)`, `readonly array(...)`,
// `Tuple(int64, float32)`, `UniTuple(float32 x 3)`, `Point(float32, int64)`, `float32*`, `none`.
std::string numba_name(const ir::Type& type);

// By any of Numba's names for it: "float32", "f4", "intp", "double", ...
std::optional<DType> dtype_from_numba(std::string_view name);

}  // namespace phalanx::infer
