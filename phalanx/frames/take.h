// Rows of columns by their numbers, by a mask, and one table's after another's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// A column that owns its memory.
struct TakenColumn {
  Memory<std::byte> values;
  Memory<std::uint8_t> valid;  // without bytes where no row is missing by a mask or a row of -1
};

struct TakenStrings {
  Memory<std::int64_t> offsets;
  Memory<char> bytes;
  Memory<std::uint8_t> valid;
};

using RowNumbers = std::span<const std::int64_t>;

// The rows given, in that order; -1 is a missing row, of value 0 or no bytes. `item`: bytes of a
// value, from 1 to 16. Throws ValueError for rows that the column has not.
PHX_API TakenColumn
take_column(runtime::Runtime& runtime, const Column& column, std::int64_t item, RowNumbers rows);
PHX_API TakenStrings take_strings(runtime::Runtime& runtime, const Key& strings, RowNumbers rows);

// The numbers of the rows whose byte is not 0.
PHX_API Memory<std::int64_t> rows_of_mask(
    runtime::Runtime& runtime, std::span<const std::uint8_t> mask);

// The strings of all, one column's after another's.
PHX_API TakenStrings concatenate_strings(runtime::Runtime& runtime, std::span<const Key> columns);

}  // namespace phalanx::frames
