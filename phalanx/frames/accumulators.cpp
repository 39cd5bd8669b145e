#include "phalanx/frames/accumulators.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "phalanx/frames/folds.h"
#include "phalanx/frames/images.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/run_folds.h"

namespace phalanx::frames {
namespace {

// Writes numbers as those of the result's dtype, and which there are.
template <typename Result>
void write(Aggregated& results, std::int64_t group, std::optional<Result> number) {
  with_type(results.dtype, [&]<typename T>(T) {
    T& to = reinterpret_cast<T*>(results.values.data())[group];
    if (number)
      to = static_cast<T>(*number);
    else
      to = std::is_floating_point_v<T> ? std::numeric_limits<T>::quiet_NaN() : T(0);
  });
  results.valid[group] = number.has_value() ? 1 : 0;
}

// Calls `visit(i, value)` for rows of the block that are in a group and not missing.
template <typename Value, typename Visit>
void for_values(const Block& block, const Column& column, const Visit& visit) {
  with_type(column.dtype, [&]<typename T>(T) {
    const T* const values = static_cast<const T*>(column.values) + block.first;
    const Missing<T> missing(column);
    const auto all = [&](const auto& is_missing) {
      for (std::int64_t i = 0; i < block.count; ++i)
        if (block.codes[i] >= 0 && !is_missing(i))
          visit(i, static_cast<Value>(values[i]));
    };
    if (!missing.can_be())
      all([](std::int64_t) { return false; });
    else if (column.valid == nullptr && std::is_floating_point_v<T>)
      all([&](std::int64_t i) { return std::isnan(static_cast<double>(values[i])); });
    else
      all([&](std::int64_t i) { return missing(block.first + i); });
  });
}

template <typename Fold>
class FoldAccumulator : public Accumulator {
 public:
  FoldAccumulator(const Aggregation& aggregation, std::int64_t groups)
      : aggregation_(aggregation), groups_(groups) {}

  std::int64_t state_bytes() const override { return sizeof(Fold); }
  bool needs_rows() const override {
    return std::is_same_v<typename Fold::Result, std::int64_t> && !is_plain;
  }
  void allocate(runtime::Runtime& runtime, std::int64_t tables) override {
    tables_ = tables;
    states_ = Memory<Fold>(runtime, tables * groups_);
  }
  void clear(std::int64_t table, std::int64_t first, std::int64_t last) override {
    std::fill(&at(table, first), &at(table, last), Fold());
  }
  void add(std::int64_t table, const Block& block) override {
    Fold* const states = &at(table, 0);
    if (aggregation_.kind == AggregateKind::size) {
      for (std::int64_t i = 0; i < block.count; ++i)
        if (block.codes[i] >= 0)
          states[block.codes[i]].add({}, 0);
      return;
    }
    for_values<typename Fold::Value>(block, block.column, [&](std::int64_t i, auto value) {
      states[block.codes[i]].add(value, block.row(i));
    });
  }
  void finish(std::int64_t first, std::int64_t last, Aggregated& results) override {
    for (; first < last; ++first) {
      Fold& all = at(0, first);
      for (std::int64_t table = 1; table < tables_; ++table) all.merge(at(table, first));
      write(results, first, result_of(all));
    }
  }
  void fold_runs(
      const std::int64_t* bounds,
      std::int64_t first,
      std::int64_t last,
      Aggregated& results) override {
    with_type(aggregation_.column.dtype, [&]<typename T>(T) {
      const T* const values = static_cast<const T*>(aggregation_.column.values);
      const Missing<T> missing(aggregation_.column);
      const auto all = [&](const auto& is_missing) {
        for (; first < last; ++first)
          write(
              results,
              first,
              result_of(fold_run<Fold>(values, is_missing, bounds[first], bounds[first + 1])));
      };
      if (!missing.can_be() || aggregation_.kind == AggregateKind::size)
        all_of_size_or(all, bounds, first, last, results);
      else if (aggregation_.column.valid == nullptr && std::is_floating_point_v<T>)
        all(NanMissing());
      else
        all([&](std::int64_t row, T) { return missing(row); });
    });
  }

 private:
  static constexpr bool is_plain = std::is_same_v<Fold, CountFold> ||
                                   std::is_same_v<Fold, SumFold<std::int64_t>> ||
                                   std::is_same_v<Fold, ProductFold<std::int64_t>>;

  Fold& at(std::int64_t table, std::int64_t group) { return states_[table * groups_ + group]; }

  // Runs of which no row is missing, whose lengths are their counts.
  template <typename All>
  static void all_of_size_or(
      const All& all,
      const std::int64_t* bounds,
      std::int64_t first,
      std::int64_t last,
      Aggregated& results) {
    if constexpr (std::is_same_v<Fold, CountFold>) {
      for (; first < last; ++first)
        write(results, first, CountFold{bounds[first + 1] - bounds[first]}.result());
    } else {
      all(NoneMissing());
    }
  }

  std::optional<typename Fold::Result> result_of(const Fold& fold) const {
    if constexpr (std::is_same_v<Fold, VarFold>) {
      const std::optional<double> var = fold.result(aggregation_.ddof);
      return var && aggregation_.kind == AggregateKind::std ? std::sqrt(*var) : var;
    } else {
      return fold.result();
    }
  }

  Aggregation aggregation_;
  std::int64_t groups_;
  std::int64_t tables_ = 0;
  Memory<Fold> states_;
};

// Rows of which both columns have a value.
class PairAccumulator : public Accumulator {
 public:
  PairAccumulator(const Aggregation& aggregation, std::int64_t groups)
      : aggregation_(aggregation), groups_(groups) {}

  std::int64_t state_bytes() const override { return sizeof(PairFold); }
  bool needs_rows() const override { return false; }
  void allocate(runtime::Runtime& runtime, std::int64_t tables) override {
    tables_ = tables;
    states_ = Memory<PairFold>(runtime, tables * groups_);
  }
  void clear(std::int64_t table, std::int64_t first, std::int64_t last) override {
    std::fill(&at(table, first), &at(table, last), PairFold());
  }
  void add(std::int64_t table, const Block& block) override { add_block(&at(table, 0), block); }
  void finish(std::int64_t first, std::int64_t last, Aggregated& results) override {
    for (; first < last; ++first) {
      PairFold& all = at(0, first);
      for (std::int64_t table = 1; table < tables_; ++table) all.merge(at(table, first));
      write(results, first, result_of(all));
    }
  }
  void fold_runs(
      const std::int64_t* bounds,
      std::int64_t first,
      std::int64_t last,
      Aggregated& results) override {
    for (; first < last; ++first) {
      PairFold fold;
      for_blocks(bounds[first], bounds[first + 1], [&](std::int64_t begin, std::int64_t count) {
        const std::int64_t codes[block_rows] = {};
        add_block(&fold, {codes, begin, count, nullptr, aggregation_.column, aggregation_.second});
      });
      write(results, first, result_of(fold));
    }
  }

 private:
  PairFold& at(std::int64_t table, std::int64_t group) { return states_[table * groups_ + group]; }

  static void add_block(PairFold* states, const Block& block) {
    double second[block_rows];
    std::fill_n(second, block.count, std::numeric_limits<double>::quiet_NaN());
    for_values<double>(block, block.second, [&](std::int64_t i, double y) { second[i] = y; });
    for_values<double>(block, block.column, [&](std::int64_t i, double x) {
      if (second[i] == second[i])
        states[block.codes[i]].add(x, second[i]);
    });
  }
  std::optional<double> result_of(const PairFold& fold) const {
    return aggregation_.kind == AggregateKind::corr ? corr(fold) : cov(fold);
  }
  static std::optional<double> corr(const PairFold& fold) {
    const double divisor = std::sqrt(fold.squares_x * fold.squares_y);
    if (fold.count < 2 || divisor == 0)
      return std::nullopt;
    const double found = fold.products / divisor;
    return std::isnan(found) ? std::optional<double>() : std::fmin(std::fmax(found, -1), 1);
  }
  std::optional<double> cov(const PairFold& fold) const {
    if (fold.count <= aggregation_.ddof)
      return std::nullopt;
    return fold.products / (fold.count - aggregation_.ddof);
  }

  Aggregation aggregation_;
  std::int64_t groups_;
  std::int64_t tables_ = 0;
  Memory<PairFold> states_;
};

// For folds of values as they are: of int64, uint64 or float64.
template <typename T>
std::unique_ptr<Accumulator> make_typed(const Aggregation& aggregation, std::int64_t groups) {
  const auto made = [&]<typename Fold>(Fold) -> std::unique_ptr<Accumulator> {
    return std::make_unique<FoldAccumulator<Fold>>(aggregation, groups);
  };
  switch (aggregation.kind) {
    case AggregateKind::sum:
      return made(SumFold<T>());
    case AggregateKind::product:
      return made(ProductFold<T>());
    case AggregateKind::mean:
      return made(MeanFold<T>());
    case AggregateKind::min:
      return made(ExtremeFold<T, -1>());
    case AggregateKind::max:
      return made(ExtremeFold<T, 1>());
    case AggregateKind::first:
      return made(EndFold<T, false>());
    case AggregateKind::last:
      return made(EndFold<T, true>());
    case AggregateKind::any:
      return made(TruthFold<T, false>());
    case AggregateKind::all:
      return made(TruthFold<T, true>());
    case AggregateKind::idxmin:
      return made(ExtremeRowFold<T, -1>());
    case AggregateKind::idxmax:
      return made(ExtremeRowFold<T, 1>());
    default:
      return nullptr;
  }
}

}  // namespace

std::unique_ptr<Accumulator> make_accumulator(const Aggregation& aggregation, std::int64_t groups) {
  const auto made = [&]<typename Fold>(Fold) -> std::unique_ptr<Accumulator> {
    return std::make_unique<FoldAccumulator<Fold>>(aggregation, groups);
  };
  switch (aggregation.kind) {
    case AggregateKind::size:
    case AggregateKind::count:
      return made(CountFold());
    case AggregateKind::var:
    case AggregateKind::std:
      return made(VarFold());
    case AggregateKind::first_row:
      return made(EndRowFold<false>());
    case AggregateKind::last_row:
      return made(EndRowFold<true>());
    case AggregateKind::corr:
    case AggregateKind::cov:
      return std::make_unique<PairAccumulator>(aggregation, groups);
    default:
      break;
  }
  const DType dtype = aggregation.column.dtype;
  if (is_floating(dtype))
    return make_typed<double>(aggregation, groups);
  return is_unsigned(dtype) ? make_typed<std::uint64_t>(aggregation, groups)
                            : make_typed<std::int64_t>(aggregation, groups);
}

}  // namespace phalanx::frames
