#include "phalanx/frontend/cuda_c/source_lines.h"

#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phalanx::frontend {

namespace {

using File = std::shared_ptr<const SourceFile>;

struct Directive {
  std::uint32_t line = 0;  // that the next one is
  std::string_view path;   // "": as before
};

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
}

// #line 12 "kernel.cu", or # 12 "kernel.cu" as preprocessors write it.
std::optional<Directive> directive_of(std::string_view text) {
  skip_spaces(text);
  if (!text.starts_with('#'))
    return std::nullopt;
  text.remove_prefix(1);
  skip_spaces(text);
  if (text.starts_with("line"))
    text.remove_prefix(4);
  skip_spaces(text);
  Directive found;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found.line);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  skip_spaces(text);
  if (text.starts_with('"'))
    found.path = text.substr(1, text.find('"', 1) - 1);
  return found;
}

// The lines of a text up to a directive.
struct Part {
  std::uint32_t first;  // in the text
  File file;
};

std::vector<Part> parts_of(const CudaCSource& source) {
  std::vector<Part> parts;
  std::string_view rest = source.text;
  SourceFile file = {.path = source.name, .text = {}, .first_line = 1};
  std::uint32_t first = 1;
  for (std::uint32_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end);
    const auto directive = directive_of(text);
    if (!directive) {
      file.text += text;
      continue;
    }
    parts.push_back({first, std::make_shared<const SourceFile>(file)});
    first = line + 1;
    file.text.clear();
    file.first_line = directive->line;
    if (!directive->path.empty())
      file.path = directive->path;
  }
  parts.push_back({first, std::make_shared<const SourceFile>(std::move(file))});
  return parts;
}

const Part& part_of(const std::vector<Part>& parts, std::uint32_t line) {
  std::size_t number = parts.size() - 1;
  while (number != 0 && parts[number].first > line) --number;
  return parts[number];
}

}  // namespace

void place_lines(ir::Module& module, const CudaCSource& source) {
  const std::vector<Part> parts = parts_of(source);
  for (const Part& part : parts) module.sources.push_back(part.file);
  for (const auto& function : module.functions) {
    ir::for_each(function->body, [&](ir::Operation& operation) {
      Location& location = operation.location;
      if (location.line == 0)
        return;
      const Part& part = part_of(parts, location.line);
      location.line += part.file->first_line - part.first;
      if (function->source == nullptr)
        function->source = part.file;
      if (function->source != part.file)
        location.file = part.file.get();
    });
    if (function->source == nullptr)
      function->source = parts.back().file;
  }
}

}  // namespace phalanx::frontend
