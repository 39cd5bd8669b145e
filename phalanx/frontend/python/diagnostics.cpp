#include "phalanx/frontend/python/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

namespace phalanx::frontend::python {
namespace {

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

// Columns are bytes of UTF-8: the caret stands below characters.
std::size_t characters(std::string_view bytes) {
  return static_cast<std::size_t>(std::ranges::count_if(
      bytes, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string caret_line(std::string_view line, Location where) {
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

// Messages are written for kernels; those of CPU functions speak of functions.
std::string in_words_of(CodeKind kind, std::string_view text) {
  std::string told(text);
  if (kind != CodeKind::function)
    return told;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> words = {{
      {"in a kernel", "in a compiled function"},
      {"outside of the kernel", "outside of the function"},
      {"Kernels cannot", "Compiled functions cannot"},
      {"kernels cannot", "compiled functions cannot"},
  }};
  for (const auto& [kernel, function] : words) {
    if (const std::size_t at = told.find(kernel); at != std::string::npos)
      told.replace(at, kernel.size(), function);
  }
  return told;
}

}  // namespace

std::string Diagnostics::place(Location where) const {
  return file_->path + ":" + std::to_string(where.line);
}

std::string Diagnostics::line_text(Location where) const {
  std::string_view line = text_of_line(*file_, where.line);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::string(line);
}

std::string Diagnostics::function() const {
  constexpr std::array<std::string_view, 3> names = {"kernel ", "device function ", "function "};
  return std::string(names.at(static_cast<std::size_t>(kind_))) + function_;
}

std::string Diagnostics::render(
    Location where, std::string_view given, std::string_view advised) const {
  const std::string text = in_words_of(kind_, given);
  const std::string advice = in_words_of(kind_, advised);
  std::string message = place(where) + ": in " + function() + "\n";
  const std::string_view line = text_of_line(*file_, where.line);
  if (!line.empty())
    message += std::string(line) + "\n" + caret_line(line, where) + "\n";
  message += text;
  if (!advice.empty())
    message += "\n" + advice;
  return message;
}

std::string Diagnostics::render_call(Location where, std::string_view message) const {
  // The place comes first, then the source line and its caret, what went wrong, then the callers.
  const std::string_view place_of_error = message.substr(0, message.find(": in "));
  std::string_view rest = message.substr(0, message.find("\n  called from "));
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
    if (line.ends_with('^') && line.find_first_not_of(" \t^") == std::string_view::npos)
      return rest.find("\n  found in ") == std::string_view::npos
                 ? render(where, rest, "  found in " + std::string(place_of_error))
                 : render(where, rest);
  }
  return render(where, message);
}

void Diagnostics::typing(Location where, std::string_view text, std::string_view advice) const {
  throw CompileError(CompileError::Kind::typing, render(where, text, advice), where);
}

void Diagnostics::unsupported(
    Location where, std::string_view text, std::string_view advice) const {
  throw CompileError(CompileError::Kind::unsupported, render(where, text, advice), where);
}

}  // namespace phalanx::frontend::python
