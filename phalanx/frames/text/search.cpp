// Texts that contain others: where, how often, at an end.
#include <algorithm>
#include <limits>

#include "phalanx/frames/text/find.h"
#include "phalanx/frames/text/slices.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"

namespace phalanx::frames {
namespace {

using text::Texts;

// Looks through the bytes of all rows as one text; what crosses the border of rows is passed over.
void mark_rows(
    const Texts& texts, std::int64_t row, std::int64_t last, std::string_view wanted, Flags& made) {
  const std::int64_t* const offsets = texts.offsets();
  const char* at = texts.bytes() + offsets[row];
  const char* const end = texts.bytes() + offsets[last];
  while (row < last) {
    const char* const found = text::find_bytes(at, end, wanted);
    if (found == end)
      return;
    const std::int64_t place = found - texts.bytes();
    while (offsets[row + 1] <= place) ++row;
    if (place + static_cast<std::int64_t>(wanted.size()) > offsets[row + 1]) {
      at = found + 1;
      continue;
    }
    made[row] = texts.is_missing(row) ? 0 : 1;
    ++row;
    at = texts.bytes() + offsets[row];
  }
}

// Characters before a byte of a text.
std::int64_t character_at(std::string_view text, const char* byte) {
  return text::count_characters(text.substr(0, static_cast<std::size_t>(byte - text.data())));
}

}  // namespace

Flags contains(runtime::Runtime& runtime, const Key& key, std::string_view wanted) {
  const Texts texts(key);
  Flags made(runtime, texts.rows());
  for_ranges(runtime, texts.rows(), [&](std::int64_t first, std::int64_t last) {
    if (wanted.empty()) {
      for (; first < last; ++first) made[first] = texts.is_missing(first) ? 0 : 1;
      return;
    }
    std::fill(made.data() + first, made.data() + last, std::uint8_t{0});
    mark_rows(texts, first, last, wanted, made);
  });
  return made;
}

Flags has_affix(
    runtime::Runtime& runtime,
    const Key& key,
    std::span<const std::string> affixes,
    bool at_start) {
  return text::compute_each<std::uint8_t>(runtime, Texts(key), [&](std::string_view text) {
    return std::ranges::any_of(affixes, [&](const std::string& affix) {
      return at_start ? text.starts_with(affix) : text.ends_with(affix);
    });
  });
}

Counts occurrences(runtime::Runtime& runtime, const Key& key, std::string_view wanted) {
  return text::compute_each<std::int64_t>(runtime, Texts(key), [&](std::string_view text) {
    if (wanted.empty())
      return text::count_characters(text) + 1;
    const char* at = text.data();
    const char* const end = at + text.size();
    std::int64_t count = 0;
    while ((at = text::find_bytes(at, end, wanted)) != end) {
      ++count;
      at += wanted.size();
    }
    return count;
  });
}

Counts positions(
    runtime::Runtime& runtime,
    const Key& key,
    std::string_view wanted,
    const TextSlice& within,
    bool takes_last) {
  const bool is_all = !within.last && within.first.value_or(0) == 0;
  const auto place = [&](std::string_view text) -> std::int64_t {
    const std::int64_t size = is_all ? 0 : text::count_characters(text);
    std::string_view part = text;
    std::int64_t first = 0;
    if (!is_all) {
      // As a slice, but what begins after the text contains not even the empty text.
      first = text::clamped(within.first.value_or(0), size);
      const std::int64_t last = text::clamped(within.last.value_or(size), size);
      if (within.first.value_or(0) > size || first > last)
        return -1;
      const std::size_t begin = text::byte_of_character(text, first);
      part = text.substr(begin, text::byte_of_character(text.substr(begin), last - first));
    }
    const char* const end = part.data() + part.size();
    if (wanted.empty())
      return takes_last ? first + text::count_characters(part) : first;
    if (wanted.size() > part.size())
      return -1;
    const char* const begin =
        part.data();  // NOLINT(bugprone-suspicious-stringview-data-usage): up to `end`
    const char* const found = takes_last ? text::find_last_bytes(begin, end, wanted)
                                         : text::find_bytes(begin, end, wanted);
    if (found == nullptr || found == end)
      return -1;
    return first + character_at(part, found);
  };
  return text::compute_each<std::int64_t>(runtime, Texts(key), place);
}

}  // namespace phalanx::frames
