// A text looked for in bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace phalanx::frames::text {

// The first occurrence in [at, end), or `end`. `wanted` is not empty.
const char* find_bytes(const char* at, const char* end, std::string_view wanted);
// The last one, or null.
const char* find_last_bytes(const char* at, const char* end, std::string_view wanted);

}  // namespace phalanx::frames::text
