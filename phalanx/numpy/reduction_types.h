// How NumPy types its reductions and accumulations.
#pragma once

#include <optional>
#include <string_view>

#include "phalanx/base/dtype.h"

namespace phalanx::numpy {

struct ReductionTyping {
  DType computed;  // the elements are converted to it first
  DType result;
};

// Of "sum", "prod", "cumsum", "cumprod", "mean", "var", "std", "median", "min", "max", "ptp",
// "any", "all", "argmin", "argmax", "count_nonzero". `dtype` is the argument of that name, which
// the first seven have. Nothing where NumPy has none: ptp of bool, variances in bool, and standard
// deviations in whole numbers, which NumPy gives of whole arrays only, cut off.
std::optional<ReductionTyping> reduction_typing(
    std::string_view name, DType element, std::optional<DType> dtype = {});

}  // namespace phalanx::numpy
