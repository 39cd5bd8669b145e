#include "phalanx/numpy/typed_function.h"

#include "phalanx/base/errors.h"

namespace phalanx::numpy {
namespace {

DType dtype_of(char letter) {
  switch (letter) {
    case '?':
      return DType::boolean;
    case 'Q':
      return DType::uint64;
    case 'f':
      return DType::float32;
    case 'd':
      return DType::float64;
    case 'D':
      return DType::complex128;
    default:
      PHX_ASSERT(letter == 'q' || letter == 'm' || letter == 'M');
      return DType::int64;
  }
}

}  // namespace

DType TypedFunction::operand(std::size_t i) const { return dtype_of(operands[i]); }
DType TypedFunction::result_dtype() const { return dtype_of(result); }

}  // namespace phalanx::numpy
