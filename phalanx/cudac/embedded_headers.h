// The files of phalanx/cudac/include, whose text is in the library: cmake/embed_headers.cmake. They
// are called as source includes them, and .cuh behind that.
#pragma once

#include <span>
#include <string_view>

namespace phalanx::cudac {

struct EmbeddedHeader {
  std::string_view name;
  std::string_view text;  // ends with a null byte, which it does not count
};

std::span<const EmbeddedHeader> embedded_headers();

}  // namespace phalanx::cudac
