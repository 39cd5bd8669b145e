// NumPy's broadcasting of arrays whose extents are known when the code runs, as operations of the
// IR. Extents are int64; what those that are constants decide is a constant.
#pragma once

#include <optional>
#include <span>

#include "phalanx/base/fault.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// The shape that broadcasting makes of these: in each dimension the first extent that is not 1.
// That the others are that or 1 is not looked at: see raise_misfits.
Values broadcast_shape(ir::Builder& builder, std::span<const Values> shapes);

// A bool: every array has the extents of the shape in its dimensions, so that none is stretched.
// Nothing where that is sure, as the shape is made of these very extents.
std::optional<Value> has_extents(
    ir::Builder& builder, std::span<const Values> shapes, const Values& shape);

// Raises where an extent is neither that of the shape nor 1.
void raise_misfits(
    ir::Builder& builder, std::span<const Values> shapes, const Values& shape, const Raise& raise);

// The index into a dimension of an array that may be stretched: 0 where its extent is 1.
Value stretched_index(ir::Builder& builder, Value extent, Value index);

}  // namespace phalanx::numpy
