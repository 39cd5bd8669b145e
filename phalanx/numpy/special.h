// Special functions of floats that NumPy has no ufunc for, after SciPy's names.
#pragma once

#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/numpy/typed_function.h"

namespace phalanx::numpy {

// "digamma", "ndtri", "erfinv", "erfcinv", those of special_tables.h and the op table's functions
// of one float ("erf", "erfc", "gamma", "lgamma") of float64, and with _single of float32. Null for
// other names.
PHX_API const TypedFunction* find_special(std::string_view name);

}  // namespace phalanx::numpy
