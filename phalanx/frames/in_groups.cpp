#include "phalanx/frames/in_groups.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/folds.h"
#include "phalanx/frames/images.h"
#include "phalanx/frames/key_words.h"
#include "phalanx/frames/order.h"
#include "phalanx/frames/take.h"

namespace phalanx::frames {
namespace {

// Each part of the rows begins with what the parts before it made of the groups.
template <typename Fold, typename T, typename Result>
class Running {
 public:
  Running(runtime::Runtime& runtime, const Codes& codes, const Column& column, Aggregated& to)
      : runtime_(runtime),
        codes_(codes),
        missing_(column),
        values_(static_cast<const T*>(column.values)),
        results_(reinterpret_cast<Result*>(to.values.data())),
        valid_(to.valid.data()),
        parts_(runtime, has_room(runtime, codes) ? codes.rows : 0),
        states_(runtime, parts_.count() * codes.groups) {}

  void run() {
    std::fill_n(states_.data(), states_.size(), Fold());
    if (parts_.rows() == 0) {  // too many groups for states of each part
      fold(0, codes_.rows, 0, true);
      return;
    }
    for_each_task(runtime_, parts_.count() - 1, [&](std::int64_t part) {
      fold(parts_.begin(part), parts_.end(part), part + 1, false);
    });
    for (std::int64_t i = codes_.groups; i < states_.size(); ++i) {
      Fold before = states_[i - codes_.groups];
      before.merge(states_[i]);
      states_[i] = before;
    }
    for_each_task(runtime_, parts_.count(), [&](std::int64_t part) {
      fold(parts_.begin(part), parts_.end(part), part, true);
    });
  }

 private:
  static bool has_room(runtime::Runtime& runtime, const Codes& codes) {
    return usable_threads(runtime) * codes.groups <= codes.rows;
  }

  void fold(std::int64_t first, std::int64_t last, std::int64_t table, bool writes) {
    Fold* const states = states_.data() + table * codes_.groups;
    std::int64_t block[block_rows];
    for_blocks(first, last, [&](std::int64_t begin, std::int64_t count) {
      codes_.read(begin, count, block);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t row = begin + i;
        const bool has_value = block[i] >= 0 && !(missing_.can_be() && missing_(row));
        if (has_value)
          states[block[i]].add(static_cast<typename Fold::Value>(values_[row]), row);
        if (writes) {
          valid_[row] = has_value ? 1 : 0;
          results_[row] = has_value ? static_cast<Result>(*states[block[i]].result()) : none();
        }
      }
    });
  }
  static Result none() {
    return std::is_floating_point_v<Result> ? std::numeric_limits<Result>::quiet_NaN() : Result(0);
  }

  runtime::Runtime& runtime_;
  const Codes& codes_;
  Missing<T> missing_;
  const T* values_;
  Result* results_;
  std::uint8_t* valid_;
  Parts parts_;
  Memory<Fold> states_;
};

template <typename Wide, typename T, typename Widened>
void run_kind(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Column& column,
    RunningKind kind,
    Aggregated& to) {
  switch (kind) {
    case RunningKind::product:
      return Running<ProductFold<Wide>, T, Widened>(runtime, codes, column, to).run();
    case RunningKind::min:
      return Running<ExtremeFold<Wide, -1>, T, T>(runtime, codes, column, to).run();
    case RunningKind::max:
      return Running<ExtremeFold<Wide, 1>, T, T>(runtime, codes, column, to).run();
    default:
      return Running<SumFold<Wide>, T, Widened>(runtime, codes, column, to).run();
  }
}

Aggregated make_results(runtime::Runtime& runtime, DType dtype, std::int64_t rows) {
  return {
      dtype,
      Memory<std::byte>(runtime, rows * static_cast<std::int64_t>(size_of(dtype))),
      Memory<std::uint8_t>(runtime, rows)};
}

// Places of the rows in their groups, in the rows' order.
void count_before(runtime::Runtime& runtime, const Codes& codes, Aggregated& to) {
  const RowsByGroup order = rows_by_group(runtime, codes);
  std::fill_n(to.valid.data(), codes.rows, std::uint8_t{0});
  auto* const places = reinterpret_cast<std::int64_t*>(to.values.data());
  std::fill_n(places, codes.rows, 0);
  for_ranges(runtime, codes.groups, [&](std::int64_t group, std::int64_t end) {
    for (; group < end; ++group)
      for (std::int64_t i = order.starts[group]; i < order.starts[group + 1]; ++i) {
        places[order.rows[i]] = i - order.starts[group];
        to.valid[order.rows[i]] = 1;
      }
  });
}

void drop_if_all(Aggregated& results) {
  const std::uint8_t* const first = results.valid.data();
  const std::uint8_t* const end = first + results.valid.size();
  if (std::find(first, end, 0) == end)
    results.valid = {};
}

template <typename Enum, std::size_t size>
std::optional<Enum> named(const std::array<std::string_view, size>& names, std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::optional<RunningKind> running_named(std::string_view name) {
  constexpr std::array<std::string_view, 5> names = {"sum", "product", "min", "max", "count"};
  return named<RunningKind>(names, name);
}

std::optional<RankMethod> rank_named(std::string_view name) {
  constexpr std::array<std::string_view, 5> names = {"average", "min", "max", "first", "dense"};
  return named<RankMethod>(names, name);
}

Aggregated running(
    runtime::Runtime& runtime, const Codes& codes, const Column& column, RunningKind kind) {
  check_codes(runtime, codes);
  if (kind == RunningKind::count) {
    Aggregated made = make_results(runtime, DType::int64, codes.rows);
    count_before(runtime, codes, made);
    drop_if_all(made);
    return made;
  }
  check_aggregation(codes, {AggregateKind::sum, column});
  const bool is_extreme = kind == RunningKind::min || kind == RunningKind::max;
  const AggregateKind like = is_extreme ? AggregateKind::min : AggregateKind::sum;
  Aggregated made = make_results(runtime, result_dtype({like, column}), codes.rows);
  with_type(column.dtype, [&]<typename T>(T) {
    if constexpr (std::is_floating_point_v<T>)
      run_kind<double, T, T>(runtime, codes, column, kind, made);
    else if (is_unsigned(column.dtype))
      run_kind<std::uint64_t, T, std::uint64_t>(runtime, codes, column, kind, made);
    else
      run_kind<std::int64_t, T, std::int64_t>(runtime, codes, column, kind, made);
  });
  drop_if_all(made);
  return made;
}

Memory<std::int64_t> shifted_rows(
    runtime::Runtime& runtime, const Codes& codes, std::int64_t periods) {
  const RowsByGroup order = rows_by_group(runtime, codes);
  Memory<std::int64_t> made(runtime, codes.rows);
  std::fill_n(made.data(), made.size(), -1);
  for_ranges(runtime, codes.groups, [&](std::int64_t group, std::int64_t end) {
    for (; group < end; ++group) {
      const std::int64_t first = order.starts[group];
      const std::int64_t count = order.starts[group + 1] - first;
      const std::int64_t* const rows = order.rows.data() + first;
      const std::int64_t step = std::clamp(periods, -count, count);
      const std::int64_t stop = std::min(count, count + step);
      for (std::int64_t i = std::max<std::int64_t>(step, 0); i < stop; ++i)
        made[rows[i]] = rows[i - step];
    }
  });
  return made;
}

Memory<std::int64_t> rows_at_places(
    runtime::Runtime& runtime,
    const Codes& codes,
    std::int64_t first,
    std::optional<std::int64_t> last) {
  const RowsByGroup order = rows_by_group(runtime, codes);
  Memory<std::uint8_t> mask(runtime, codes.rows);
  std::fill_n(mask.data(), mask.size(), std::uint8_t{0});
  for_ranges(runtime, codes.groups, [&](std::int64_t group, std::int64_t end) {
    for (; group < end; ++group) {
      const std::int64_t count = order.starts[group + 1] - order.starts[group];
      const auto place = [count](std::int64_t from) {
        return std::clamp<std::int64_t>(from < 0 ? count + from : from, 0, count);
      };
      const std::int64_t stop = last ? place(*last) : count;
      for (std::int64_t i = place(first); i < stop; ++i)
        mask[order.rows[order.starts[group] + i]] = 1;
    }
  });
  return rows_of_mask(runtime, {mask.data(), static_cast<std::size_t>(mask.size())});
}

RowsByGroup best_rows(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Column& column,
    std::int64_t count,
    bool takes_greatest) {
  struct Entry {
    std::uint64_t image;  // less is better
    std::int64_t row;
    bool operator<(const Entry& other) const {
      return image != other.image ? image < other.image : row < other.row;
    }
  };
  check_aggregation(codes, {AggregateKind::max, column});
  check_codes(runtime, codes);
  if (count < 0)
    throw ValueError("the number of rows that are taken is not negative");
  return with_type(column.dtype, [&]<typename T>(T) {
    const Missing<T> missing(column);
    const T* const values = static_cast<const T*>(column.values);
    Memory<std::int64_t> known(runtime, codes.rows);  // codes, -1 where the value is missing
    for_ranges(runtime, codes.rows, [&](std::int64_t row, std::int64_t last) {
      for (; row < last; ++row) known[row] = missing.can_be() && missing(row) ? -1 : codes[row];
    });
    const ByGroup order(runtime, {known.data(), true, codes.rows, codes.groups});
    Memory<Entry> entries(runtime, codes.rows);
    order.arrange<Entry>(
        [&](std::int64_t first, std::int64_t size, Entry* to) {
          for (std::int64_t i = 0; i < size; ++i) {
            const std::uint64_t image = image_of(values[first + i]);
            to[i] = {takes_greatest ? ~image : image, first + i};
          }
        },
        entries.data());
    RowsByGroup made = {{}, Memory<std::int64_t>(runtime, codes.groups + 1)};
    made.starts[0] = 0;
    for (std::int64_t group = 0; group < codes.groups; ++group)
      made.starts[group + 1] =
          made.starts[group] + std::min(count, order.starts()[group + 1] - order.starts()[group]);
    made.rows = Memory<std::int64_t>(runtime, made.starts[codes.groups]);
    for_each_task(runtime, std::min<std::int64_t>(codes.groups, 256), [&](std::int64_t task) {
      const std::int64_t tasks = std::min<std::int64_t>(codes.groups, 256);
      for (std::int64_t group = codes.groups * task / tasks;
           group < codes.groups * (task + 1) / tasks;
           ++group) {
        Entry* const first = entries.data() + order.starts()[group];
        const std::int64_t taken = made.starts[group + 1] - made.starts[group];
        std::partial_sort(first, first + taken, entries.data() + order.starts()[group + 1]);
        for (std::int64_t i = 0; i < taken; ++i) made.rows[made.starts[group] + i] = first[i].row;
      }
    });
    return made;
  });
}

Aggregated rank_rows(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Key& values,
    RankMethod method,
    bool is_descending) {
  check_codes(runtime, codes);
  const Key of_groups = {
      {codes.is_wide ? DType::int64 : DType::int32, codes.codes, nullptr, codes.rows}, true};
  const Key keys[] = {of_groups, values};
  const Groups distinct = group_rows(runtime, keys, true);  // -1: no rank
  const Memory<std::int64_t> order = order_rows(runtime, keys, {false, is_descending}, false);
  const auto code_of = [&](std::int64_t i) {
    return distinct.is_wide() ? distinct.wide_codes[order[i]] : distinct.narrow_codes[order[i]];
  };
  Aggregated made = make_results(runtime, DType::float64, codes.rows);
  auto* const ranks = reinterpret_cast<double*>(made.values.data());
  std::int64_t group = -1;
  std::int64_t first = 0;  // place of the group's first
  std::int64_t different = 0;
  for (std::int64_t i = 0; i < codes.rows;) {
    std::int64_t end = i + 1;
    const std::int64_t code = code_of(i);
    while (end < codes.rows && code_of(end) == code) ++end;
    if (code >= 0 && codes[order[i]] != group) {
      group = codes[order[i]];
      first = i;
      different = 0;
    }
    ++different;
    const double least = static_cast<double>(i - first) + 1;
    const auto greatest = static_cast<double>(end - first);
    for (std::int64_t same = i; same < end; ++same) {
      const double by_method[] = {
          (least + greatest) / 2,
          least,
          greatest,
          static_cast<double>(same - first) + 1,
          static_cast<double>(different)};
      ranks[order[same]] = code < 0 ? std::numeric_limits<double>::quiet_NaN()
                                    : by_method[static_cast<std::size_t>(method)];
      made.valid[order[same]] = code < 0 ? 0 : 1;
    }
    i = end;
  }
  drop_if_all(made);
  return made;
}

}  // namespace phalanx::frames
