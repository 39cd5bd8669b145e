#include "phalanx/frames/csv/number_text.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>
#include <type_traits>

namespace phalanx::frames::csv {
namespace {

constexpr double power = 1e6;
constexpr int power_digits = 6;

char* write_digits(char* at, std::uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) {
    at[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return at + count;
}

// Numbers of up to six decimals and 15 digits. Decimals of so few digits are apart from each other
// as doubles, so one that reads the same is the shortest. Returns null for all others.
char* write_short(char* at, double value) {
  const double size = std::fabs(value);
  if (!(size < 1e9) || (size < 1e-4 && size != 0))
    return nullptr;
  const double scaled = std::nearbyint(size * power);
  if (scaled / power != size)
    return nullptr;
  if (std::signbit(value))
    *at++ = '-';
  const auto digits = static_cast<std::uint64_t>(scaled);
  at = write_integer(at, digits / static_cast<std::uint64_t>(power));
  *at++ = '.';
  char* end = write_digits(at, digits % static_cast<std::uint64_t>(power), power_digits);
  while (end > at + 1 && end[-1] == '0') --end;
  return end;
}

// The digits and the exponent of what to_chars writes as d.ddde+xx.
struct Shortest {
  char digits[24];
  int count = 0;
  int exponent = 0;
};

template <typename Float>
Shortest shortest_of(Float value) {
  char text[48];
  const auto end = std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific);
  Shortest made;
  const char* at = text;
  for (; *at != 'e'; ++at) {
    if (*at != '.')
      made.digits[made.count++] = *at;
  }
  ++at;
  if (*at == '+')
    ++at;
  std::from_chars(at, end.ptr, made.exponent);
  return made;
}

char* copy(char* at, const char* from, int count) {
  std::memcpy(at, from, static_cast<std::size_t>(count));
  return at + count;
}

char* fill_zeros(char* at, int count) {
  std::memset(at, '0', static_cast<std::size_t>(count));
  return at + count;
}

char* write_fixed(char* at, const Shortest& number) {
  const int whole = number.exponent + 1;
  if (whole <= 0) {
    at = copy(at, "0.", 2);
    at = fill_zeros(at, -whole);
    return copy(at, number.digits, number.count);
  }
  if (number.count <= whole) {
    at = copy(at, number.digits, number.count);
    at = fill_zeros(at, whole - number.count);
    return copy(at, ".0", 2);
  }
  at = copy(at, number.digits, whole);
  *at++ = '.';
  return copy(at, number.digits + whole, number.count - whole);
}

char* write_exponent(char* at, const Shortest& number) {
  *at++ = number.digits[0];
  if (number.count > 1) {
    *at++ = '.';
    at = copy(at, number.digits + 1, number.count - 1);
  }
  *at++ = 'e';
  *at++ = number.exponent < 0 ? '-' : '+';
  const int size = std::abs(number.exponent);
  return write_digits(at, static_cast<std::uint64_t>(size), size < 100 ? 2 : 3);
}

template <typename Float>
char* write_shortest(char* at, Float value) {
  if (std::isinf(value))
    return value < 0 ? copy(at, "-inf", 4) : copy(at, "inf", 3);
  if (std::signbit(value)) {
    *at++ = '-';
    value = -value;
  }
  if (value == 0)
    return copy(at, "0.0", 3);
  const Shortest number = shortest_of(value);
  // NumPy writes float32 so from 2.4 on: no digits that a float has not.
  constexpr int most = std::is_same_v<Float, double> ? 16 : 6;
  const bool is_fixed = number.exponent >= -4 && number.exponent < most;
  return is_fixed ? write_fixed(at, number) : write_exponent(at, number);
}

std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  const std::int64_t quotient = value / by;
  return quotient - static_cast<std::int64_t>(value % by < 0);
}

// Days since 1970 as a date of the Gregorian calendar, by eras of 400 years
// (https://howardhinnant.github.io/date_algorithms.html).
char* write_day(char* at, std::int64_t days) {
  days += 719468;
  const std::int64_t era = floor_divide(days, 146097);
  const std::int64_t of_era = days - era * 146097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t shifted = (5 * of_year + 2) / 153;  // March is 0
  const std::int64_t day = of_year - (153 * shifted + 2) / 5 + 1;
  const std::int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
  const std::int64_t full = year + era * 400 + static_cast<std::int64_t>(month <= 2);
  at = write_digits(at, static_cast<std::uint64_t>(full), 4);
  *at++ = '-';
  at = write_digits(at, static_cast<std::uint64_t>(month), 2);
  *at++ = '-';
  return write_digits(at, static_cast<std::uint64_t>(day), 2);
}

}  // namespace

char* write_integer(char* at, std::int64_t value) {
  return std::to_chars(at, at + longest_shortest, value).ptr;
}

char* write_integer(char* at, std::uint64_t value) {
  return std::to_chars(at, at + longest_shortest, value).ptr;
}

char* write_float(char* at, double value) {
  char* const end = write_short(at, value);
  return end != nullptr ? end : write_shortest(at, value);
}

char* write_float(char* at, float value) { return write_shortest(at, value); }

void append_formatted(Text& text, double value, const FloatFormat& format) {
  const auto form = format.conversion == 'f'   ? std::chars_format::fixed
                    : format.conversion == 'e' ? std::chars_format::scientific
                                               : std::chars_format::general;
  for (std::size_t room = 64;; room *= 2) {
    char* const at = text.reserve(room);
    const auto made = std::to_chars(at, at + room, value, form, format.precision);
    if (made.ec == std::errc()) {
      text.advance(static_cast<std::size_t>(made.ptr - at));
      return;
    }
  }
}

char* write_date(char* at, std::int64_t count, const DateFormat& format) {
  constexpr std::int64_t day = 86400;
  const std::int64_t seconds = floor_divide(count, format.per_second);
  const std::int64_t days = floor_divide(seconds, day);
  at = write_day(at, days);
  if (!format.has_time)
    return at;
  const auto of_day = static_cast<std::uint64_t>(seconds - days * day);
  *at++ = ' ';
  at = write_digits(at, of_day / 3600, 2);
  *at++ = ':';
  at = write_digits(at, of_day / 60 % 60, 2);
  *at++ = ':';
  at = write_digits(at, of_day % 60, 2);
  if (format.digits == 0)
    return at;
  *at++ = '.';
  const auto fraction = static_cast<std::uint64_t>(count - seconds * format.per_second);
  constexpr std::uint64_t nanoseconds = 1'000'000'000;
  std::uint64_t scale = nanoseconds;
  for (int i = 0; i < format.digits; ++i) scale /= 10;
  const std::uint64_t whole =
      fraction * (nanoseconds / static_cast<std::uint64_t>(format.per_second));
  return write_digits(at, whole / scale, format.digits);
}

}  // namespace phalanx::frames::csv
