// UTF-8 as Python encodes it, halves of surrogate pairs included. Bytes are trusted to be that;
// what is not never reads past its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace phalanx::frames::text {

inline constexpr std::uint64_t high_bits = 0x8080808080808080;

inline std::uint64_t load_word(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

inline bool is_ascii(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  if (left >= 8) {
    std::uint64_t seen = load_word(at + left - 8);
    for (; left > 8; at += 8, left -= 8) seen |= load_word(at);
    return (seen & high_bits) == 0;
  }
  std::uint8_t seen = 0;
  for (; left != 0; --left, ++at) seen |= static_cast<std::uint8_t>(*at);
  return seen < 0x80;
}

inline bool is_continuation(char byte) { return (static_cast<std::uint8_t>(byte) & 0xC0U) == 0x80; }

// Bytes of the character that begins with this one.
inline std::size_t size_of_character(char first) {
  const auto byte = static_cast<std::uint8_t>(first);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// The character at `at`, which moves past it.
inline char32_t next_character(const char*& at, const char* end) {
  const auto first = static_cast<std::uint8_t>(*at++);
  if (first < 0x80)
    return first;
  const std::size_t more = size_of_character(static_cast<char>(first)) - 1;
  char32_t character = first & (0x3FU >> more);
  for (std::size_t i = 0; i < more && at != end && is_continuation(*at); ++i, ++at)
    character = character << 6U | (static_cast<std::uint8_t>(*at) & 0x3FU);
  return character;
}

// Bytes of a word that begin no character. Not popcount, which old CPUs have no instruction for.
inline std::int64_t continuations(std::uint64_t word) {
  const std::uint64_t found = (word & ~(word << 1U) & high_bits) >> 7U;
  return static_cast<std::int64_t>(found * 0x0101010101010101 >> 56U);
}

inline std::int64_t count_characters(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::int64_t others = 0;
  if (left >= 8) {
    for (; left > 8; at += 8, left -= 8) others += continuations(load_word(at));
    others += continuations(load_word(at + left - 8) >> (8 * (8 - left)));
  } else {
    for (; left != 0; --left, ++at) others += is_continuation(*at) ? 1 : 0;
  }
  return static_cast<std::int64_t>(text.size()) - others;
}

// The byte at which character number `count` begins; the size where there are not as many.
inline std::size_t byte_of_character(std::string_view text, std::int64_t count) {
  std::size_t at = 0;
  for (; at < text.size() && count > 0; --count) {
    do ++at;
    while (at < text.size() && is_continuation(text[at]));
  }
  return at;
}

// Where the last character begins. The text is not empty.
inline std::size_t last_character(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && is_continuation(text[at])) --at;
  return at;
}

}  // namespace phalanx::frames::text
