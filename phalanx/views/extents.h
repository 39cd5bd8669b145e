// Shapes and strides by the layouts that the IR has for them.
#pragma once

#include <cstddef>

#include "phalanx/base/export.h"
#include "phalanx/base/strided.h"
#include "phalanx/ir/types.h"

namespace phalanx::views {

// Byte strides of a contiguous array.
PHX_API Extents contiguous_strides(const Extents& shape, std::size_t item_bytes, ir::Layout layout);
// How NumPy flags such an array, as Numba types it: C before F before any.
PHX_API ir::Layout layout_of(const Extents& shape, const Extents& strides, std::size_t item_bytes);
PHX_API bool is_contiguous(
    const Extents& shape, const Extents& strides, std::size_t item_bytes, ir::Layout layout);

}  // namespace phalanx::views
