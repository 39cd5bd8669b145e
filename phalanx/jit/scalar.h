// Scalars of any dtype converted to any other, as C casts do and NumPy's astype.
#pragma once

#include <cstddef>
#include <cstdint>

#include "phalanx/base/dtype.h"

namespace phalanx::jit {

// `from_bytes` and `to_bytes` hold one value each and need no alignment. Complex to real drops the
// imaginary part.
void convert_scalar(DType from, const void* from_bytes, DType to, void* to_bytes);

}  // namespace phalanx::jit
