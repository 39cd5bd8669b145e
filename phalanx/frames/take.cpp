#include "phalanx/frames/take.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/text_bytes.h"

namespace phalanx::frames {
namespace {

// True if some rows are -1. Throws ValueError for those that the column has not.
bool check_rows(runtime::Runtime& runtime, RowNumbers rows, std::int64_t size) {
  std::atomic<bool> has_missing{false};
  std::atomic<bool> fit{true};
  for_ranges(runtime, std::ssize(rows), [&](std::int64_t first, std::int64_t last) {
    std::int64_t least = 0;
    std::int64_t greatest = -1;
    for (; first < last; ++first) {
      least = std::min(least, rows[static_cast<std::size_t>(first)]);
      greatest = std::max(greatest, rows[static_cast<std::size_t>(first)]);
    }
    if (least < 0)
      has_missing = true;
    if (least < -1 || greatest >= size)
      fit = false;
  });
  if (!fit)
    throw ValueError("rows are from -1 to " + std::to_string(size - 1));
  return has_missing;
}

Memory<std::uint8_t> take_valid(
    runtime::Runtime& runtime, const std::uint8_t* valid, RowNumbers rows, bool has_missing) {
  if (valid == nullptr && !has_missing)
    return {};
  Memory<std::uint8_t> taken(runtime, std::ssize(rows));
  for_ranges(runtime, std::ssize(rows), [&](std::int64_t i, std::int64_t last) {
    for (; i < last; ++i) {
      const std::int64_t row = rows[static_cast<std::size_t>(i)];
      taken[i] = row >= 0 && (valid == nullptr || valid[row] != 0) ? 1 : 0;
    }
  });
  return taken;
}

template <typename T>
void take_values(
    runtime::Runtime& runtime, const T* values, RowNumbers rows, bool has_missing, T* to) {
  for_ranges(runtime, std::ssize(rows), [&](std::int64_t first, std::int64_t last) {
    const std::int64_t* const row = rows.data();
    if (has_missing)
      for (std::int64_t i = first; i < last; ++i) to[i] = row[i] < 0 ? T{} : values[row[i]];
    else
      for (std::int64_t i = first; i < last; ++i) to[i] = values[row[i]];
  });
}

}  // namespace

TakenColumn take_column(
    runtime::Runtime& runtime, const Column& column, std::int64_t item, RowNumbers rows) {
  const bool has_missing = check_rows(runtime, rows, column.rows);
  TakenColumn taken = {
      Memory<std::byte>(runtime, std::ssize(rows) * item),
      take_valid(runtime, column.valid, rows, has_missing)};
  const auto as = [&]<typename T>(T) {
    take_values(
        runtime,
        static_cast<const T*>(column.values),
        rows,
        has_missing,
        reinterpret_cast<T*>(taken.values.data()));
  };
  switch (item) {
    case 1:
      as(std::uint8_t{});
      break;
    case 2:
      as(std::uint16_t{});
      break;
    case 4:
      as(std::uint32_t{});
      break;
    case 8:
      as(std::uint64_t{});
      break;
    case 16:
      as(std::array<std::uint64_t, 2>{});
      break;
    default:
      throw TypeError("values of " + std::to_string(item) + " bytes are not taken");
  }
  return taken;
}

TakenStrings take_strings(runtime::Runtime& runtime, const Key& strings, RowNumbers rows) {
  check_key(runtime, strings);
  const bool has_missing = check_rows(runtime, rows, strings.column.rows);
  TakenStrings taken = {
      Memory<std::int64_t>(runtime, std::ssize(rows) + 1),
      {},
      take_valid(runtime, strings.column.valid, rows, has_missing)};
  const std::int64_t* const from = strings.offsets;
  for_ranges(runtime, std::ssize(rows), [&](std::int64_t i, std::int64_t last) {
    for (; i < last; ++i) {
      const std::int64_t row = rows[static_cast<std::size_t>(i)];
      taken.offsets[i + 1] = row < 0 ? 0 : from[row + 1] - from[row];
    }
  });
  taken.bytes = Memory<char>(runtime, add_sizes(runtime, taken.offsets));
  const char* const from_end = strings.bytes + from[strings.column.rows];
  for_ranges(runtime, std::ssize(rows), [&](std::int64_t i, std::int64_t last) {
    const char* const to_end = taken.bytes.data() + taken.offsets[last];
    for (; i < last; ++i) {
      const std::int64_t row = rows[static_cast<std::size_t>(i)];
      const std::int64_t at = taken.offsets[i];
      const auto size = static_cast<std::size_t>(taken.offsets[i + 1] - at);
      if (size != 0)
        copy_text(strings.bytes + from[row], from_end, size, taken.bytes.data() + at, to_end);
    }
  });
  return taken;
}

Memory<std::int64_t> rows_of_mask(runtime::Runtime& runtime, std::span<const std::uint8_t> mask) {
  const Parts parts(runtime, std::ssize(mask), 4);
  std::vector<std::int64_t> before(static_cast<std::size_t>(parts.count()) + 1);
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    before[static_cast<std::size_t>(part) + 1] = std::count_if(
        mask.data() + parts.begin(part), mask.data() + parts.end(part), [](std::uint8_t byte) {
          return byte != 0;
        });
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  // One more, which rows that are not kept are written to.
  Memory<std::int64_t> rows(runtime, before.back() + 1);
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    std::int64_t at = before[static_cast<std::size_t>(part)];
    const std::int64_t end = before[static_cast<std::size_t>(part) + 1];
    for (std::int64_t row = parts.begin(part); row < parts.end(part) && at < end; ++row) {
      rows[at] = row;
      at += mask[static_cast<std::size_t>(row)] != 0 ? 1 : 0;
    }
  });
  rows.shorten(before.back());
  return rows;
}

TakenStrings concatenate_strings(runtime::Runtime& runtime, std::span<const Key> columns) {
  std::int64_t rows = 0;
  bool has_mask = false;
  for (const Key& column : columns) {
    check_key(runtime, column);
    if (!column.is_strings())
      throw TypeError("only strings are concatenated as strings");
    rows += column.column.rows;
    has_mask = has_mask || column.column.valid != nullptr;
  }
  TakenStrings made = {
      Memory<std::int64_t>(runtime, rows + 1),
      {},
      Memory<std::uint8_t>(runtime, has_mask ? rows : 0)};
  std::int64_t row = 0;
  std::int64_t byte = 0;
  for (const Key& column : columns) {
    for_ranges(runtime, column.column.rows, [&](std::int64_t i, std::int64_t last) {
      for (; i < last; ++i) {
        made.offsets[row + i] = column.offsets[i] - column.offsets[0] + byte;
        if (has_mask)
          made.valid[row + i] = column.column.valid == nullptr ? 1 : column.column.valid[i];
      }
    });
    row += column.column.rows;
    byte += column.offsets[column.column.rows] - column.offsets[0];
  }
  made.offsets[rows] = byte;
  made.bytes = Memory<char>(runtime, byte);
  row = 0;
  for (const Key& column : columns) {
    const std::int64_t size = column.offsets[column.column.rows] - column.offsets[0];
    char* const to = made.bytes.data() + made.offsets[row];
    for_ranges(runtime, size, [&](std::int64_t first, std::int64_t last) {
      std::memcpy(
          to + first,
          column.bytes + column.offsets[0] + first,
          static_cast<std::size_t>(last - first));
    });
    row += column.column.rows;
  }
  return made;
}

}  // namespace phalanx::frames
