// The text of a printed line, as Op::print has it: {} is a value as Python shows it, {%8.2f} a
// value by that conversion of C's printf, {{ and }} are braces, and {%} last says that the line
// goes on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace phalanx {

struct PrintPart {
  enum class Kind { text, value, converted };
  Kind kind;
  std::string text;  // the text; the conversion, such as %8.2f
};

struct PrintFormat {
  std::vector<PrintPart> parts;
  bool ends_line = true;
};

PrintFormat parse_print_format(std::string_view text);
std::size_t count_values(const PrintFormat& format);

// The conversion of 64-bit integers that corresponds to one of C's: %5d becomes %5lld.
std::string widened_conversion(std::string_view conversion);
// True for those that take a double.
bool is_float_conversion(std::string_view conversion);

}  // namespace phalanx
