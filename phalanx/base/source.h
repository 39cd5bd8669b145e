// A location in the user's source, kept on every operation.
#pragma once

#include <cstdint>
#include <string>

namespace phalanx {

struct SourceFile;

struct Location {
  std::uint32_t line = 0;    // counted from 1; 0 means "no location known"
  std::uint32_t column = 0;  // counted from 0, as CPython's ast does
  std::uint32_t end_column = 0;
  const SourceFile* file = nullptr;  // null: the function's own; set where a call was inlined

  bool operator==(const Location&) const = default;
};

// A line of a file, where the text is not at hand.
struct SourceLine {
  std::string path = {};  // "" where it is not known
  std::int64_t line = 0;

  bool operator==(const SourceLine&) const = default;
};

// The text that locations of one function point into.
struct SourceFile {
  std::string path;              // as the user sees it in tracebacks
  std::string text;              // lines `first_line` and following, as written
  std::uint32_t first_line = 1;  // line number of the first line of `text`
};

}  // namespace phalanx
