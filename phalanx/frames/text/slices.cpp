// Parts of texts: slices, characters, what is between the ends.
#include "phalanx/frames/text/slices.h"

#include <optional>
#include <span>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"

namespace phalanx::frames {
namespace {

using text::Appender;
using text::Texts;

// The bytes of characters [first, last) without a look at the others, where both count from the
// start or the text is ASCII.
std::string_view forward_part(std::string_view text, const TextSlice& slice) {
  const std::int64_t first = slice.first.value_or(0);
  const bool from_start = first >= 0 && slice.last.value_or(0) >= 0;
  if (from_start && !text::is_ascii(text)) {
    const std::size_t begin = text::byte_of_character(text, first);
    text.remove_prefix(begin);
    if (!slice.last)
      return text;
    return text.substr(0, text::byte_of_character(text, *slice.last - first));
  }
  const bool is_ascii = from_start || text::is_ascii(text);
  const std::int64_t size =
      is_ascii ? static_cast<std::int64_t>(text.size()) : text::count_characters(text);
  const std::int64_t begin = text::clamped(first, size);
  const std::int64_t count = text::clamped(slice.last.value_or(size), size) - begin;
  if (count <= 0)
    return {};
  if (is_ascii)
    return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
  text.remove_prefix(text::byte_of_character(text, begin));
  return text.substr(0, text::byte_of_character(text, count));
}

std::int64_t bound(
    const std::optional<std::int64_t>& given,
    std::int64_t missing,
    std::int64_t size,
    bool forward) {
  if (!given)
    return missing;
  const std::int64_t place = *given < 0 ? *given + size : *given;
  return forward ? std::clamp<std::int64_t>(place, 0, size)
                 : std::clamp<std::int64_t>(place, -1, size - 1);
}

void append_steps(std::string_view text, const TextSlice& slice, Appender& appender) {
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size(); at += text::size_of_character(text[at]))
    begins.push_back(at);
  const std::int64_t size = std::ssize(begins);
  begins.push_back(text.size());
  const bool forward = slice.step > 0;
  std::int64_t at = bound(slice.first, forward ? 0 : size - 1, size, forward);
  const std::int64_t end = bound(slice.last, forward ? size : -1, size, forward);
  while (forward ? at < end : at > end) {
    const auto place = static_cast<std::size_t>(at);
    appender.append(text.substr(begins[place], begins[place + 1] - begins[place]));
    // A step may be greater than any position.
    if (forward ? slice.step >= end - at : slice.step <= end - at)
      return;
    at += slice.step;
  }
}

std::string_view stripped(
    std::string_view text, const CharacterSet& characters, bool at_start, bool at_end) {
  const char* at = text.data();
  const char* end = at + text.size();
  while (at_start && at != end) {
    const char* next = at;
    if (!characters.contains(text::next_character(next, end)))
      break;
    at = next;
  }
  while (at_end && at != end) {
    const char* const last = at + text::last_character({at, end});
    const char* next = last;
    if (!characters.contains(text::next_character(next, end)))
      break;
    end = last;
  }
  return {at, end};
}

}  // namespace

WrittenTexts slice_texts(runtime::Runtime& runtime, const Key& key, const TextSlice& slice) {
  if (slice.step == 0)
    throw ValueError("slice step cannot be zero");
  return text::write_each(runtime, Texts(key), [&](std::string_view text, Appender& appender) {
    if (slice.step == 1)
      appender.append(forward_part(text, slice));
    else
      append_steps(text, slice, appender);
    return true;
  });
}

WrittenTexts slice_each(
    runtime::Runtime& runtime,
    const Key& key,
    std::span<const std::int64_t> firsts,
    std::span<const std::int64_t> lasts) {
  const Texts texts(key);
  for (const auto bounds : {firsts, lasts})
    if (!bounds.empty() && std::ssize(bounds) != texts.rows())
      throw ValueError("bounds of slices are as many as there are rows");
  const auto at = [](std::span<const std::int64_t> bounds, std::int64_t row) {
    return bounds.empty() ? std::optional<std::int64_t>()
                          : std::optional(bounds[static_cast<std::size_t>(row)]);
  };
  const auto write = [&](std::int64_t row, Appender& appender) {
    if (!texts.is_missing(row))
      appender.append(forward_part(texts[row], {at(firsts, row), at(lasts, row), 1}));
    return true;
  };
  return text::write_texts(runtime, texts.rows(), text::bytes_of(texts), write);
}

TakenCharacters characters_at(runtime::Runtime& runtime, const Key& key, std::int64_t position) {
  const Texts texts(key);
  Flags there(runtime, texts.rows());
  const auto write = [&](std::int64_t row, Appender& appender) {
    there[row] = 0;
    if (texts.is_missing(row))
      return true;
    const std::string_view text = texts[row];
    std::int64_t place = position;
    if (place < 0)
      place += text::count_characters(text);
    if (place < 0)
      return true;
    const std::size_t begin = text::byte_of_character(text, place);
    if (begin >= text.size())
      return true;
    there[row] = 1;
    appender.append(text.substr(begin, text::size_of_character(text[begin])));
    return true;
  };
  WrittenTexts made = text::write_texts(runtime, texts.rows(), texts.rows(), write);
  return {std::move(made), std::move(there)};
}

WrittenTexts strip_texts(
    runtime::Runtime& runtime,
    const Key& key,
    const CharacterSet& characters,
    bool at_start,
    bool at_end) {
  return text::write_each(runtime, Texts(key), [&](std::string_view text, Appender& appender) {
    appender.append(stripped(text, characters, at_start, at_end));
    return true;
  });
}

WrittenTexts remove_affix(
    runtime::Runtime& runtime, const Key& key, std::string_view affix, bool at_start) {
  return text::write_each(runtime, Texts(key), [&](std::string_view text, Appender& appender) {
    if (at_start && text.starts_with(affix))
      text.remove_prefix(affix.size());
    else if (!at_start && text.ends_with(affix))
      text.remove_suffix(affix.size());
    appender.append(text);
    return true;
  });
}

}  // namespace phalanx::frames
