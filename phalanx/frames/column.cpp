#include "phalanx/frames/column.h"

#include <string>

#include "phalanx/base/errors.h"

namespace phalanx::frames {

void check_column(const Column& column) {
  const DType dtype = column.dtype;
  if (!is_boolean(dtype) && !is_integer(dtype) && dtype != DType::float32 &&
      dtype != DType::float64)
    throw TypeError(
        "columns of frames have no dtype " + std::string(info(dtype).name) +
        "; convert them to float64 or an integer");
}

void check_key(const Key& key) {
  if (!key.is_strings()) {
    check_column(key.column);
    if (key.is_codes && !is_signed(key.column.dtype))
      throw TypeError("codes of a dictionary are signed integers: -1 is missing");
    return;
  }
  for (std::int64_t row = 0; row < key.column.rows; ++row)
    if (key.offsets[row] < 0 || key.offsets[row] > key.offsets[row + 1])
      throw ValueError("offsets of strings must not decrease: see row " + std::to_string(row));
}

}  // namespace phalanx::frames
