// Names, strings and numbers as the IR's text spells them; shared by printer and parser.
#pragma once

#include <string>
#include <string_view>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Letters, digits, `_`, and every byte of a character outside ASCII.
constexpr bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Words not beginning with a digit.
constexpr bool is_identifier(std::string_view text) {
  if (text.empty() || is_digit(text.front()))
    return false;
  for (const char c : text) {
    if (!is_word(c))
      return false;
  }
  return true;
}

std::string quoted(std::string_view text);
std::string identifier_or_quoted(std::string_view text);

// A constant of type `dtype`, so that reading it back gives the same bits.
std::string to_string(const Constant& value, DType dtype);

}  // namespace phalanx::ir
