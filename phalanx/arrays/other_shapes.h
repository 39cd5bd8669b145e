// Memory that is looked at in another way: as a view, or under another shape.
#pragma once

#include <optional>
#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/jit/engine.h"

namespace phalanx::arrays {

// The view of an array that `axes` describe.
views::DeviceArray view_of(
    jit::Engine& engine,
    const views::DeviceArray& base,
    const Extents& shape,
    const std::vector<Axis>& axes);

// The same elements in C order under another shape; nothing where they must be copied for it.
std::optional<views::DeviceArray> reshaped(
    jit::Engine& engine, const views::DeviceArray& array, const Extents& shape);

// The same memory with another shape and strides.
views::DeviceArray with_strides(
    jit::Engine& engine, const views::DeviceArray& array, const Extents& shape, Extents strides);

}  // namespace phalanx::arrays
