// Reductions along one axis of an array: the result is an array of one dimension less. CPU
// functions only; the axis is known at compile time.
#pragma once

#include <string>

#include "phalanx/frontend/python/emitter.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::frontend::python {

// Raises ValueError with the text `empty` where the axis is empty and nothing has no result.
Value reduced_along(
    Emitter& emitter,
    const Value& array,
    const Value& axis,
    const numpy::Reduction& reduction,
    const std::string& empty);
Value mean_along(Emitter& emitter, const Value& array, const Value& axis, DType dtype);

}  // namespace phalanx::frontend::python
