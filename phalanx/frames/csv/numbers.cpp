#include "phalanx/frames/csv/numbers.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace phalanx::frames::csv {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the sign off.
bool take_minus(std::string_view& text) {
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative || (!text.empty() && text.front() == '+'))
    text.remove_prefix(1);
  return is_negative;
}

Whole read_digits(std::string_view text, int thousands, std::uint64_t& value) {
  if (text.empty() || !is_digit(text.front()))
    return Whole::invalid;
  bool is_too_large = false;
  value = 0;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) == thousands)
      continue;
    if (!is_digit(c))
      return Whole::invalid;
    is_too_large |= __builtin_mul_overflow(value, std::uint64_t{10}, &value);
    is_too_large |= __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value);
  }
  return is_too_large ? Whole::too_large : Whole::good;
}

bool equals_in_any_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

// The text with a point, without thousands' separators; empty where it is no number.
std::string in_common_format(std::string_view text, const NumberFormat& format) {
  std::string made;
  bool is_whole = true;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) == format.decimal) {
      made.push_back('.');
      is_whole = false;
    } else if (static_cast<unsigned char>(c) == format.thousands && is_whole) {
      if (made.empty() || !is_digit(made.back()))
        return {};
    } else if (c == '.') {
      return {};
    } else {
      is_whole &= is_digit(c);
      made.push_back(c);
    }
  }
  return made;
}

// True if the number, which is too large or too small for float64, is the former.
bool is_huge(std::string_view text) {
  const std::size_t letter = text.find_first_of("eE");
  if (letter != std::string_view::npos)
    return text[letter + 1] != '-';
  const std::size_t first = text.find_first_not_of("0.");
  return first < text.find('.');
}

bool read_common(std::string_view text, double& value) {
  const bool is_negative = take_minus(text);
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.'))
    return false;
  const char* const last = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `last` is its end.
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument)
    return false;
  if (error == std::errc::result_out_of_range)
    value = is_huge(text) ? std::numeric_limits<double>::infinity() : 0;
  if (is_negative)
    value = -value;
  return true;
}

}  // namespace

Whole read_int64(std::string_view text, const NumberFormat& format, std::int64_t& value) {
  text = without_blanks(text);
  const bool is_negative = take_minus(text);
  std::uint64_t magnitude = 0;
  const Whole found = read_digits(text, format.thousands, magnitude);
  if (found != Whole::good)
    return found;
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  if (magnitude > most - (is_negative ? 0 : 1))
    return Whole::too_large;
  value = static_cast<std::int64_t>(is_negative ? -magnitude : magnitude);
  return Whole::good;
}

Whole read_uint64(
    std::string_view text, const NumberFormat& format, std::uint64_t& value, bool& is_negative) {
  text = without_blanks(text);
  is_negative = take_minus(text);
  return read_digits(text, format.thousands, value);
}

bool read_float64(std::string_view text, const NumberFormat& format, double& value) {
  if (!text.empty() && !is_blank(text.front()) && !is_blank(text.back())) {
    std::string_view word = text;
    const bool is_negative = take_minus(word);
    if (equals_in_any_case(word, "inf") || equals_in_any_case(word, "infinity")) {
      const double infinity = std::numeric_limits<double>::infinity();
      value = is_negative ? -infinity : infinity;
      return true;
    }
  }
  text = without_blanks(text);
  if (format.is_common())
    return read_common(text, value);
  return read_common(in_common_format(text, format), value);
}

bool is_number(std::string_view text) {
  double value = 0;
  return read_float64(text, {}, value);
}

}  // namespace phalanx::frames::csv
