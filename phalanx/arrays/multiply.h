// Runs the library's product of arrays in memory.
#pragma once

#include <vector>

#include "phalanx/jit/engine.h"
#include "phalanx/libs/products.h"
#include "phalanx/views/device_array.h"

namespace phalanx::arrays {

// Queues the product of two stacks of matrices of one type, whose stacks broadcast, in a new array
// of that shape. What BLAS does not take as it is is copied first.
views::DeviceArray multiply(
    jit::Engine& engine,
    libs::Products& products,
    const std::vector<views::DeviceArray>& operands,
    const Extents& shape);

}  // namespace phalanx::arrays
