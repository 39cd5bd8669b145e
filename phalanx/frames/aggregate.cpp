#include "phalanx/frames/aggregate.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/accumulators.h"
#include "phalanx/frames/by_group.h"
#include "phalanx/frames/quantiles.h"

namespace phalanx::frames {
namespace {

enum class ResultRule : std::uint8_t { counted, widened, floating, same, truth, between };
struct AggregateRow {
  std::string_view name;
  ResultRule rule;
};
constexpr std::array aggregate_table = {
#define AGGREGATE(name, result) AggregateRow{#name, ResultRule::result},
#include "phalanx/frames/aggregates.def"
#undef AGGREGATE
};

DType widened(DType dtype) {
  if (is_floating(dtype))
    return dtype;
  return is_unsigned(dtype) ? DType::uint64 : DType::int64;
}

// Columns in the order of buckets of codes: each bucket's states are in a core's cache.
class MovedColumns {
 public:
  MovedColumns(runtime::Runtime& runtime, const Buckets& buckets)
      : runtime_(runtime), buckets_(buckets) {}

  Column move(const Column& column) {
    if (column.values == nullptr)
      return column;
    Column moved = column;
    with_type(column.dtype, [&]<typename T>(T) {
      moved.values = move_from(static_cast<const T*>(column.values));
    });
    if (column.valid != nullptr)
      moved.valid = move_from(column.valid);
    return moved;
  }

 private:
  struct Moved {
    const void* from;
    std::size_t item;
    Memory<std::byte> memory;
  };
  template <typename T>
  const T* move_from(const T* from) {
    for (const Moved& each : moved_)
      if (each.from == from && each.item == sizeof(T))
        return reinterpret_cast<const T*>(each.memory.data());
    Memory<std::byte> memory(
        runtime_, buckets_.parts().rows() * static_cast<std::int64_t>(sizeof(T)));
    T* const to = reinterpret_cast<T*>(memory.data());
    buckets_.scatter_from(from, to);
    moved_.push_back({from, sizeof(T), std::move(memory)});
    return to;
  }

  runtime::Runtime& runtime_;
  const Buckets& buckets_;
  std::vector<Moved> moved_;
};

// Those aggregations whose groups have a state each.
class Folding {
 public:
  Folding(runtime::Runtime& runtime, const Codes& codes, std::span<const Aggregation> aggregations)
      : runtime_(runtime), codes_(codes) {
    for (const Aggregation& each : aggregations)
      members_.push_back({each, make_accumulator(each, codes.groups)});
    std::erase_if(members_, [](const Member& member) { return member.accumulator == nullptr; });
  }

  void run() {
    if (members_.empty())
      return;
    const Parts parts(runtime_, codes_.rows);
    if (parts.count() * codes_.groups <= std::max(few_states, codes_.rows / rows_of_state))
      fold_parts(parts);
    else
      fold_buckets();
  }

  // The results of the next of them.
  void finish(Aggregated& results) {
    Accumulator& accumulator = *members_[next_++].accumulator;
    for_ranges(runtime_, codes_.groups, [&](std::int64_t first, std::int64_t last) {
      accumulator.finish(first, last, results);
    });
  }

 private:
  struct Member {
    Aggregation aggregation;
    std::unique_ptr<Accumulator> accumulator;
  };
  // So many states are cleared and merged in less time than rows are moved.
  static constexpr std::int64_t few_states = 1 << 14;
  static constexpr std::int64_t rows_of_state = 16;
  static constexpr std::int64_t states_of_bucket = 1 << 13;  // a core's cache holds them

  static void add(Member& member, std::int64_t table, Block block) {
    block.column = member.aggregation.column;
    block.second = member.aggregation.second;
    member.accumulator->add(table, block);
  }

  void fold_parts(const Parts& parts) {
    for (Member& member : members_) member.accumulator->allocate(runtime_, parts.count());
    for_each_task(runtime_, parts.count(), [&](std::int64_t part) {
      for (Member& member : members_) member.accumulator->clear(part, 0, codes_.groups);
      std::int64_t codes[block_rows];
      for_blocks(parts.begin(part), parts.end(part), [&](std::int64_t first, std::int64_t count) {
        codes_.read(first, count, codes);
        for (Member& member : members_) add(member, part, {codes, first, count});
      });
    });
  }

  void fold_buckets() {
    const std::int64_t most = std::clamp<std::int64_t>(
        codes_.groups / states_of_bucket, usable_threads(runtime_), Buckets::most - 1);
    const unsigned shift = shift_of_codes(codes_.groups, most);
    const Buckets buckets = buckets_of_codes(runtime_, codes_, shift);
    MovedColumns columns(runtime_, buckets);
    bool needs_rows = false;
    for (Member& member : members_) {
      member.aggregation.column = columns.move(member.aggregation.column);
      member.aggregation.second = columns.move(member.aggregation.second);
      member.accumulator->allocate(runtime_, 1);
      needs_rows = needs_rows || member.accumulator->needs_rows();
    }
    Memory<std::int64_t> rows(runtime_, needs_rows ? codes_.rows : 0);
    if (needs_rows)
      buckets.scatter<std::int64_t>(
          [](std::int64_t first, std::int64_t count, std::int64_t* to) {
            std::iota(to, to + count, first);
          },
          rows.data());
    Memory<std::int64_t> codes(runtime_, codes_.rows);
    buckets.scatter<std::int64_t>(
        [&](std::int64_t first, std::int64_t count, std::int64_t* to) {
          codes_.read(first, count, to);
        },
        codes.data());
    for_each_task(runtime_, buckets.count() - 1, [&](std::int64_t bucket) {
      for (Member& member : members_)
        member.accumulator->clear(
            0, bucket << shift, std::min(codes_.groups, (bucket + 1) << shift));
      for_blocks(buckets.begin(bucket), buckets.end(bucket), [&](auto first, auto count) {
        for (Member& member : members_)
          add(member, 0, {codes.data() + first, first, count, needs_rows ? rows.data() : nullptr});
      });
    });
  }

  runtime::Runtime& runtime_;
  const Codes& codes_;
  std::vector<Member> members_;
  std::size_t next_ = 0;
};

}  // namespace

void Codes::read(std::int64_t first, std::int64_t count, std::int64_t* to) const {
  if (is_wide)
    std::copy_n(static_cast<const std::int64_t*>(codes) + first, count, to);
  else
    std::copy_n(static_cast<const std::int32_t*>(codes) + first, count, to);
}

std::optional<AggregateKind> aggregate_named(std::string_view name) {
  const auto* const row = std::ranges::find(aggregate_table, name, &AggregateRow::name);
  if (row == aggregate_table.end())
    return std::nullopt;
  return static_cast<AggregateKind>(row - aggregate_table.begin());
}

std::optional<Interpolation> interpolation_named(std::string_view name) {
  constexpr std::array<std::string_view, 5> names = {
      "linear", "lower", "higher", "nearest", "midpoint"};
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Interpolation>(found - names.begin());
}

DType result_dtype(const Aggregation& aggregation) {
  const DType dtype = aggregation.column.dtype;
  const DType floating = dtype == DType::float32 ? DType::float32 : DType::float64;
  switch (aggregate_table.at(static_cast<std::size_t>(aggregation.kind)).rule) {
    case ResultRule::counted:
      return DType::int64;
    case ResultRule::widened:
      return widened(dtype);
    case ResultRule::floating:
      return aggregation.second.values != nullptr ? DType::float64 : floating;
    case ResultRule::same:
      return dtype;
    case ResultRule::truth:
      return DType::boolean;
    case ResultRule::between:
      break;
  }
  const bool is_between = aggregation.interpolation == Interpolation::linear ||
                          aggregation.interpolation == Interpolation::midpoint;
  return is_between || is_floating(dtype) ? DType::float64 : DType::int64;
}

void check_codes(runtime::Runtime& runtime, const Codes& codes) {
  std::atomic<bool> fit{true};
  for_ranges(runtime, codes.rows, [&](std::int64_t first, std::int64_t last) {
    std::int64_t block[block_rows];
    for_blocks(first, last, [&](std::int64_t begin, std::int64_t count) {
      codes.read(begin, count, block);
      bool all = true;
      for (std::int64_t i = 0; i < count; ++i) all &= block[i] >= -1 && block[i] < codes.groups;
      if (!all)
        fit = false;
    });
  });
  if (!fit)
    throw ValueError(
        "codes are from -1 to the number of groups less 1, which is " +
        std::to_string(codes.groups - 1));
}

void check_aggregation(const Codes& codes, const Aggregation& aggregation) {
  const bool is_pair =
      aggregation.kind == AggregateKind::corr || aggregation.kind == AggregateKind::cov;
  for (const Column* column : {&aggregation.column, &aggregation.second}) {
    if (column == &aggregation.second && !is_pair)
      continue;
    check_column(*column);
    if (column->rows != codes.rows)
      throw ValueError(
          "a column of " + std::to_string(column->rows) + " rows does not fit the codes of " +
          std::to_string(codes.rows));
  }
  if (!(aggregation.quantile >= 0 && aggregation.quantile <= 1))
    throw ValueError("a quantile is from 0 to 1");
}

Aggregated room_for(
    runtime::Runtime& runtime, const Aggregation& aggregation, std::int64_t groups) {
  Aggregated made;
  made.dtype = result_dtype(aggregation);
  made.values = Memory<std::byte>(runtime, groups * static_cast<std::int64_t>(size_of(made.dtype)));
  made.valid = Memory<std::uint8_t>(runtime, groups);
  return made;
}

void drop_full_mask(Aggregated& results) {
  const std::uint8_t* const first = results.valid.data();
  const std::uint8_t* const end = first + results.valid.size();
  if (std::find(first, end, 0) == end)
    results.valid = {};
}

std::vector<Aggregated> aggregate(
    runtime::Runtime& runtime, const Codes& codes, std::span<const Aggregation> aggregations) {
  for (const Aggregation& each : aggregations) check_aggregation(codes, each);
  check_codes(runtime, codes);
  Folding folding(runtime, codes, aggregations);
  folding.run();
  std::vector<Aggregated> made;
  for (const Aggregation& each : aggregations) {
    Aggregated& results = made.emplace_back(room_for(runtime, each, codes.groups));
    if (needs_values_at_once(each.kind))
      aggregate_values(runtime, codes, each, results);
    else
      folding.finish(results);
    drop_full_mask(results);
  }
  return made;
}

}  // namespace phalanx::frames
