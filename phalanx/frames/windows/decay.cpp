#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "phalanx/frames/parts.h"
#include "phalanx/frames/windows.h"
#include "phalanx/frames/windows/folds.h"

namespace phalanx::frames {
namespace {

// A run of rows [first, last), with results from `from` on: rows before only bring the state there.
struct Run {
  std::int64_t first;
  std::int64_t from;
  std::int64_t last;
  std::int64_t skipped;  // rows before `first`, all of which have values
};

class Decaying {
 public:
  Decaying(const Decay& of, double* results)
      : of_(of),
        results_(results),
        factor_(1 - 1 / (1 + of.com)),
        new_weight_(of.is_adjusted ? 1 : 1 / (1 + of.com)) {}

  void run(const Run& rows) const {
    if (of_.kind == Decay::Kind::cov)
      covariances(rows);
    else if (of_.kind == Decay::Kind::sum)
      sums(rows);
    else if (of_.gaps == nullptr)
      means(rows, [this](std::int64_t /*row*/) { return factor_; });
    else
      means(rows, [this](std::int64_t row) { return std::pow(factor_, of_.gaps[row - 1]); });
  }

 private:
  static bool is_there(double value) { return std::isfinite(value); }

  void write(const Run& rows, std::int64_t row, std::int64_t count, double value) const {
    if (row >= rows.from)
      results_[row] = count + rows.skipped >= of_.min_periods ? value : windows::none;
  }

  // The weighted sum and the sum of weights, one division away from the mean.
  template <typename Factor>
  void means(const Run& rows, const Factor& factor) const {
    double sum = 0;
    double weight = 0;
    double mean = windows::none;
    std::int64_t count = 0;
    for (std::int64_t row = rows.first; row < rows.last; ++row) {
      const double value = of_.values[row];
      const bool has_value = is_there(value);
      if (count > 0 && (has_value || !of_.ignores_missing)) {
        const double kept = factor(row);
        sum *= kept;
        weight *= kept;
      }
      if (has_value) {
        // With a gap of no step's length the weight of a new value is what the old ones have lost.
        const double weight_here =
            of_.is_adjusted || of_.gaps == nullptr ? new_weight_ : 1 - weight;
        ++count;
        if (count == 1) {
          sum = value;
          weight = 1;
        } else {
          sum += weight_here * value;
          weight += weight_here;
          if (!of_.is_adjusted) {
            sum /= weight;
            weight = 1;
          }
        }
      }
      // Without a value the mean stays, however little weight is left.
      if (has_value)
        mean = sum / weight;
      write(rows, row, count, mean);
    }
  }

  void sums(const Run& rows) const {
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t row = rows.first; row < rows.last; ++row) {
      const bool has_value = is_there(of_.values[row]);
      if (has_value || !of_.ignores_missing)
        sum *= factor_;
      if (has_value) {
        sum += of_.values[row];
        ++count;
      }
      write(rows, row, count, count == 0 ? windows::none : sum);
    }
  }

  // Weights that old values have lost, those of all values and their squares.
  struct Weights {
    double old = 1;
    double sum = 1;
    double squares = 1;
  };
  struct Moments {
    double mean_x = 0;
    double mean_y = 0;
    double cov = 0;
  };

  void covariances(const Run& rows) const {
    Weights weights;
    Moments moments;
    std::int64_t count = 0;
    for (std::int64_t row = rows.first; row < rows.last; ++row) {
      const double x = of_.values[row];
      const double y = of_.second[row];
      const bool has_value = is_there(x) && is_there(y);
      if (count > 0 && (has_value || !of_.ignores_missing)) {
        weights.sum *= factor_;
        weights.squares *= factor_ * factor_;
        weights.old *= factor_;
        if (has_value)
          add(x, y, weights, moments);
      } else if (has_value) {
        moments = {x, y, 0};
      }
      count += has_value ? 1 : 0;
      write(rows, row, count, count == 0 ? windows::none : covariance(weights, moments));
    }
  }

  void add(double x, double y, Weights& weights, Moments& moments) const {
    const double all = weights.old + new_weight_;
    const Moments before = moments;
    moments.mean_x = before.mean_x == x ? x : (weights.old * before.mean_x + new_weight_ * x) / all;
    moments.mean_y = before.mean_y == y ? y : (weights.old * before.mean_y + new_weight_ * y) / all;
    const double drift = (before.mean_x - moments.mean_x) * (before.mean_y - moments.mean_y);
    const double product = (x - moments.mean_x) * (y - moments.mean_y);
    moments.cov = (weights.old * (before.cov + drift) + new_weight_ * product) / all;
    weights.sum += new_weight_;
    weights.squares += new_weight_ * new_weight_;
    weights.old = all;
    if (!of_.is_adjusted) {
      weights.sum /= all;
      weights.squares /= all * all;
      weights.old = 1;
    }
  }

  double covariance(const Weights& weights, const Moments& moments) const {
    if (of_.is_biased)
      return moments.cov;
    const double square = weights.sum * weights.sum;
    const double rest = square - weights.squares;
    return rest > 0 ? square / rest * moments.cov : windows::none;
  }

  const Decay& of_;
  double* results_;
  double factor_;
  double new_weight_;
};

bool are_all_there(const Decay& of, std::int64_t first, std::int64_t last) {
  bool all = true;
  for (; first < last; ++first)
    all &= std::isfinite(of.values[first]) &&
           (of.second == nullptr || std::isfinite(of.second[first]));
  return all;
}

// After so many rows what was before them weighs less than a float64 tells.
std::int64_t memory_of(const Decay& of) {
  constexpr double bits = 64;
  const double factor = of.com / (1 + of.com);
  if (factor <= 0)
    return 1;
  const double rows = bits * std::numbers::ln2 / -std::log(factor);
  return rows < 1e15 ? static_cast<std::int64_t>(rows) + 1
                     : std::numeric_limits<std::int64_t>::max() / 4;
}

// A long run begins anew at several rows, each time with what the memory holds before.
void add_runs(const Decay& of, std::int64_t first, std::int64_t last, std::vector<Run>& runs) {
  constexpr std::int64_t least = 1 << 17;
  const std::int64_t memory = memory_of(of);
  const std::int64_t size = std::max(least, memory / 4 > last - first ? last - first : 4 * memory);
  const bool is_one =
      of.gaps != nullptr || last - first < 2 * size || !are_all_there(of, first, last);
  if (is_one) {
    runs.push_back({first, first, last, 0});
    return;
  }
  for (std::int64_t from = first; from < last; from += size) {
    const std::int64_t begin = std::max(first, from - memory);
    runs.push_back({begin, from, std::min(last, from + size), begin - first});
  }
}

}  // namespace

std::vector<Memory<double>> decay(runtime::Runtime& runtime, std::span<const Decay> requests) {
  struct Task {
    std::size_t request;
    Run rows;
  };
  std::vector<Task> tasks;
  std::vector<Memory<double>> results;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    results.emplace_back(runtime, requests[i].rows);
    std::vector<Run> runs;
    for (std::size_t part = 1; part < requests[i].bounds.size(); ++part)
      add_runs(requests[i], requests[i].bounds[part - 1], requests[i].bounds[part], runs);
    for (const Run& run : runs) tasks.push_back({i, run});
  }
  runtime::parallel_for(
      runtime, tasks.size(), tasks.size() > 256 ? 64 : 1, [&](std::uint64_t at, std::uint64_t end) {
        for (; at < end; ++at) {
          const Task& task = tasks[at];
          Decaying(requests[task.request], results[task.request].data()).run(task.rows);
        }
      });
  return results;
}

}  // namespace phalanx::frames
