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

CompileError::Message Diagnostics::message(
    Location where, std::string_view sentence, std::string_view advice) const {
  return {
      .sentence = in_words_of(kind_, sentence),
      .advice = in_words_of(kind_, advice),
      .at = excerpt_at(*file_, where, function())};
}

CompileError Diagnostics::at_call(Location where, const CompileError& error) const {
  const CompileError::Message& inner = error.message();
  CompileError::Message told = message(where, inner.sentence, inner.advice);
  told.found_in = inner.found_in;
  if (told.found_in.empty() && inner.at)
    told.found_in = inner.at->path + ":" + std::to_string(inner.at->line);
  return {error.kind(), std::move(told)};
}

CompileError Diagnostics::with_caller(Location where, const CompileError& error) const {
  CompileError::Message told = error.message();
  told.callers.push_back(file_and_line(where) + " in " + function() + ": " + line_text(where));
  return {error.kind(), std::move(told)};
}

void Diagnostics::typing(Location where, std::string_view text, std::string_view advice) const {
  throw CompileError(CompileError::Kind::typing, message(where, text, advice));
}

void Diagnostics::unsupported(
    Location where, std::string_view text, std::string_view advice) const {
  throw CompileError(CompileError::Kind::unsupported, message(where, text, advice));
}

}  // namespace phalanx::frontend::python
