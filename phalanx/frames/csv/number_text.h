// Numbers and dates as Python writes them.
#pragma once

#include <cstdint>

#include "phalanx/frames/csv_writer.h"

namespace phalanx::frames::csv {

inline constexpr std::size_t longest_shortest = 32;  // of an integer or repr(float)

// Each writes at `at`, which has room, and returns the end. Floats are as repr() has them: the
// shortest digits that read the same, with an exponent from 1e16 on (float: 1e6) and below 1e-4.
char* write_integer(char* at, std::int64_t value);
char* write_integer(char* at, std::uint64_t value);
char* write_float(char* at, double value);
char* write_float(char* at, float value);

// As printf writes it, in `text`.
void append_formatted(Text& text, double value, const FloatFormat& format);

inline constexpr std::size_t longest_date = 40;  // without the suffix
// `count` of units since 1970. Years are of four digits: whoever calls has looked.
char* write_date(char* at, std::int64_t count, const DateFormat& format);

}  // namespace phalanx::frames::csv
