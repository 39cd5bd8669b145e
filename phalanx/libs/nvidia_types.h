// The numbers by which NVIDIA's libraries name types of elements (cudaDataType).
#pragma once

#include <optional>

#include "phalanx/base/dtype.h"

namespace phalanx::libs {

// Nothing for types that are not floats and complex numbers.
constexpr std::optional<int> nvidia_type(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 2;
    case DType::bfloat16:
      return 14;
    case DType::float32:
      return 0;
    case DType::float64:
      return 1;
    case DType::complex64:
      return 4;
    case DType::complex128:
      return 5;
    default:
      return std::nullopt;
  }
}

}  // namespace phalanx::libs
