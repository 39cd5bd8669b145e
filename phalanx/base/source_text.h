// Lines of a source file, as error messages show them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phalanx/base/source.h"

namespace phalanx {

// "" where the line is not in the text that we have.
std::string_view text_of_line(const SourceFile& file, std::uint32_t line);

// A line of a program as messages show it.
struct Excerpt {
  std::string path;
  std::uint32_t line = 0;
  std::string function;     // "kernel scale"
  std::string source_line;  // as written; "" if it is not known
  std::string caret;        // `^` below the columns of the location
};

Excerpt excerpt_at(const SourceFile& file, const Location& where, std::string_view function);

// "file:line: in kernel scale", the source line and its caret.
std::string to_string(const Excerpt& excerpt);

}  // namespace phalanx
