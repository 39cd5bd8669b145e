// Texts made longer: filled up, repeated, with parts replaced.
#include <algorithm>

#include "phalanx/frames/text/find.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"

namespace phalanx::frames {
namespace {

using text::Appender;
using text::Texts;

// Python's str.center puts the odd character on the left of texts of odd widths.
std::int64_t left_of_center(std::int64_t padding, std::int64_t width) {
  return padding / 2 + (padding & width & 1);
}

void append_padded(std::string_view text, const Padding& padding, Appender& appender) {
  const std::int64_t missing = padding.width - text::count_characters(text);
  if (missing <= 0) {
    appender.append(text);
    return;
  }
  if (!padding.on_left && !padding.on_right) {
    const bool has_sign = text.starts_with('-') || text.starts_with('+');
    appender.append(text.substr(0, has_sign ? 1 : 0));
    appender.append(padding.fill, missing);
    appender.append(text.substr(has_sign ? 1 : 0));
    return;
  }
  std::int64_t left = padding.on_left ? missing : 0;
  if (padding.on_left && padding.on_right)
    left = left_of_center(missing, padding.width);
  appender.append(padding.fill, left);
  appender.append(text);
  appender.append(padding.fill, missing - left);
}

void append_between(
    std::string_view text, std::string_view replacement, std::int64_t most, Appender& appender) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; most != 0; --most) {
    appender.append(replacement);
    if (at == end)
      return;
    const char* const begin = at;
    text::next_character(at, end);
    appender.append({begin, at});
  }
  appender.append({at, end});
}

void append_replaced(
    std::string_view text,
    std::string_view wanted,
    std::string_view replacement,
    std::int64_t most,
    Appender& appender) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; most != 0; --most) {
    const char* const found = text::find_bytes(at, end, wanted);
    if (found == end)
      break;
    appender.append({at, found});
    appender.append(replacement);
    at = found + wanted.size();
  }
  appender.append({at, end});
}

}  // namespace

WrittenTexts pad_texts(runtime::Runtime& runtime, const Key& key, const Padding& padding) {
  return text::write_each(runtime, Texts(key), [&](std::string_view text, Appender& appender) {
    append_padded(text, padding, appender);
    return true;
  });
}

WrittenTexts repeat_texts(runtime::Runtime& runtime, const Key& key, std::int64_t times) {
  return text::write_each(runtime, Texts(key), [&](std::string_view text, Appender& appender) {
    if (!text.empty())
      appender.append(text, times);
    return true;
  });
}

WrittenTexts replace_text(
    runtime::Runtime& runtime,
    const Key& key,
    std::string_view wanted,
    std::string_view replacement,
    std::int64_t most) {
  return text::write_each(runtime, Texts(key), [&](std::string_view text, Appender& appender) {
    if (wanted.empty())
      append_between(text, replacement, most, appender);
    else
      append_replaced(text, wanted, replacement, most, appender);
    return true;
  });
}

}  // namespace phalanx::frames
