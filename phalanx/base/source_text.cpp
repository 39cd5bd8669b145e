#include "phalanx/base/source_text.h"

#include <algorithm>

namespace phalanx {

namespace {

// Columns are bytes of UTF-8: the caret is below characters.
std::size_t characters(std::string_view bytes) {
  return static_cast<std::size_t>(std::ranges::count_if(
      bytes, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

// What is below the line: `^` under the columns of the location.
std::string caret_line(std::string_view line, const Location& where) {
  const std::size_t start = std::min<std::size_t>(where.column, line.size());
  const std::size_t end =
      where.end_column > start ? std::min<std::size_t>(where.end_column, line.size()) : line.size();
  std::string text;
  for (const char byte : line.substr(0, start)) {
    if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U)
      text += byte == '\t' ? '\t' : ' ';
  }
  return text +
         std::string(std::max<std::size_t>(characters(line.substr(start, end - start)), 1), '^');
}

}  // namespace

std::string_view text_of_line(const SourceFile& file, std::uint32_t line) {
  if (line < file.first_line)
    return {};
  std::string_view rest = file.text;
  for (std::uint32_t skipped = file.first_line; skipped < line; ++skipped) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos)
      return {};
    rest.remove_prefix(end + 1);
  }
  return rest.substr(0, rest.find_first_of("\r\n"));
}

Excerpt excerpt_at(const SourceFile& file, const Location& where, std::string_view function) {
  const std::string_view line = text_of_line(file, where.line);
  return {
      .path = file.path,
      .line = where.line,
      .function = std::string(function),
      .source_line = std::string(line),
      .caret = line.empty() ? "" : caret_line(line, where)};
}

std::string to_string(const Excerpt& excerpt) {
  std::string text = excerpt.path + ":" + std::to_string(excerpt.line) + ": in " + excerpt.function;
  if (!excerpt.source_line.empty())
    text += "\n" + excerpt.source_line + "\n" + excerpt.caret;
  return text;
}

}  // namespace phalanx
