#include "phalanx/frames/date_texts.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/frames/calendar.h"
#include "phalanx/frames/parts.h"

namespace phalanx::frames {
namespace {

constexpr std::int64_t nat = std::numeric_limits<std::int64_t>::min();
constexpr std::string_view directives = "YymdHIMSfpbBaAjzZ";

// What a text says. Times of the day are of 24 hours; `half`: 0 before noon, 12 after it.
struct Fields {
  int year = 1900;
  int month = 1;
  int day = 1;
  int day_of_year = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int half = -1;
  int nanoseconds = 0;
  int digits = 0;
  std::int32_t offset = no_offset;
};

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

// A text and how far it is read. Methods return false, or -1, where it does not go on so.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool peek_digit() const { return !at_end() && is_digit(text_[at_]); }

  bool take(char letter) {
    if (at_end() || text_[at_] != letter)
      return false;
    ++at_;
    return true;
  }
  bool take_one_of(std::string_view letters) {
    if (at_end() || letters.find(text_[at_]) == std::string_view::npos)
      return false;
    ++at_;
    return true;
  }
  bool take_blanks() {
    const std::size_t first = at_;
    while (!at_end() && is_blank(text_[at_])) ++at_;
    return at_ > first;
  }
  int exactly(std::size_t count) {
    if (text_.size() - at_ < count)
      return -1;
    const int number = digits_at(text_, at_, count);
    if (number >= 0)
      at_ += count;
    return number;
  }
  // One or two digits, no more than `most`: a second one is left where both are more.
  int up_to(int most) {
    if (!peek_digit())
      return -1;
    int number = text_[at_++] - '0';
    if (peek_digit() && number * 10 + (text_[at_] - '0') <= most)
      number = number * 10 + (text_[at_++] - '0');
    return number;
  }
  // The letters are small ones.
  bool take_word(std::string_view word) {
    if (text_.size() - at_ < word.size())
      return false;
    for (std::size_t i = 0; i < word.size(); ++i)
      if (lower(text_[at_ + i]) != word[i])
        return false;
    at_ += word.size();
    return true;
  }
  // Digits of a second: nine count, `most` are taken.
  bool fraction(Fields& fields, int most) {
    int number = 0;
    int digits = 0;
    for (; peek_digit() && digits < most; ++at_, ++digits)
      if (digits < 9)
        number = number * 10 + (text_[at_] - '0');
    for (int i = digits; i < 9; ++i) number *= 10;
    fields.nanoseconds = number;
    fields.digits = digits;
    return digits > 0;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr std::array<std::string_view, 12> months = {
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december"};
constexpr std::array<std::string_view, 7> weekdays = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

// The number of a name from 0 on, -1 where there is none; a short one has three letters.
template <std::size_t N>
int name_of(Cursor& cursor, const std::array<std::string_view, N>& names, bool is_short) {
  for (std::size_t i = 0; i < N; ++i)
    if (cursor.take_word(is_short ? names[i].substr(0, 3) : names[i]))
      return static_cast<int>(i);
  return -1;
}

// +02:00, +0200, Z; with `hours_alone` +02 too.
bool read_offset(Cursor& cursor, Fields& fields, bool hours_alone) {
  if (cursor.take_one_of("Zz")) {
    fields.offset = 0;
    return true;
  }
  const bool is_negative = cursor.peek() == '-';
  if (!cursor.take_one_of("+-"))
    return false;
  const int hours = cursor.exactly(2);
  if (hours < 0)
    return false;
  const bool has_colon = cursor.take(':');
  int minutes = 0;
  if (has_colon || cursor.peek_digit() || !hours_alone)
    minutes = cursor.exactly(2);
  if (minutes < 0 || minutes > 59 || hours > 23)
    return false;
  const int seconds = hours * 3600 + minutes * 60;
  fields.offset = is_negative ? -seconds : seconds;
  return true;
}

bool read_zone_name(Cursor& cursor, Fields& fields) {
  if (!cursor.take_word("utc") && !cursor.take_word("gmt"))
    return false;
  fields.offset = 0;
  return true;
}

bool set(int& field, int number, int least = 0) {
  field = number;
  return number >= least;
}

// strptime's: 69 to 99 are of the last century.
bool read_short_year(Cursor& cursor, Fields& fields) {
  const int number = cursor.exactly(2);
  fields.year = number + (number < 69 ? 2000 : 1900);
  return number >= 0;
}

bool read_half(Cursor& cursor, Fields& fields) {
  fields.half = cursor.peek() == 'p' || cursor.peek() == 'P' ? 12 : 0;
  return cursor.take_word("am") || cursor.take_word("pm");
}

bool read_day_of_year(Cursor& cursor, Fields& fields) {
  int number = 0;
  int digits = 0;
  for (; digits < 3 && cursor.peek_digit(); ++digits) number = number * 10 + cursor.up_to(0);
  fields.day_of_year = number;
  return number >= 1 && number <= 366;
}

bool read_clock(char directive, Cursor& cursor, Fields& fields) {
  switch (directive) {
    case 'H':
      return set(fields.hour, cursor.up_to(23));
    case 'I':
      return set(fields.hour, cursor.up_to(12), 1);
    case 'M':
      return set(fields.minute, cursor.up_to(59));
    case 'S':
      return set(fields.second, cursor.up_to(61));
    case 'f':
      return cursor.fraction(fields, 9);
    case 'p':
      return read_half(cursor, fields);
    case 'z':
      return read_offset(cursor, fields, false);
    default:
      return read_zone_name(cursor, fields);
  }
}

bool read_directive(char directive, Cursor& cursor, Fields& fields) {
  switch (directive) {
    case 'Y':
      return set(fields.year, cursor.exactly(4));
    case 'y':
      return read_short_year(cursor, fields);
    case 'm':
      return set(fields.month, cursor.up_to(12), 1);
    case 'd':
      return set(fields.day, cursor.up_to(31), 1);
    case 'j':
      return read_day_of_year(cursor, fields);
    case 'b':
      return set(fields.month, name_of(cursor, months, true) + 1, 1);
    case 'B':
      return set(fields.month, name_of(cursor, months, false) + 1, 1);
    case 'a':
      return name_of(cursor, weekdays, true) >= 0;
    case 'A':
      return name_of(cursor, weekdays, false) >= 0;
    default:
      return read_clock(directive, cursor, fields);
  }
}

bool read_format(const DateFormat& format, std::string_view text, Fields& fields) {
  Cursor cursor(text);
  for (const DateFormat::Item item : format.items()) {
    const bool fits = item.directive == 0     ? cursor.take(item.literal)
                      : item.directive == ' ' ? cursor.take_blanks()
                                              : read_directive(item.directive, cursor, fields);
    if (!fits)
      return false;
  }
  return cursor.at_end();
}

// The rest of a time of the day after its hour: :MM:SS.f or MMSS.f, or a part of it.
bool read_iso_minutes(Cursor& cursor, Fields& fields) {
  const bool has_colons = cursor.take(':');
  if (!has_colons && !cursor.peek_digit())
    return true;
  fields.minute = has_colons ? cursor.up_to(99) : cursor.exactly(2);
  if (fields.minute < 0)
    return false;
  if (has_colons ? !cursor.take(':') : !cursor.peek_digit())
    return true;
  fields.second = has_colons ? cursor.up_to(99) : cursor.exactly(2);
  if (fields.second < 0 || fields.second > 59)
    return false;
  return !cursor.take('.') || cursor.fraction(fields, 1000);
}

bool read_iso_day(Cursor& cursor, Fields& fields, bool& is_short) {
  fields.year = cursor.exactly(4);
  if (fields.year < 0)
    return false;
  const char separator = cursor.peek();
  const bool is_separated = cursor.take_one_of("-/.");
  is_short = true;
  if (!is_separated && !cursor.peek_digit())
    return true;
  fields.month = is_separated ? cursor.up_to(99) : cursor.exactly(2);
  if (fields.month < 0)
    return false;
  if (is_separated ? !cursor.take(separator) : !cursor.peek_digit())
    return separator == '-';
  fields.day = is_separated ? cursor.up_to(99) : cursor.exactly(2);
  is_short = false;
  return fields.day >= 0;
}

bool read_iso(std::string_view text, Fields& fields) {
  Cursor cursor(text);
  cursor.take_blanks();
  bool is_short = false;
  if (!read_iso_day(cursor, fields, is_short))
    return false;
  const bool has_t = !is_short && cursor.take('T');
  const bool has_blank = !is_short && !has_t && cursor.take_blanks();
  if (has_t || (has_blank && cursor.peek_digit())) {
    fields.hour = has_t ? cursor.exactly(2) : cursor.up_to(99);
    if (fields.hour < 0 || !read_iso_minutes(cursor, fields))
      return false;
    cursor.take_blanks();
    if (!cursor.at_end() && !read_zone_name(cursor, fields) && !read_offset(cursor, fields, true))
      return false;
  }
  cursor.take_blanks();
  return cursor.at_end();
}

bool is_missing_text(std::string_view text) {
  constexpr std::array<std::string_view, 7> names = {"", "NaT", "nat", "NAT", "nan", "NaN", "NAN"};
  if (text.size() > 3)
    return false;
  for (const std::string_view name : names)
    if (text == name)
      return true;
  return false;
}

// The second 60 of a format is the next minute's first, as datetime's strptime has it.
bool is_date(Fields& fields) {
  if (fields.half >= 0)
    fields.hour = fields.hour % 12 + fields.half;
  if (fields.year < 1 || fields.hour > 23 || fields.minute > 59)
    return false;
  if (fields.day_of_year > 0)
    return fields.day_of_year <= (is_leap_year(fields.year) ? 366 : 365);
  return fields.month >= 1 && fields.month <= 12 && fields.day >= 1 &&
         fields.day <= days_of_month(fields.year, fields.month);
}

DateState count_of(const Fields& fields, std::int64_t per_second, std::int64_t& value) {
  std::int64_t days = days_since_1970(fields.year, fields.month, fields.day);
  if (fields.day_of_year > 0)
    days = days_since_1970(fields.year, 1, 1) + fields.day_of_year - 1;
  const std::int64_t seconds = days * 86400 + std::int64_t{fields.hour} * 3600 +
                               std::int64_t{fields.minute} * 60 + fields.second;
  const std::int64_t rest = fields.nanoseconds / (1'000'000'000 / per_second);
  std::int64_t count = 0;
  if (__builtin_mul_overflow(seconds, per_second, &count) ||
      __builtin_add_overflow(count, rest, &count) || count == nat)
    return DateState::out_of_range;
  value = count;
  return DateState::read;
}

// The counters of the rows that one thread reads.
struct Counted {
  std::int64_t bad_rows = 0;
  std::int64_t zoned_rows = 0;
  bool needs_nanoseconds = false;
};

DateState read_row(
    std::string_view text,
    const DateFormat& format,
    std::int64_t per_second,
    Fields& fields,
    std::int64_t& value) {
  if (is_missing_text(text))
    return DateState::missing;
  const bool fits = format.is_iso() ? read_iso(text, fields) : read_format(format, text, fields);
  if (!fits)
    return DateState::unlike;
  return is_date(fields) ? count_of(fields, per_second, value) : DateState::no_date;
}

}  // namespace

DateFormat::DateFormat(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char letter = format[i];
    if (is_blank(letter)) {
      if (items_.empty() || items_.back().directive != ' ')
        items_.push_back({' ', letter});
      continue;
    }
    if (letter != '%') {
      items_.push_back({0, letter});
      continue;
    }
    const char directive = i + 1 < format.size() ? format[++i] : '\0';
    if (directive == '%') {
      items_.push_back({0, '%'});
    } else if (directive != '\0' && directives.find(directive) != std::string_view::npos) {
      items_.push_back({directive, 0});
    } else {
      throw ValueError(
          "the format \"" + std::string(format) + "\" has a directive that is none of %" +
          std::string(directives) + " and %%");
    }
  }
}

ParsedDates parse_dates(
    runtime::Runtime& runtime,
    const Key& strings,
    const DateFormat& format,
    std::int64_t per_second) {
  const std::int64_t rows = strings.column.rows;
  ParsedDates made = {
      Memory<std::int64_t>(runtime, rows),
      Memory<std::int32_t>(runtime, rows),
      Memory<std::uint8_t>(runtime, rows)};
  std::atomic<std::int64_t> bad_rows = 0;
  std::atomic<std::int64_t> zoned_rows = 0;
  std::atomic<bool> needs_nanoseconds = false;
  for_ranges(runtime, rows, [&](std::int64_t first, std::int64_t last) {
    Counted counted;
    for (std::int64_t row = first; row < last; ++row) {
      Fields fields;
      std::int64_t value = nat;
      DateState state = DateState::missing;
      if (strings.column.valid == nullptr || strings.column.valid[row] != 0) {
        const std::int64_t begin = strings.offsets[row];
        const auto size = static_cast<std::size_t>(strings.offsets[row + 1] - begin);
        state = read_row({strings.bytes + begin, size}, format, per_second, fields, value);
      }
      made.values[row] = value;
      made.offsets[row] = state == DateState::read ? fields.offset : no_offset;
      made.states[row] = static_cast<std::uint8_t>(state);
      counted.bad_rows += state > DateState::missing ? 1 : 0;
      counted.zoned_rows += made.offsets[row] != no_offset ? 1 : 0;
      counted.needs_nanoseconds |= fields.digits > 6;
    }
    bad_rows += counted.bad_rows;
    zoned_rows += counted.zoned_rows;
    if (counted.needs_nanoseconds)
      needs_nanoseconds = true;
  });
  made.bad_rows = bad_rows;
  made.zoned_rows = zoned_rows;
  made.needs_nanoseconds = needs_nanoseconds;
  return made;
}

}  // namespace phalanx::frames
