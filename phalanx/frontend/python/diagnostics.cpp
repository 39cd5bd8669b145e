#include "phalanx/frontend/python/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

#include "phalanx/base/source_text.h"

namespace phalanx::frontend::python {
namespace {

// Messages are written for kernels; those of CPU functions speak of functions.
std::string in_words_of(CodeKind kind, std::string_view text) {
  std::string renamed(text);
  if (kind != CodeKind::function)
    return renamed;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> words = {{
      {"in a kernel", "in a compiled function"},
      {"outside of the kernel", "outside of the function"},
      {"Kernels cannot", "Compiled functions cannot"},
      {"kernels cannot", "compiled functions cannot"},
  }};
  for (const auto& [kernel, function] : words) {
    if (const std::size_t at = renamed.find(kernel); at != std::string::npos)
      renamed.replace(at, kernel.size(), function);
  }
  return renamed;
}

}  // namespace

std::string Diagnostics::file_and_line(Location where) const {
  return file_->path + ":" + std::to_string(where.line);
}

Warning Diagnostics::warning(Warning::Kind kind, Location where, std::string text) const {
  return {
      .kind = kind,
      .text = std::move(text),
      .file = file_->path,
      .line = where.line,
      .source_line = line_text(where)};
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
    Location where, std::string_view text, std::string_view advice) const {
  return describe_at(
      *file_, where, function(), in_words_of(kind_, text), in_words_of(kind_, advice));
}

std::string Diagnostics::render_call(Location where, std::string_view message) const {
  // The location comes first, then the source line and its caret, what went wrong, then the
  // callers.
  const std::string_view location_of_error = message.substr(0, message.find(": in "));
  std::string_view rest = message.substr(0, message.find("\n  called from "));
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
    if (line.ends_with('^') && line.find_first_not_of(" \t^") == std::string_view::npos)
      return rest.find("\n  found in ") == std::string_view::npos
                 ? render(where, rest, "  found in " + std::string(location_of_error))
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
