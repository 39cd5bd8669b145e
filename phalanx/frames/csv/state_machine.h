// Cuts records byte by byte, in every dialect, as the C engine of pandas does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

class StateMachine {
 public:
  enum class Step {
    record,   // its fields were appended; a blank line that is kept has none
    nothing,  // a line without a record: blank, a comment
    more,     // the text ends within a line, and the source does not
    end,
    failed
  };

  // Fields are appended to `fields`, a byte after each, and their ends to `ends`.
  StateMachine(const Dialect& dialect, std::string& fields, std::vector<std::uint32_t>& ends)
      : dialect_(dialect), fields_(fields), ends_(ends) {}

  // `at_end`: nothing follows the text in the source.
  void set_text(const char* text, std::size_t size, bool at_end) {
    text_ = text;
    size_ = size;
    at_end_ = at_end;
    place_ = 0;
  }

  // Takes the next line. After `more` and `failed` the place is anywhere.
  Step next();
  // Takes a line without its fields.
  Step skip();

  std::size_t place() const { return place_; }
  const std::string& problem() const { return problem_; }  // after `failed`

 private:
  enum class Ending { separator, line, text, failed };

  bool is_line_end(char c) const { return c == '\n' || c == '\r'; }
  bool is(char c, int mark) const { return static_cast<unsigned char>(c) == mark; }
  bool is_blank_line();
  Step end_line();
  Step skip_comment();
  Ending read_field();
  Ending read_plain();
  Ending read_quoted();
  Ending after_quote();
  Ending fail(const char* what);
  Step ended(Ending ending);

  const Dialect& dialect_;
  std::string& fields_;
  std::vector<std::uint32_t>& ends_;
  const char* text_ = nullptr;
  std::size_t size_ = 0;
  bool at_end_ = false;
  std::size_t place_ = 0;
  std::string problem_;
};

}  // namespace phalanx::frames::csv
