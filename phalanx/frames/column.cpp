#include "phalanx/frames/column.h"

#include <atomic>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/parts.h"

namespace phalanx::frames {

void check_column(const Column& column) {
  const DType dtype = column.dtype;
  if (!is_boolean(dtype) && !is_integer(dtype) && dtype != DType::float32 &&
      dtype != DType::float64)
    throw TypeError(
        "columns of frames have no dtype " + std::string(info(dtype).name) +
        "; convert them to float64 or an integer");
}

void check_key(runtime::Runtime& runtime, const Key& key) {
  if (!key.is_strings()) {
    check_column(key.column);
    if (key.is_codes && !is_signed(key.column.dtype))
      throw TypeError("codes of a dictionary are signed integers: -1 is missing");
    return;
  }
  std::atomic<bool> fit{true};
  for_ranges(runtime, key.column.rows, [&](std::int64_t row, std::int64_t last) {
    // The sign of what none may be, so that the loop has no branch.
    std::uint64_t seen = 0;
    for (; row < last; ++row) {
      const auto offset = static_cast<std::uint64_t>(key.offsets[row]);
      const auto next = static_cast<std::uint64_t>(key.offsets[row + 1]);
      seen |= offset | next | (next - offset);
    }
    if (seen >> 63U != 0)
      fit = false;
  });
  for (std::int64_t row = 0; !fit && row < key.column.rows; ++row)
    if (key.offsets[row] < 0 || key.offsets[row] > key.offsets[row + 1])
      throw ValueError("offsets of strings must not decrease: see row " + std::to_string(row));
}

}  // namespace phalanx::frames
