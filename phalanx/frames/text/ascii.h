// Runs of bytes that are ASCII: loops that the compiler makes vector code of.
#pragma once

#include <cstddef>

namespace phalanx::frames::text {

// False if a byte is not ASCII.
bool are_ascii(const char* bytes, std::size_t size);
// A mapping of ASCII that turns the case of letters and keeps all else. `from` and `to` may be one.
void to_upper_ascii(const char* from, std::size_t size, char* to);
void to_lower_ascii(const char* from, std::size_t size, char* to);

}  // namespace phalanx::frames::text
