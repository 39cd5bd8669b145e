// Finds the ends of fields in text, by vectors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

struct Scan {
  std::size_t count = 0;      // of ends
  std::size_t line_ends = 0;  // of them
  bool has_quotes = false;
  bool has_returns = false;  // before line feeds
  bool has_non_ascii = false;
  bool ends_in_quotes = false;
  // Something the state machine has to look at: an escape, a comment, a NUL, a return alone, a
  // quote that neither begins nor ends a field. Then nothing else is said.
  bool is_irregular = false;
};

// Ends that are written past the last one.
inline constexpr std::size_t ends_slack = 64;

// Writes the places of the separators and line feeds outside quotes. The text begins with a record,
// and is padded; `ends` has room for one each byte and ends_slack.
Scan scan_fields(const Dialect& dialect, const char* text, std::size_t size, std::uint32_t* ends);

}  // namespace phalanx::frames::csv
