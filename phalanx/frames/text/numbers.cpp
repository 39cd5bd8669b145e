// Numbers as texts, and texts as numbers, by Python's rules.
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/text/texts.h"

namespace phalanx::frames {
namespace {

using text::Appender;
using text::Texts;

constexpr std::int64_t longest_number = 32;  // characters: 17 digits, sign, point, exponent
constexpr int fixed_below = 16;              // Python writes greater exponents, and those
constexpr int fixed_from = -4;               // less than this, as exponents

template <std::integral T>
char* write_number(T value, char* to) {
  return std::to_chars(to, to + longest_number, value).ptr;
}

char* write_zeros(char* to, int count) {
  for (; count > 0; --count) *to++ = '0';
  return to;
}

// Digits d1d2d3... of d1.d2d3... times ten to the power of `exponent`.
char* write_fixed(std::string_view digits, int exponent, char* to) {
  const int count = static_cast<int>(digits.size());
  if (exponent < 0) {
    *to++ = '0';
    *to++ = '.';
    to = write_zeros(to, -exponent - 1);
    return digits.copy(to, digits.size()) + to;
  }
  const int whole = exponent + 1;
  if (count <= whole) {
    to += digits.copy(to, digits.size());
    to = write_zeros(to, whole - count);
    *to++ = '.';
    *to++ = '0';
    return to;
  }
  to += digits.copy(to, static_cast<std::size_t>(whole));
  *to++ = '.';
  return digits.substr(static_cast<std::size_t>(whole)).copy(to, digits.size()) + to;
}

// The shortest digits that round to the same number, as Python's repr and NumPy's scalars.
template <std::floating_point T>
char* write_number(T value, char* to) {
  if (!std::isfinite(value)) {
    const std::string_view name = std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    return name.copy(to, name.size()) + to;
  }
  if (std::signbit(value)) {
    *to++ = '-';
    value = -value;
  }
  char scientific[longest_number];
  const char* const end =
      std::to_chars(scientific, scientific + longest_number, value, std::chars_format::scientific)
          .ptr;
  const char* const mark = std::find(static_cast<const char*>(scientific), end, 'e');
  int exponent = 0;
  std::from_chars(mark[1] == '+' ? mark + 2 : mark + 1, end, exponent);
  if (exponent >= fixed_below || exponent < fixed_from) {
    const auto size = static_cast<std::size_t>(end - scientific);
    std::memcpy(to, scientific, size);
    return to + size;
  }
  char digits[longest_number];
  char* last = digits;
  for (const char* at = scientific; at != mark; ++at)
    if (*at != '.')
      *last++ = *at;
  return write_fixed({digits, last}, exponent, to);
}

char* write_truth(bool value, char* to) {
  const std::string_view name = value ? "True" : "False";
  return name.copy(to, name.size()) + to;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes off a sign that `from_chars` does not read; false where a second one follows.
bool take_plus(std::string_view& text) {
  if (!text.starts_with('+'))
    return true;
  text.remove_prefix(1);
  return !text.starts_with('+') && !text.starts_with('-');
}

// What Python's int() reads too; others, as those with blanks or underscores, are left to it.
template <std::integral T>
bool read_number(std::string_view text, T& value) {
  if (!take_plus(text))
    return false;
  const bool has_digits =
      !text.empty() && (is_digit(text[0]) || (text.size() > 1 && is_digit(text[1])));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return has_digits && error == std::errc() && end == text.data() + text.size();
}

template <std::floating_point T>
bool read_number(std::string_view text, T& value) {
  if (!take_plus(text))
    return false;
  for (const char c : text)
    if (!is_digit(c) && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E')
      return false;
  double read = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  value = static_cast<T>(read);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

WrittenTexts write_numbers(runtime::Runtime& runtime, const Column& numbers) {
  check_column(numbers);
  return with_type(numbers.dtype, [&]<typename T>(T) {
    const T* const values = static_cast<const T*>(numbers.values);
    const auto write = [&](std::int64_t row, Appender& appender) {
      if (numbers.valid != nullptr && numbers.valid[row] == 0)
        return true;
      char* const to = appender.reserve(longest_number);
      const char* const end = numbers.dtype == DType::boolean ? write_truth(values[row] != T{}, to)
                                                              : write_number(values[row], to);
      appender.advance(end - to);
      return true;
    };
    return text::write_texts(runtime, numbers.rows, 8 * numbers.rows, write);
  });
}

ReadNumbers read_numbers(runtime::Runtime& runtime, const Key& key, DType dtype) {
  if (!is_integer(dtype) && dtype != DType::float32 && dtype != DType::float64)
    throw TypeError("texts are read as integers, float32 or float64");
  const Texts texts(key);
  const Parts parts(runtime, texts.rows(), 4);
  std::vector<std::vector<std::int64_t>> left_out(static_cast<std::size_t>(parts.count()));
  const auto item = static_cast<std::int64_t>(size_of(dtype));
  ReadNumbers made = {Memory<std::byte>(runtime, texts.rows() * item), {}};
  with_type(dtype, [&]<typename T>(T) {
    T* const values = reinterpret_cast<T*>(made.values.data());
    for_each_task(runtime, parts.count(), [&](std::int64_t part) {
      for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row) {
        values[row] = T{};
        if (!texts.is_missing(row) && !read_number(texts[row], values[row]))
          left_out[static_cast<std::size_t>(part)].push_back(row);
      }
    });
  });
  for (const std::vector<std::int64_t>& each : left_out)
    made.left_out.insert(made.left_out.end(), each.begin(), each.end());
  return made;
}

}  // namespace phalanx::frames
