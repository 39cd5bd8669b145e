// Joins by the nearest key: a binary search among the right rows of the same other keys.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/by_group.h"
#include "phalanx/frames/images.h"
#include "phalanx/frames/joins.h"
#include "phalanx/frames/key_words.h"

namespace phalanx::frames {
namespace {

template <typename T>
void check_sorted(runtime::Runtime& runtime, const Column& column) {
  const Missing<T> missing(column);
  const T* const values = static_cast<const T*>(column.values);
  std::atomic<bool> has_missing{false};
  std::atomic<bool> is_sorted{true};
  for_ranges(runtime, column.rows, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row) {
      if (missing.can_be() && missing(row))
        has_missing = true;
      else if (row > 0 && values[row] < values[row - 1])
        is_sorted = false;
    }
  });
  if (has_missing)
    throw ValueError("the column that is searched by must have no missing values");
  if (!is_sorted)
    throw ValueError("the column that is searched by must be sorted: sort both sides by it");
}

// The right rows of each group in their order, and the group of each left row.
struct Partners {
  RowsByGroup right;
  Memory<std::int64_t> left_groups;  // without elements: all are in group 0
};

Partners find_partners(runtime::Runtime& runtime, const AsofSide& left, const AsofSide& right) {
  Partners made;
  if (left.by.empty()) {
    made.right = {Memory<std::int64_t>(runtime, right.on.rows), Memory<std::int64_t>(runtime, 2)};
    std::iota(made.right.rows.data(), made.right.rows.data() + right.on.rows, 0);
    made.right.starts[0] = 0;
    made.right.starts[1] = right.on.rows;
    return made;
  }
  const KeyWords words(runtime, {right.by, left.by}, {});
  const Groups groups = words.is_narrow() ? group_words(runtime, words.words<std::uint64_t>())
                                          : group_words(runtime, words.words<Wide>());
  Memory<std::int64_t> codes(runtime, groups.rows);
  for_ranges(runtime, groups.rows, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row)
      codes[row] = groups.is_wide() ? groups.wide_codes[row] : groups.narrow_codes[row];
  });
  made.right = rows_by_group(runtime, {codes.data(), true, right.on.rows, groups.count});
  made.left_groups = Memory<std::int64_t>(runtime, left.on.rows);
  std::copy_n(codes.data() + right.on.rows, left.on.rows, made.left_groups.data());
  return made;
}

template <typename T>
class AsofSearch {
 public:
  AsofSearch(const Column& left, const Column& right, const AsofOptions& options)
      : left_(static_cast<const T*>(left.values)),
        right_(static_cast<const T*>(right.values)),
        options_(options) {}

  std::int64_t find(std::int64_t row, std::span<const std::int64_t> rows) const {
    const T value = left_[row];
    const std::int64_t before = options_.direction != AsofDirection::forward
                                    ? in_reach(last_before(value, rows), value)
                                    : -1;
    const std::int64_t after = options_.direction != AsofDirection::backward
                                   ? in_reach(first_after(value, rows), value)
                                   : -1;
    if (before < 0 || after < 0)
      return std::max(before, after);
    return distance(value, right_[before]) <= distance(value, right_[after]) ? before : after;
  }

 private:
  using Rows = std::span<const std::int64_t>;
  using Distance = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

  std::int64_t last_before(T value, Rows rows) const {
    const auto found = std::partition_point(rows.begin(), rows.end(), [&](std::int64_t row) {
      return right_[row] < value || (options_.allows_exact && right_[row] == value);
    });
    return found == rows.begin() ? -1 : *(found - 1);
  }
  std::int64_t first_after(T value, Rows rows) const {
    const auto found = std::partition_point(rows.begin(), rows.end(), [&](std::int64_t row) {
      return right_[row] < value || (!options_.allows_exact && right_[row] == value);
    });
    return found == rows.end() ? -1 : *found;
  }
  static Distance distance(T a, T b) {
    return a < b ? static_cast<Distance>(b) - static_cast<Distance>(a)
                 : static_cast<Distance>(a) - static_cast<Distance>(b);
  }
  std::int64_t in_reach(std::int64_t row, T value) const {
    const bool is_far = row >= 0 && options_.tolerance >= 0 &&
                        static_cast<double>(distance(value, right_[row])) > options_.tolerance;
    return is_far ? -1 : row;
  }

  const T* left_;
  const T* right_;
  AsofOptions options_;
};

}  // namespace

Memory<std::int64_t> asof_rows(
    runtime::Runtime& runtime,
    const AsofSide& left,
    const AsofSide& right,
    const AsofOptions& options) {
  check_column(left.on);
  check_column(right.on);
  if (left.on.dtype != right.on.dtype)
    throw TypeError("the columns that are searched by have different dtypes: convert one of them");
  check_sides(runtime, left.by, right.by);
  for (const AsofSide* side : {&left, &right})
    if (!side->by.empty() && rows_of(side->by) != side->on.rows)
      throw ValueError("the keys' rows are not as many as those that are searched by");
  Memory<std::int64_t> found(runtime, left.on.rows);
  with_type(left.on.dtype, [&]<typename T>(T) {
    check_sorted<T>(runtime, left.on);
    check_sorted<T>(runtime, right.on);
    const Partners partners = find_partners(runtime, left, right);
    const AsofSearch<T> search(left.on, right.on, options);
    for_ranges(runtime, left.on.rows, [&](std::int64_t row, std::int64_t last) {
      for (; row < last; ++row) {
        const std::int64_t group = left.by.empty() ? 0 : partners.left_groups[row];
        const std::int64_t begin = partners.right.starts[group];
        const std::int64_t end = partners.right.starts[group + 1];
        found[row] = search.find(
            row, {partners.right.rows.data() + begin, static_cast<std::size_t>(end - begin)});
      }
    });
  });
  return found;
}

}  // namespace phalanx::frames
