// Digits of a date and days of the calendar.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace phalanx::frames {

// Reads a number of that many digits; -1 where one of them is none. The text has them all.
inline int digits_at(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    const unsigned digit = static_cast<unsigned char>(text[i]) - unsigned{'0'};
    if (digit > 9)
      return -1;
    number = number * 10 + static_cast<int>(digit);
  }
  return number;
}

inline bool is_leap_year(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// `month` is 1 to 12.
inline int days_of_month(int year, int month) {
  constexpr std::array days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap_year(year) ? 1 : 0);
}

// Since 1970. H. Hinnant, chrono-Compatible Low-Level Date Algorithms: years begin with March.
inline std::int64_t days_since_1970(int year, int month, int day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t of_era = y - era * 400;
  const std::int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

}  // namespace phalanx::frames
