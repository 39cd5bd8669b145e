// NumPy's universal functions in kernels: on numbers, and on arrays with an output array.
#pragma once

#include <optional>
#include <string_view>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// Nothing when NumPy has no such function (`name` is without "numpy."), or when it does not take
// such operands.
std::optional<Value> call_ufunc(Emitter& emitter, std::string_view name, const Call& call);

// numpy.where(condition, x, y).
Value where(Emitter& emitter, const std::vector<Value>& arguments);

}  // namespace phalanx::frontend::python
