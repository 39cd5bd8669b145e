#include "phalanx/frames/csv/utf8.h"

#include <cstdint>
#include <cstring>

namespace phalanx::frames::csv {
namespace {

// Bytes of the character that begins there; 0 where none does. The Unicode Standard, table 3-7.
std::size_t length_of(const unsigned char* text, std::size_t left) {
  const unsigned lead = text[0];
  const std::size_t length = lead < 0xC2   ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || length > left)
    return 0;
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (text[1] < least || text[1] > most)
    return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((text[i] & 0xC0U) != 0x80)
      return 0;
  }
  return length;
}

}  // namespace

std::size_t end_of_utf8(const char* text, std::size_t size) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text);
  for (std::size_t at = 0; at < size;) {
    std::uint64_t word = 0;
    if (size - at >= sizeof word) {
      std::memcpy(&word, text + at, sizeof word);
      if ((word & 0x8080808080808080) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const std::size_t length = bytes[at] < 0x80 ? 1 : length_of(bytes + at, size - at);
    if (length == 0)
      return at;
    at += length;
  }
  return size;
}

}  // namespace phalanx::frames::csv
