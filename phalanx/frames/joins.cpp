#include "phalanx/frames/joins.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/by_group.h"
#include "phalanx/frames/key_words.h"
#include "phalanx/frames/order.h"

namespace phalanx::frames {
namespace {

template <typename Enum, std::size_t size>
std::optional<Enum> named(const std::array<std::string_view, size>& names, std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// The groups of both sides' rows, those of the side that is searched first: so rows of different
// keys there have their own numbers as codes, and a code is a partner's row.
class Sides {
 public:
  Sides(
      runtime::Runtime& runtime,
      std::span<const Key> searched,
      std::span<const Key> searching,
      bool is_ordered)
      : runtime_(runtime),
        words_(runtime, {searched, searching}, {.is_ordered = is_ordered}),
        groups_(
            words_.is_narrow() ? group_words(runtime, words_.words<std::uint64_t>())
                               : group_words(runtime, words_.words<Wide>())),
        searched_rows_(searched.front().column.rows) {
    codes_ = {
        groups_.is_wide() ? static_cast<const void*>(groups_.wide_codes.data())
                          : groups_.narrow_codes.data(),
        groups_.is_wide(),
        groups_.rows,
        groups_.count};
    // Groups are numbered by their first rows.
    const std::int64_t* const first = groups_.first_rows.data();
    searched_groups_ = std::lower_bound(first, first + groups_.count, searched_rows_) - first;
  }

  std::int64_t rows() const { return groups_.rows - searched_rows_; }
  bool is_unique() const { return searched_groups_ == searched_rows_; }
  std::int64_t searched_groups() const { return searched_groups_; }
  const Groups& groups() const { return groups_; }

  Codes searched() const { return part(0, searched_rows_); }
  Codes searching() const { return part(searched_rows_, rows()); }

  // The groups in the order of their keys.
  Memory<std::int64_t> order() const {
    return words_.is_narrow() ? order_of<std::uint64_t>() : order_of<Wide>();
  }

 private:
  Codes part(std::int64_t first, std::int64_t rows) const {
    const std::size_t item = codes_.is_wide ? sizeof(std::int64_t) : sizeof(std::int32_t);
    const auto offset = static_cast<std::size_t>(first) * item;
    return {
        static_cast<const std::byte*>(codes_.codes) + offset, codes_.is_wide, rows, codes_.groups};
  }

  template <typename Word>
  Memory<std::int64_t> order_of() const {
    const Words<Word> words = words_.words<Word>();
    const auto read = [&](std::int64_t first, std::int64_t count, Word* to) {
      for (std::int64_t i = 0; i < count; ++i) words.read(groups_.first_rows[first + i], 1, to + i);
    };
    return order_words<Word>(runtime_, {groups_.count, words.size, read});
  }

  runtime::Runtime& runtime_;
  KeyWords words_;
  Groups groups_;
  Codes codes_;
  std::int64_t searched_rows_;
  std::int64_t searched_groups_ = 0;
};

// The partners of each row in its order.
class Search {
 public:
  // `keeps_single`: rows without a partner are there too.
  Search(runtime::Runtime& runtime, const Sides& sides, bool keeps_single)
      : runtime_(runtime),
        codes_(sides.searching()),
        groups_(sides.searched_groups()),
        keeps_single_(keeps_single),
        is_unique_(sides.is_unique()),
        parts_(runtime, codes_.rows, 4) {
    if (!is_unique_)
      partners_ = rows_by_group(runtime, sides.searched());
  }

  JoinedRows run() {
    std::vector<std::int64_t> begins(static_cast<std::size_t>(parts_.count()) + 1);
    for_each_task(runtime_, parts_.count(), [&](std::int64_t part) {
      std::int64_t count = 0;
      for_codes(part, [&](std::int64_t, std::int64_t code) { count += pairs_of(code); });
      begins[static_cast<std::size_t>(part) + 1] = count;
    });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    JoinedRows made = {
        Memory<std::int64_t>(runtime_, begins.back()),
        Memory<std::int64_t>(runtime_, begins.back())};
    for_each_task(runtime_, parts_.count(), [&](std::int64_t part) {
      fill(part, made.left.data(), made.right.data(), begins[static_cast<std::size_t>(part)]);
    });
    return made;
  }

 private:
  template <typename Visit>
  void for_codes(std::int64_t part, const Visit& visit) const {
    std::int64_t block[block_rows];
    for_blocks(parts_.begin(part), parts_.end(part), [&](std::int64_t first, std::int64_t count) {
      codes_.read(first, count, block);
      for (std::int64_t i = 0; i < count; ++i) visit(first + i, block[i]);
    });
  }

  std::int64_t partners_of(std::int64_t code) const {
    if (code >= groups_)
      return 0;
    return is_unique_ ? 1 : partners_.starts[code + 1] - partners_.starts[code];
  }
  std::int64_t pairs_of(std::int64_t code) const {
    const std::int64_t partners = partners_of(code);
    return partners == 0 && keeps_single_ ? 1 : partners;
  }

  void fill(std::int64_t part, std::int64_t* own, std::int64_t* other, std::int64_t at) const {
    for_codes(part, [&](std::int64_t row, std::int64_t code) {
      if (code >= groups_) {
        if (keeps_single_) {
          own[at] = row;
          other[at++] = -1;
        }
      } else if (is_unique_) {
        own[at] = row;
        other[at++] = code;
      } else {
        for (std::int64_t i = partners_.starts[code]; i < partners_.starts[code + 1]; ++i) {
          own[at] = row;
          other[at++] = partners_.rows[i];
        }
      }
    });
  }

  runtime::Runtime& runtime_;
  Codes codes_;
  std::int64_t groups_;  // of the rows that are searched
  bool keeps_single_;
  bool is_unique_;
  Parts parts_;
  RowsByGroup partners_;
};

// Left rows by whether they have partners.
JoinedRows keep_rows(runtime::Runtime& runtime, const Sides& sides, bool with_partners) {
  const Codes codes = sides.searching();
  const Parts parts(runtime, codes.rows);
  std::vector<std::int64_t> begins(static_cast<std::size_t>(parts.count()) + 1);
  const auto is_kept = [&](std::int64_t row) {
    return (codes[row] < sides.searched_groups()) == with_partners;
  };
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    std::int64_t count = 0;
    for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row) count += is_kept(row);
    begins[static_cast<std::size_t>(part) + 1] = count;
  });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  JoinedRows made = {
      Memory<std::int64_t>(runtime, begins.back()), Memory<std::int64_t>(runtime, begins.back())};
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    std::int64_t at = begins[static_cast<std::size_t>(part)];
    for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row)
      if (is_kept(row)) {
        made.left[at] = row;
        made.right[at++] = -1;
      }
  });
  return made;
}

// All pairs of each group's rows, the groups in the order of their keys.
JoinedRows join_outer(runtime::Runtime& runtime, const Sides& sides) {
  const RowsByGroup left = rows_by_group(runtime, sides.searching());
  const RowsByGroup right = rows_by_group(runtime, sides.searched());
  const Memory<std::int64_t> order = sides.order();
  const std::int64_t groups = order.size();
  const auto size_of = [](const RowsByGroup& side, std::int64_t group) {
    return side.starts[group + 1] - side.starts[group];
  };
  Memory<std::int64_t> begins(runtime, groups + 1);
  begins[0] = 0;
  for (std::int64_t i = 0; i < groups; ++i)
    begins[i + 1] = begins[i] + std::max<std::int64_t>(size_of(left, order[i]), 1) *
                                    std::max<std::int64_t>(size_of(right, order[i]), 1);
  JoinedRows made = {
      Memory<std::int64_t>(runtime, begins[groups]), Memory<std::int64_t>(runtime, begins[groups])};
  constexpr std::int64_t none = -1;
  const auto rows_of_side = [&](const RowsByGroup& side, std::int64_t group) {
    const std::int64_t count = size_of(side, group);
    return count == 0
               ? std::span(&none, 1)
               : std::span(side.rows.data() + side.starts[group], static_cast<std::size_t>(count));
  };
  runtime::parallel_for(
      runtime, static_cast<std::uint64_t>(groups), 1024, [&](std::uint64_t i, std::uint64_t end) {
        for (; i < end; ++i) {
          const auto place = static_cast<std::int64_t>(i);
          std::int64_t at = begins[place];
          for (const std::int64_t left_row : rows_of_side(left, order[place]))
            for (const std::int64_t right_row : rows_of_side(right, order[place])) {
              made.left[at] = left_row;
              made.right[at++] = right_row;
            }
        }
      });
  return made;
}

}  // namespace

void check_sides(runtime::Runtime& runtime, std::span<const Key> left, std::span<const Key> right) {
  if (left.size() != right.size())
    throw ValueError(
        "the sides have " + std::to_string(left.size()) + " and " + std::to_string(right.size()) +
        " keys");
  for (std::size_t i = 0; i < left.size(); ++i) {
    check_key(runtime, left[i]);
    check_key(runtime, right[i]);
    const bool is_same =
        left[i].is_strings() == right[i].is_strings() && left[i].is_codes == right[i].is_codes &&
        (left[i].is_strings() || left[i].is_codes || left[i].column.dtype == right[i].column.dtype);
    if (!is_same)
      throw TypeError(
          "key " + std::to_string(i) +
          " has another kind or dtype on the left than on the right: convert one of them");
  }
}

std::optional<JoinKind> join_named(std::string_view name) {
  constexpr std::array<std::string_view, 6> names = {
      "inner", "left", "right", "outer", "semi", "anti"};
  return named<JoinKind>(names, name);
}

std::optional<AsofDirection> direction_named(std::string_view name) {
  constexpr std::array<std::string_view, 3> names = {"backward", "forward", "nearest"};
  return named<AsofDirection>(names, name);
}

JoinedRows join_rows(
    runtime::Runtime& runtime,
    std::span<const Key> left,
    std::span<const Key> right,
    JoinKind kind) {
  check_sides(runtime, left, right);
  rows_of(left);
  rows_of(right);
  if (kind == JoinKind::right) {
    const Sides sides(runtime, left, right, false);
    JoinedRows made = Search(runtime, sides, true).run();
    std::swap(made.left, made.right);
    return made;
  }
  const Sides sides(runtime, right, left, kind == JoinKind::outer);
  switch (kind) {
    case JoinKind::outer:
      return join_outer(runtime, sides);
    case JoinKind::semi:
    case JoinKind::anti:
      return keep_rows(runtime, sides, kind == JoinKind::semi);
    default:
      return Search(runtime, sides, kind == JoinKind::left).run();
  }
}

}  // namespace phalanx::frames
