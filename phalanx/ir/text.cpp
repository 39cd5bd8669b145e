#include "phalanx/ir/text.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace phalanx::ir {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string identifier_or_quoted(std::string_view text) {
  return is_identifier(text) ? std::string(text) : quoted(text);
}

namespace {

std::string float_to_string(double value, bool is_single) {
  if (std::isnan(value)) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto usual = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
    return bits == usual ? "nan" : fmt::format("0x{:016x}", bits);
  }
  const auto narrow = static_cast<float>(value);
  std::string text = is_single && static_cast<double>(narrow) == value ? fmt::format("{}", narrow)
                                                                       : fmt::format("{}", value);
  const bool is_plain = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_plain ? text + ".0" : text;
}

}  // namespace

std::string to_string(const Constant& value, DType dtype) {
  if (const auto* truth = std::get_if<bool>(&value))
    return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return is_unsigned(dtype) ? std::to_string(static_cast<std::uint64_t>(*number))
                              : std::to_string(*number);
  }
  const bool is_single = size_of(real_part_of(dtype)) <= size_of(DType::float32);
  if (const auto* number = std::get_if<double>(&value))
    return float_to_string(*number, is_single);
  const auto number = std::get<std::complex<double>>(value);
  return "(" + float_to_string(number.real(), is_single) + ", " +
         float_to_string(number.imag(), is_single) + ")";
}

}  // namespace phalanx::ir
