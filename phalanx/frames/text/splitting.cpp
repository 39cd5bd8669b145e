// Texts cut into their parts.
#include <algorithm>
#include <vector>

#include "phalanx/frames/text/find.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"

namespace phalanx::frames {
namespace {

using text::Texts;
using Parted = std::vector<std::string_view>;

void split_forward(std::string_view text, const TextSplit& split, Parted& parts) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::int64_t most = split.most; most != 0; --most) {
    const char* const found = text::find_bytes(at, end, split.separator);
    if (found == end)
      break;
    parts.emplace_back(at, found);
    at = found + split.separator.size();
  }
  parts.emplace_back(at, end);
}

void split_backward(std::string_view text, const TextSplit& split, Parted& parts) {
  const char* const begin = text.data();
  const char* end = begin + text.size();
  for (std::int64_t most = split.most; most != 0; --most) {
    if (static_cast<std::size_t>(end - begin) < split.separator.size())
      break;
    const char* const found = text::find_last_bytes(begin, end, split.separator);
    if (found == nullptr)
      break;
    parts.emplace_back(found + split.separator.size(), end);
    end = found;
  }
  parts.emplace_back(begin, end);
  std::ranges::reverse(parts);
}

const char* skip(const char* at, const char* end, const CharacterSet& set, bool is_in) {
  while (at != end) {
    const char* next = at;
    if (set.contains(text::next_character(next, end)) != is_in)
      return at;
    at = next;
  }
  return end;
}

const char* skip_back(const char* begin, const char* end, const CharacterSet& set, bool is_in) {
  while (begin != end) {
    const char* const last = begin + text::last_character({begin, end});
    const char* next = last;
    if (set.contains(text::next_character(next, end)) != is_in)
      return end;
    end = last;
  }
  return begin;
}

void split_words(std::string_view text, const TextSplit& split, Parted& parts) {
  const CharacterSet& spaces = *split.spaces;
  const char* const end = text.data() + text.size();
  const char* const begin =
      text.data();  // NOLINT(bugprone-suspicious-stringview-data-usage): up to `end`
  const char* at = skip(begin, end, spaces, true);
  for (std::int64_t most = split.most; at != end && most != 0; --most) {
    const char* const last = skip(at, end, spaces, false);
    parts.emplace_back(at, last);
    at = skip(last, end, spaces, true);
  }
  if (at != end)
    parts.emplace_back(at, end);  // with the blanks at its end
}

void split_words_back(std::string_view text, const TextSplit& split, Parted& parts) {
  const CharacterSet& spaces = *split.spaces;
  const char* const begin = text.data();
  const char* end = skip_back(begin, begin + text.size(), spaces, true);
  for (std::int64_t most = split.most; begin != end && most != 0; --most) {
    const char* const first = skip_back(begin, end, spaces, false);
    parts.emplace_back(first, end);
    end = skip_back(begin, first, spaces, true);
  }
  if (begin != end)
    parts.emplace_back(begin, end);
  std::ranges::reverse(parts);
}

void split_one(std::string_view text, const TextSplit& split, Parted& parts) {
  parts.clear();
  if (split.spaces != nullptr)
    (split.from_end ? split_words_back : split_words)(text, split, parts);
  else
    (split.from_end ? split_backward : split_forward)(text, split, parts);
}

// The parts of some rows, and how many each has.
struct Piece {
  text::Appender bytes;
  std::vector<std::int64_t> sizes;
  std::int64_t widest = 0;
};

void split_rows(
    const Texts& texts,
    const TextSplit& split,
    std::int64_t row,
    std::int64_t last,
    Memory<std::int64_t>& counts,
    Piece& piece) {
  Parted parts;
  for (; row < last; ++row) {
    parts.clear();
    if (!texts.is_missing(row))
      split_one(texts[row], split, parts);
    counts[row] = std::ssize(parts);
    piece.widest = std::max(piece.widest, counts[row]);
    for (const std::string_view each : parts) {
      piece.bytes.append(each);
      piece.sizes.push_back(std::ssize(each));
    }
  }
}

}  // namespace

SplitTexts split_texts(runtime::Runtime& runtime, const Key& key, const TextSplit& split) {
  const Texts texts(key);
  SplitTexts made = {Memory<std::int64_t>(runtime, texts.rows()), 0, {}};
  const Parts parts(runtime, texts.rows(), 4);
  std::vector<Piece> pieces;
  pieces.reserve(static_cast<std::size_t>(parts.count()));
  for (std::int64_t part = 0; part < parts.count(); ++part)
    pieces.push_back({text::Appender(runtime, text::bytes_of(texts) / parts.count() + 64), {}});
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    Piece& piece = pieces[static_cast<std::size_t>(part)];
    split_rows(texts, split, parts.begin(part), parts.end(part), made.counts, piece);
  });
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  for (const Piece& each : pieces) {
    count += std::ssize(each.sizes);
    bytes += each.bytes.size();
    made.widest = std::max(made.widest, each.widest);
  }
  made.parts = {Memory<std::int64_t>(runtime, count + 1), Memory<char>(runtime, bytes), {}};
  std::int64_t* offset = made.parts.offsets.data();
  std::int64_t end = *offset = 0;
  for (const Piece& each : pieces) {
    if (each.bytes.size() != 0)
      std::copy_n(each.bytes.data(), each.bytes.size(), made.parts.bytes.data() + end);
    for (const std::int64_t size : each.sizes) *++offset = end += size;
  }
  return made;
}

}  // namespace phalanx::frames
