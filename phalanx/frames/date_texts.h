// Dates out of a column of text: ISO 8601 in any of its forms, or one format of strptime.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// What became of a row.
enum class DateState : std::uint8_t {
  read,
  missing,       // no text, or one that says so, as "NaT"
  unlike,        // not of the format
  no_date,       // of the format, but the day or the time is none
  out_of_range,  // a date that the unit cannot count
};

// A format of strptime: directives, and the text between them. An empty one is ISO 8601.
class PHX_API DateFormat {
 public:
  struct Item {
    char directive = 0;  // 0: the text `literal`; ' ': blanks
    char literal = 0;
  };

  // Throws ValueError for a directive that is none of Y y m d H I M S f p b B a A j z Z %.
  explicit DateFormat(std::string_view format);

  const std::vector<Item>& items() const { return items_; }
  bool is_iso() const { return items_.empty(); }

 private:
  std::vector<Item> items_;
};

struct ParsedDates {
  Memory<std::int64_t> values;   // counts of the unit since 1970, of what clocks show; NaT: least
  Memory<std::int32_t> offsets;  // seconds from UTC; the least number where none is named
  Memory<std::uint8_t> states;
  std::int64_t bad_rows = 0;  // that are not read, nor missing
  std::int64_t zoned_rows = 0;
  bool needs_nanoseconds = false;
};

inline constexpr std::int32_t no_offset = std::numeric_limits<std::int32_t>::min();

// Reads all rows, also after one that is no date. `per_second`: what the unit counts.
PHX_API ParsedDates parse_dates(
    runtime::Runtime& runtime,
    const Key& strings,
    const DateFormat& format,
    std::int64_t per_second);

}  // namespace phalanx::frames
