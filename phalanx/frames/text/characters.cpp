// Maps and sets of characters, and which texts have which.
#include <algorithm>
#include <limits>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/text/ascii.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"

namespace phalanx::frames {
namespace {

constexpr std::int64_t last_code_point = 0x10FFFF;

void check_characters(std::span<const std::int64_t> characters) {
  std::int64_t before = -1;
  for (const std::int64_t each : characters) {
    if (each <= before || each > last_code_point)
      throw ValueError(
          "characters are ascending code points, not " + std::to_string(each) + " after " +
          std::to_string(before));
    before = each;
  }
}

}  // namespace

CharacterMap::CharacterMap(
    std::span<const std::int64_t> characters,
    std::span<const std::int64_t> offsets,
    std::string_view bytes)
    : bytes_(bytes) {
  check_characters(characters);
  if (offsets.size() != characters.size() + 1 || offsets.front() != 0 ||
      !std::ranges::is_sorted(offsets) || offsets.back() != static_cast<std::int64_t>(bytes.size()))
    throw ValueError("a map has as many texts as characters, whose offsets do not decrease");
  for (std::size_t i = 0; i < 128; ++i) ascii_[i] = static_cast<std::uint8_t>(i);
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto character = static_cast<std::size_t>(characters[i]);
    const std::string_view text = std::string_view(bytes_).substr(
        static_cast<std::size_t>(offsets[i]),
        static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    texts_.push_back(text);
    const std::size_t page = character >> page_bits;
    if (page >= pages_.size())
      pages_.resize(page + 1, -1);
    if (pages_[page] < 0) {
      pages_[page] = static_cast<std::int32_t>(entries_.size() >> page_bits);
      entries_.resize(entries_.size() + page_size, -1);
    }
    entries_
        [(static_cast<std::size_t>(pages_[page]) << page_bits) + (character & (page_size - 1))] =
            static_cast<std::int32_t>(i);
    if (character >= 128)
      continue;
    if (text.size() == 1)
      ascii_[character] = static_cast<std::uint8_t>(text[0]);
    else
      is_simple_ = false;
  }
}

CharacterSet::CharacterSet(std::span<const std::int64_t> characters) {
  check_characters(characters);
  if (!characters.empty())
    bits_.resize(static_cast<std::size_t>(characters.back()) / 64 + 1);
  for (const std::int64_t each : characters) {
    const auto character = static_cast<std::size_t>(each);
    bits_[character / 64] |= std::uint64_t{1} << character % 64;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(2, bits_.size()); ++i) ascii_[i] = bits_[i];
}

bool CharacterSet::contains_beyond(char32_t character) const {
  const std::size_t word = character / 64;
  return word < bits_.size() && (bits_[word] >> character % 64 & 1U) != 0;
}

Flags all_in_set(runtime::Runtime& runtime, const Key& key, const CharacterSet& characters) {
  return text::compute_each<std::uint8_t>(runtime, text::Texts(key), [&](std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end)
      if (!characters.contains(text::next_character(at, end)))
        return false;
    return !text.empty();
  });
}

Flags any_in_set(
    runtime::Runtime& runtime,
    const Key& key,
    const CharacterSet& wanted,
    const CharacterSet& unwanted) {
  return text::compute_each<std::uint8_t>(runtime, text::Texts(key), [&](std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    bool found = false;
    while (at != end) {
      const char32_t character = text::next_character(at, end);
      if (unwanted.contains(character))
        return false;
      found = found || wanted.contains(character);
    }
    return found;
  });
}

Flags all_ascii(runtime::Runtime& runtime, const Key& key) {
  return text::compute_each<std::uint8_t>(runtime, text::Texts(key), text::is_ascii);
}

Counts lengths(runtime::Runtime& runtime, const Key& key) {
  const text::Texts texts(key);
  const std::int64_t* const offsets = texts.offsets();
  Counts made(runtime, texts.rows());
  const auto count_block = [&](std::int64_t first, std::int64_t count) {
    const std::int64_t last = first + count;
    const auto bytes = static_cast<std::size_t>(offsets[last] - offsets[first]);
    if (text::are_ascii(texts.bytes() + offsets[first], bytes))
      for (std::int64_t row = first; row < last; ++row) made[row] = offsets[row + 1] - offsets[row];
    else
      for (std::int64_t row = first; row < last; ++row)
        made[row] = text::count_characters(texts[row]);
    texts.clear_missing(first, last, made.data());
  };
  for_ranges(runtime, texts.rows(), [&](std::int64_t first, std::int64_t last) {
    for_blocks(first, last, count_block);
  });
  return made;
}

}  // namespace phalanx::frames
