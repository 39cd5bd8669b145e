// Arrays that no kernel makes: views of memory, the same memory under another shape, and arrays
// without memory.
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

// What an array in C order would be: for elements that are elsewhere, and for kernels that are
// looked at and not launched.
views::DeviceArray array_without_memory(
    jit::Engine& engine,
    runtime::Device& device,
    const ir::Type& element,
    const Extents& shape,
    bool is_read_only = false);

}  // namespace phalanx::arrays
