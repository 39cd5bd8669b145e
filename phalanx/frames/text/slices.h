// Positions of slices in texts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace phalanx::frames::text {

// A position of a slice, which counts from the end if it is negative, in [0, size].
inline std::int64_t clamped(std::int64_t position, std::int64_t size) {
  return std::clamp<std::int64_t>(position < 0 ? position + size : position, 0, size);
}

}  // namespace phalanx::frames::text
