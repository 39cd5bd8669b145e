// Reductions along one axis of an array: the result is an array of one dimension less. CPU
// functions only; the axis is known at compile time.
#pragma once

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// Sums or products (op), computed in `dtype`.
Value sum_along(Emitter& emitter, const Value& array, const Value& axis, ir::Op op, DType dtype);
Value mean_along(Emitter& emitter, const Value& array, const Value& axis, DType dtype);
// op: minimum or maximum. Raises ValueError where the axis is empty.
Value extreme_along(Emitter& emitter, const Value& array, const Value& axis, ir::Op op);
// The first index of the extreme, i64; a NaN counts as it.
Value position_along(
    Emitter& emitter, const Value& array, const Value& axis, tree::Comparison is_better);

}  // namespace phalanx::frontend::python
