// Philox 4x32-10: random words as a function of a counter and a key, so that any thread of any
// device makes any of them. After Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011.
#pragma once

#include <array>

#include "phalanx/base/export.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// Words are uint32, the least significant one first.
using PhiloxBlock = std::array<Value, 4>;
using PhiloxKey = std::array<Value, 2>;

PHX_API PhiloxBlock philox(ir::Builder& builder, const PhiloxBlock& counter, const PhiloxKey& key);

}  // namespace phalanx::numpy
