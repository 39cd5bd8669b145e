// Dates of ISO 8601 out of text.
#pragma once

#include <cstdint>
#include <string_view>

#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

// How a date is written: all of a column are to be written alike. 0: it is none.
using DateForm = std::uint8_t;

struct Date {
  DateForm form = 0;
  bool needs_nanoseconds = false;
  std::int64_t value = 0;  // of the unit since 1970; where it is in its range
};

// 2026-11-27, and after a blank or a T 10:20, 10:20:30 or 10:20:30.5 with up to nine decimals.
Date read_date(std::string_view text, TimeUnit unit);

}  // namespace phalanx::frames::csv
