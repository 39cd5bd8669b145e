#include "phalanx/frames/text/ascii.h"

#include <algorithm>
#include <cstdint>

namespace phalanx::frames::text {
namespace {

constexpr std::size_t block = 4096;  // bytes after which what was seen is looked at

std::uint8_t turned(std::uint8_t byte, std::uint8_t first) {
  return byte ^ static_cast<std::uint8_t>(static_cast<std::uint8_t>(byte - first) < 26 ? 0x20 : 0);
}

}  // namespace

bool are_ascii(const char* bytes, std::size_t size) {
  for (std::size_t first = 0; first < size; first += block) {
    std::uint8_t seen = 0;
    const std::size_t last = std::min(size, first + block);
    for (std::size_t i = first; i < last; ++i) seen |= static_cast<std::uint8_t>(bytes[i]);
    if (seen >= 0x80)
      return false;
  }
  return true;
}

void to_upper_ascii(const char* from, std::size_t size, char* to) {
  for (std::size_t i = 0; i < size; ++i)
    to[i] = static_cast<char>(turned(static_cast<std::uint8_t>(from[i]), 'a'));
}

void to_lower_ascii(const char* from, std::size_t size, char* to) {
  for (std::size_t i = 0; i < size; ++i)
    to[i] = static_cast<char>(turned(static_cast<std::uint8_t>(from[i]), 'A'));
}

}  // namespace phalanx::frames::text
