// Characters that become others: cases, and tables of users.
#include <atomic>

#include "phalanx/frames/text/ascii.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"

namespace phalanx::frames {
namespace {

using text::Appender;
using text::Texts;

void map_bytes(const std::uint8_t* map, std::string_view from, char* to) {
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = static_cast<char>(map[static_cast<std::uint8_t>(from[i])]);
}

bool is_turn(const std::uint8_t* map, char first) {
  for (std::uint8_t i = 0; i < 128; ++i) {
    const bool is_letter = static_cast<std::uint8_t>(i - first) < 26;
    if (map[i] != (is_letter ? i ^ 0x20U : i))
      return false;
  }
  return true;
}

// Maps that turn the case of all letters have loops of their own.
class AsciiMap {
 public:
  explicit AsciiMap(const std::uint8_t* map)
      : map_(map), is_upper_(is_turn(map, 'a')), is_lower_(is_turn(map, 'A')) {}

  void run(std::string_view from, char* to) const {
    if (is_upper_)
      text::to_upper_ascii(from.data(), from.size(), to);
    else if (is_lower_)
      text::to_lower_ascii(from.data(), from.size(), to);
    else
      map_bytes(map_, from, to);
  }

 private:
  const std::uint8_t* map_;
  bool is_upper_;
  bool is_lower_;
};

bool append_mapped(std::string_view text, const CaseRule& rule, Appender& appender) {
  const char* at = text.data();
  const char* const end = at + text.size();
  bool is_initial = rule.initials != Initials::none;
  while (at != end) {
    const char* const begin = at;
    const char32_t character = text::next_character(at, end);
    if (character == rule.left_out && rule.left_out != 0)
      return false;
    const CharacterMap& map = is_initial ? *rule.initial : *rule.other;
    const std::string_view* const found = map.find(character);
    appender.append(found != nullptr ? *found : std::string_view(begin, at));
    if (rule.initials == Initials::words)
      is_initial = !rule.in_words->contains(character);
    else
      is_initial = false;
  }
  return true;
}

// ASCII text by the maps' tables of bytes. `to` has room.
void map_ascii(std::string_view text, const CaseRule& rule, const AsciiMap& other, char* to) {
  if (rule.initials != Initials::words) {
    other.run(text, to);
    if (rule.initials == Initials::first && !text.empty())
      to[0] = static_cast<char>(rule.initial->ascii()[static_cast<std::uint8_t>(text[0])]);
    return;
  }
  const std::uint8_t* const maps[] = {rule.other->ascii(), rule.initial->ascii()};
  bool is_initial = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    to[i] = static_cast<char>(maps[is_initial ? 1 : 0][byte]);
    is_initial = !rule.in_words->contains(byte);
  }
}

bool has_ascii_maps(const CaseRule& rule) {
  return rule.other->ascii() != nullptr &&
         (rule.initial == nullptr || rule.initial->ascii() != nullptr);
}

// All texts at once where all bytes are ASCII and no text's first character is another's; the
// texts stay where they are. False, and no result, where a byte is not ASCII.
bool map_whole(
    runtime::Runtime& runtime, const Texts& texts, const AsciiMap& map, WrittenTexts& made) {
  const std::int64_t first_byte = texts.offsets()[0];
  const std::int64_t size = text::bytes_of(texts);
  made.bytes = Memory<char>(runtime, size);
  std::atomic<bool> fits{true};
  for_ranges(runtime, size, [&](std::int64_t first, std::int64_t last) {
    constexpr std::int64_t at_once = 1 << 15;  // stays in the first cache between check and map
    for (; first < last && fits; first += at_once) {
      const char* const from = texts.bytes() + first_byte + first;
      const auto count = static_cast<std::size_t>(std::min(at_once, last - first));
      if (text::are_ascii(from, count))
        map.run({from, count}, made.bytes.data() + first);
      else
        fits = false;
    }
  });
  if (!fits)
    return false;
  made.offsets = Memory<std::int64_t>(runtime, texts.rows() + 1);
  for_ranges(runtime, texts.rows() + 1, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row) made.offsets[row] = texts.offsets()[row] - first_byte;
  });
  return true;
}

}  // namespace

WrittenTexts map_characters(runtime::Runtime& runtime, const Key& key, const CaseRule& rule) {
  const Texts texts(key);
  const bool has_maps = has_ascii_maps(rule);
  static constexpr std::uint8_t none[128] = {};
  const AsciiMap other(has_maps ? rule.other->ascii() : none);
  if (has_maps && rule.initials == Initials::none) {
    WrittenTexts made;
    if (map_whole(runtime, texts, other, made))
      return made;
  }
  return text::write_each(runtime, texts, [&](std::string_view text, Appender& appender) {
    if (!has_maps || !text::is_ascii(text))
      return append_mapped(text, rule, appender);
    const auto size = static_cast<std::int64_t>(text.size());
    map_ascii(text, rule, other, appender.reserve(size));
    appender.advance(size);
    return true;
  });
}

}  // namespace phalanx::frames
