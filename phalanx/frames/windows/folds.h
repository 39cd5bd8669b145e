// States of rows that can be merged: what windows are put together of.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "phalanx/frames/folds.h"
#include "phalanx/frames/windows.h"

namespace phalanx::frames::windows {

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

// add() takes a value, merge() the rows of another part; the order does not matter. result() is NaN
// where there are too few values for it.
struct CountFold {
  std::int64_t count = 0;

  void add(double /*value*/) { ++count; }
  void merge(const CountFold& later) { count += later.count; }
  double result(const WindowStatistic& /*of*/) const { return static_cast<double>(count); }
};

struct SumFold {
  ExactSum sum;
  std::int64_t count = 0;

  void add(double value) {
    sum.add(value);
    ++count;
  }
  void merge(const SumFold& later) {
    sum.merge(later.sum);
    count += later.count;
  }
  double result(const WindowStatistic& of) const {
    if (of.kind == WindowKind::sum)
      return sum.total();
    return count == 0 ? none : sum.total() / static_cast<double>(count);
  }
};

// A mean with what rounding takes off it, so that distances from it are exact however far from zero
// the values are.
struct Mean {
  ExactSum parts;

  double distance(double other) const { return (other - parts.sum) - parts.lost; }
  double distance(const Mean& other) const {
    return (other.parts.sum - parts.sum) + (other.parts.lost - parts.lost);
  }
  void move(double step) { parts.add(step); }
};

// Mean and the sum of squares around it, by Welford's and Chan's rules.
struct VarianceFold {
  Mean mean;
  double squares = 0;
  std::int64_t count = 0;

  void add(double value) {
    ++count;
    const double distance = mean.distance(value);
    const double step = distance / static_cast<double>(count);
    mean.move(step);
    squares += distance * (distance - step);
  }
  void merge(const VarianceFold& later) {
    if (later.count == 0)
      return;
    if (count == 0) {
      *this = later;
      return;
    }
    const auto mine = static_cast<double>(count);
    const auto others = static_cast<double>(later.count);
    const double distance = mean.distance(later.mean);
    const double share = others / (mine + others);
    mean.move(distance * share);
    squares += later.squares + distance * distance * mine * share;
    count += later.count;
  }
  double result(const WindowStatistic& of) const {
    if (count <= of.ddof)
      return none;
    const double variance = squares / static_cast<double>(count - of.ddof);
    if (of.kind == WindowKind::var)
      return variance;
    const double deviation = std::sqrt(variance);
    return of.kind == WindowKind::std ? deviation
                                      : deviation / std::sqrt(static_cast<double>(count));
  }
};

// Sums of the second to fourth powers around the mean (Pebay's rules, SAND2008-6212).
struct MomentsFold {
  Mean mean;
  double second = 0;
  double third = 0;
  double fourth = 0;
  std::int64_t count = 0;

  void add(double value) { merge({{{value}}, 0, 0, 0, 1}); }
  void merge(const MomentsFold& later) {
    if (later.count == 0)
      return;
    if (count == 0) {
      *this = later;
      return;
    }
    const auto a = static_cast<double>(count);
    const auto b = static_cast<double>(later.count);
    const double n = a + b;
    const double d = mean.distance(later.mean);
    const double part = d / n;
    const double square = d * part * a * b;
    fourth += later.fourth + square * part * part * (a * a - a * b + b * b) +
              6 * part * part * (a * a * later.second + b * b * second) +
              4 * part * (a * later.third - b * third);
    third += later.third + square * part * (a - b) + 3 * part * (a * later.second - b * second);
    second += later.second + square;
    mean.move(part * b);
    count += later.count;
  }
  double result(const WindowStatistic& of) const {
    const auto n = static_cast<double>(count);
    const bool is_skew = of.kind == WindowKind::skew;
    if (count < (is_skew ? 3 : 4) || second == 0)
      return none;
    if (is_skew)
      return n * std::sqrt(n - 1) / (n - 2) * third / std::pow(second, 1.5);
    const double ratio = n * (n + 1) * (n - 1) * fourth / (second * second);
    return (ratio - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3));
  }
};

template <int sign>
struct ExtremeFold {
  double value = -sign * std::numeric_limits<double>::infinity();
  std::int64_t count = 0;

  void add(double other) {
    value = sign > 0 ? (other > value ? other : value) : (other < value ? other : value);
    ++count;
  }
  void merge(const ExtremeFold& later) {
    add(later.value);
    count += later.count - 1;
  }
  double result(const WindowStatistic& /*of*/) const { return count == 0 ? none : value; }
};

// Sums of two columns' squares and products around their means.
struct PairFold {
  Mean mean_x;
  Mean mean_y;
  double squares_x = 0;
  double squares_y = 0;
  double products = 0;
  std::int64_t count = 0;

  void add(double x, double y) { merge({{{x}}, {{y}}, 0, 0, 0, 1}); }
  void merge(const PairFold& later) {
    if (later.count == 0)
      return;
    if (count == 0) {
      *this = later;
      return;
    }
    const auto mine = static_cast<double>(count);
    const auto others = static_cast<double>(later.count);
    const double share = others / (mine + others);
    const double x = mean_x.distance(later.mean_x);
    const double y = mean_y.distance(later.mean_y);
    mean_x.move(x * share);
    mean_y.move(y * share);
    squares_x += later.squares_x + x * x * mine * share;
    squares_y += later.squares_y + y * y * mine * share;
    products += later.products + x * y * mine * share;
    count += later.count;
  }
  double result(const WindowStatistic& of) const {
    if (of.kind == WindowKind::cov)
      return count <= of.ddof ? none : products / static_cast<double>(count - of.ddof);
    return count < 2 ? none : products / std::sqrt(squares_x * squares_y);
  }
};

}  // namespace phalanx::frames::windows
