#include "phalanx/frames/csv/dates.h"

#include <array>

#include "phalanx/frames/calendar.h"

namespace phalanx::frames::csv {
namespace {

constexpr std::array<std::int64_t, 4> units_of_second = {1, 1'000, 1'000'000, 1'000'000'000};

bool read_day(std::string_view text, std::int64_t& days) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-')
    return false;
  const int year = digits_at(text, 0, 4);
  const int month = digits_at(text, 5, 2);
  const int day = digits_at(text, 8, 2);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_of_month(year, month))
    return false;
  days = days_since_1970(year, month, day);
  return true;
}

// Reads the text after the day; false where it is no time.
bool read_seconds(std::string_view text, std::int64_t& seconds) {
  if (text.size() < 6 || text[3] != ':' || (text[0] != ' ' && text[0] != 'T'))
    return false;
  const int hours = digits_at(text, 1, 2);
  const int minutes = digits_at(text, 4, 2);
  const bool has_seconds = text.size() >= 9 && text[6] == ':';
  const int rest = has_seconds ? digits_at(text, 7, 2) : 0;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || rest < 0 || rest > 59)
    return false;
  seconds = hours * 3600 + minutes * 60 + rest;
  return text.size() == 6 || has_seconds;
}

bool is_in_range(std::int64_t seconds, std::int64_t per_second, std::int64_t& value) {
  return !__builtin_mul_overflow(seconds, per_second, &value);
}

}  // namespace

Date read_date(std::string_view text, TimeUnit unit) {
  std::int64_t days = 0;
  if (!read_day(text, days))
    return {};
  const std::int64_t per_second = units_of_second[static_cast<std::size_t>(unit)];
  Date date = {.form = 1};
  std::int64_t seconds = 0;
  std::int64_t billionths = 0;
  if (text.size() > 10) {
    if (!read_seconds(text.substr(10), seconds))
      return {};
    // The length tells minutes from seconds; a fraction of any length is one form.
    date.form = static_cast<DateForm>((text[10] == 'T' ? 8 : 2) + (text.size() > 16 ? 1 : 0));
  }
  if (text.size() > 19) {
    const std::size_t count = text.size() - 20;
    if (text[19] != '.' || count < 1 || count > 9)
      return {};
    billionths = digits_at(text, 20, count);
    if (billionths < 0)
      return {};
    for (std::size_t i = count; i < 9; ++i) billionths *= 10;
    date.needs_nanoseconds = count > 6;
    date.form = static_cast<DateForm>(date.form + 1);
  }
  if (!is_in_range(days * 86400 + seconds, per_second, date.value))
    return {};
  date.value += billionths / (units_of_second[3] / per_second);
  return date;
}

}  // namespace phalanx::frames::csv
