// A check that bytes are UTF-8.
#pragma once

#include <cstddef>

namespace phalanx::frames::csv {

// The place of the first byte that is not; `size` where all are.
std::size_t end_of_utf8(const char* text, std::size_t size);

}  // namespace phalanx::frames::csv
