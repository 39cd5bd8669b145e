// Decimals as floats and as texts, and back.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/frames/decimals/wide.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/text/texts.h"

namespace phalanx::frames {
namespace {

using namespace decimals;  // NOLINT(google-build-using-namespace)
using text::Appender;
using text::Texts;

constexpr std::int64_t longest_decimal = 48;  // 39 digits, sign, point, zeros, exponent
// Whole numbers up to the first, and powers of ten up to the second, are floats as they are.
constexpr std::int64_t most_exact = std::int64_t{1} << std::numeric_limits<double>::digits;
constexpr int most_exact_power = 22;

// Writes the digits of a number without its sign, at least one of them.
char* write_digits(UInt128 value, char* to) {
  char digits[longest_decimal];
  char* at = digits + longest_decimal;
  do {
    *--at = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  return std::copy(at, digits + longest_decimal, to);
}

// Exponents are written where the point would be too far left, as Python does.
char* write_decimal(Int128 value, int scale, char* to) {
  char digits[longest_decimal];
  const auto count = static_cast<int>(write_digits(magnitude(value), digits) - digits);
  if (value < 0)
    *to++ = '-';
  const int exponent = count - 1 - scale;
  if (exponent < -6) {
    *to++ = digits[0];
    if (count > 1)
      *to++ = '.';
    to = std::copy(digits + 1, digits + count, to);
    *to++ = 'E';
    return std::to_chars(to, to + 8, exponent).ptr;
  }
  const int whole = count - scale;
  if (whole <= 0)
    *to++ = '0';
  else
    to = std::copy(digits, digits + whole, to);
  if (scale == 0)
    return to;
  *to++ = '.';
  to = std::fill_n(to, std::max(-whole, 0), '0');
  return std::copy(digits + std::max(whole, 0), digits + count, to);
}

double float_of(Int128 value, int scale) {
  if (magnitude(value) <= static_cast<UInt128>(most_exact) && scale <= most_exact_power)
    return static_cast<double>(value) /
           static_cast<double>(powers_of_ten[static_cast<std::size_t>(scale)]);
  char text[2 * longest_decimal];
  char* to = text;
  if (value < 0)
    *to++ = '-';
  to = write_digits(magnitude(value), to);
  *to++ = 'e';
  to = std::to_chars(to, text + sizeof text, -scale).ptr;
  double made = 0;
  std::from_chars(text, to, made);
  return made;
}

// What a text of a decimal says: its digits, and how many are after the point.
struct ReadDecimal {
  Int128 value = 0;
  int scale = 0;
};

// False for more digits than a decimal has.
bool add_digit(char c, ReadDecimal& read) {
  return !__builtin_mul_overflow(read.value, Int128{10}, &read.value) &&
         !__builtin_add_overflow(read.value, Int128{c - '0'}, &read.value);
}

bool read_exponent(std::string_view text, ReadDecimal& read) {
  if (text.starts_with('+'))
    text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  constexpr int widest = 1000;
  if (error != std::errc() || end != text.data() + text.size() || std::abs(exponent) > widest)
    return false;
  read.scale -= exponent;
  return true;
}

bool read_text(std::string_view text, ReadDecimal& read) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+'))
    text.remove_prefix(1);
  bool is_fraction = false;
  int digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !is_fraction) {
      is_fraction = true;
      continue;
    }
    if ((c == 'e' || c == 'E') && digits != 0) {
      if (!read_exponent(text.substr(i + 1), read))
        return false;
      break;
    }
    if (c < '0' || c > '9' || !add_digit(c, read))
      return false;
    ++digits;
    read.scale += is_fraction ? 1 : 0;
  }
  if (is_negative)
    read.value = -read.value;
  return digits != 0;
}

// False where digits would be lost, or there are too many.
bool rescale(ReadDecimal& read, int scale, int precision) {
  const int power = scale - read.scale;
  if (read.value == 0)
    return true;
  if (std::abs(power) > most_digits)
    return false;
  const Int128 factor = power_of_ten(std::abs(power));
  if (power >= 0)
    return !__builtin_mul_overflow(read.value, factor, &read.value) && fits(read.value, precision);
  const bool is_exact = read.value % factor == 0;
  read.value /= factor;
  return is_exact && fits(read.value, precision);
}

bool read_float(double value, int scale, int precision, ReadDecimal& read) {
  if (!(std::abs(value) < 1e39))
    return false;
  char text[2 * longest_decimal];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, scale).ptr;
  return read_text({text, static_cast<std::size_t>(end - text)}, read) &&
         rescale(read, scale, precision);
}

// Calls `read(row, decimal)` for the rows that are there; it returns whether there is one.
template <typename Read>
MadeDecimals made_of(
    runtime::Runtime& runtime, std::int64_t rows, const std::uint8_t* valid, const Read& read) {
  MadeDecimals made = {Memory<std::int64_t>(runtime, 2 * rows)};
  Failure failure;
  for_ranges(runtime, rows, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row) {
      ReadDecimal decimal;
      if ((valid == nullptr || valid[row] != 0) && !read(row, decimal))
        failure.add(row);
      store(made.words.data(), row, decimal.value);
    }
  });
  made.failed = failure.row();
  return made;
}

}  // namespace

Memory<double> decimals_to_floats(runtime::Runtime& runtime, const Decimals& decimals, int scale) {
  power_of_ten(scale);
  Memory<double> made(runtime, decimals.rows);
  for_ranges(runtime, decimals.rows, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row)
      made[row] = is_there(decimals, row) ? float_of(load(decimals.words, row), scale)
                                          : std::numeric_limits<double>::quiet_NaN();
  });
  return made;
}

MadeDecimals floats_to_decimals(
    runtime::Runtime& runtime, const Column& floats, int scale, int precision) {
  if (floats.dtype != DType::float64)
    throw TypeError("decimals are made of float64");
  power_of_ten(scale);
  power_of_ten(precision);
  const auto* const values = static_cast<const double*>(floats.values);
  const auto read = [&](std::int64_t row, ReadDecimal& decimal) {
    return read_float(values[row], scale, precision, decimal);
  };
  return made_of(runtime, floats.rows, floats.valid, read);
}

WrittenTexts write_decimals(runtime::Runtime& runtime, const Decimals& decimals, int scale) {
  power_of_ten(scale);
  const auto write = [&](std::int64_t row, Appender& appender) {
    if (!is_there(decimals, row))
      return true;
    char* const to = appender.reserve(2 * longest_decimal);
    appender.advance(write_decimal(load(decimals.words, row), scale, to) - to);
    return true;
  };
  return text::write_texts(runtime, decimals.rows, 8 * decimals.rows, write);
}

MadeDecimals read_decimals(runtime::Runtime& runtime, const Key& key, int scale, int precision) {
  power_of_ten(scale);
  power_of_ten(precision);
  const Texts texts(key);
  const auto read = [&](std::int64_t row, ReadDecimal& decimal) {
    return read_text(texts[row], decimal) && rescale(decimal, scale, precision);
  };
  return made_of(runtime, texts.rows(), key.column.valid, read);
}

}  // namespace phalanx::frames
