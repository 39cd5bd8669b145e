// Special functions of floats that NumPy has no ufunc for, after SciPy's names.
#pragma once

#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/numpy/typed_function.h"

namespace phalanx::numpy {

// "erf", "erfc", "gamma", "gammaln", "digamma", "ndtri", "erfinv", "erfcinv" of float64, and with
// _single of float32. Null for other names.
PHX_API const TypedFunction* find_special(std::string_view name);

}  // namespace phalanx::numpy
