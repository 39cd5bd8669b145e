// The states of aggregations: what a value does to one, how two become one, and what it tells.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace phalanx::frames {

// Each fold has `Value`, what the column's values become before; `Result`; add(), with the row's
// number; merge(), with the state of later rows; and result(), nothing where there is none.

// A sum whose rounding errors are summed too. D. E. Knuth, The Art of Computer Programming
// 2, 4.2.2.
struct ExactSum {
  double sum = 0;
  double lost = 0;

  void add(double value) {
    const double next = sum + value;
    const double taken = next - sum;
    lost += (sum - (next - taken)) + (value - taken);
    sum = next;
  }
  double total() const { return std::isfinite(sum) ? sum + lost : sum; }
  void merge(const ExactSum& later) {
    add(later.sum);
    lost += later.lost;
  }
};

template <typename T>
struct SumFold {
  using Value = T;
  using Result = T;
  T sum = 0;
  void add(T value, std::int64_t) { sum = wrapping_sum(sum, value); }
  void merge(const SumFold& later) { sum = wrapping_sum(sum, later.sum); }
  std::optional<T> result() const { return sum; }

 private:
  static T wrapping_sum(T a, T b) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
};

template <>
struct SumFold<double> {
  using Value = double;
  using Result = double;
  ExactSum sum;
  void add(double value, std::int64_t) { sum.add(value); }
  void merge(const SumFold& later) { sum.merge(later.sum); }
  std::optional<double> result() const { return sum.total(); }
};

template <typename T>
struct ProductFold {
  using Value = T;
  using Result = T;
  T product = 1;
  void add(T value, std::int64_t) { product = times(product, value); }
  void merge(const ProductFold& later) { product = times(product, later.product); }
  std::optional<T> result() const { return product; }

 private:
  static T times(T a, T b) {
    if constexpr (std::numeric_limits<T>::is_integer)
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    else
      return a * b;
  }
};

// Integers are summed in 128 bits, which is exact.
template <typename T>
struct MeanFold {
  using Value = T;
  using Result = double;
  __extension__ using Sum = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  Sum sum = 0;
  std::int64_t count = 0;
  void add(T value, std::int64_t) {
    sum += value;
    ++count;
  }
  void merge(const MeanFold& later) {
    sum += later.sum;
    count += later.count;
  }
  std::optional<double> result() const {
    if (count == 0)
      return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(count);
  }
};

template <>
struct MeanFold<double> {
  using Value = double;
  using Result = double;
  ExactSum sum;
  std::int64_t count = 0;
  void add(double value, std::int64_t) {
    sum.add(value);
    ++count;
  }
  void merge(const MeanFold& later) {
    sum.merge(later.sum);
    count += later.count;
  }
  std::optional<double> result() const {
    if (count == 0)
      return std::nullopt;
    return sum.total() / static_cast<double>(count);
  }
};

// B. P. Welford, Technometrics 4(3), 1962; two states as one by T. F. Chan, G. H. Golub and
// R. J. LeVeque, 1979.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;  // sum of squared distances to the mean

  void add(double value) {
    count += 1;
    const double distance = value - mean;
    mean += distance / count;
    squares += distance * (value - mean);
  }
  void merge(const Moments& later) {
    if (later.count == 0)
      return;
    const double both = count + later.count;
    const double distance = later.mean - mean;
    mean += distance * later.count / both;
    squares += later.squares + distance * distance * count * later.count / both;
    count = both;
  }
};

struct VarFold {
  using Value = double;
  using Result = double;
  Moments moments;
  void add(double value, std::int64_t) { moments.add(value); }
  void merge(const VarFold& later) { moments.merge(later.moments); }
  std::optional<double> result(int ddof) const {
    if (moments.count <= ddof)
      return std::nullopt;
    return moments.squares / (moments.count - ddof);
  }
};

struct CountFold {
  using Value = double;
  using Result = std::int64_t;
  std::int64_t count = 0;
  void add(double, std::int64_t) { ++count; }
  void merge(const CountFold& later) { count += later.count; }
  std::optional<std::int64_t> result() const { return count; }
};

// `direction`: 1 for the greatest, -1 for the least. Of equal ones the first stays.
template <typename T, int direction>
struct ExtremeFold {
  using Value = T;
  using Result = T;
  T best = 0;
  bool has_best = false;
  void add(T value, std::int64_t) {
    if (!has_best || is_better(value, best)) {
      best = value;
      has_best = true;
    }
  }
  void merge(const ExtremeFold& later) {
    if (later.has_best)
      add(later.best, 0);
  }
  std::optional<T> result() const { return has_best ? std::optional(best) : std::nullopt; }
  static bool is_better(T a, T b) { return direction > 0 ? a > b : a < b; }
};

template <typename T, int direction>
struct ExtremeRowFold {
  using Value = T;
  using Result = std::int64_t;
  T best = 0;
  std::int64_t row = -1;
  void add(T value, std::int64_t at) {
    if (row < 0 || ExtremeFold<T, direction>::is_better(value, best)) {
      best = value;
      row = at;
    }
  }
  void merge(const ExtremeRowFold& later) {
    if (later.row >= 0)
      add(later.best, later.row);
  }
  std::optional<std::int64_t> result() const { return row < 0 ? std::nullopt : std::optional(row); }
};

// `is_last`: else the first.
template <typename T, bool is_last>
struct EndFold {
  using Value = T;
  using Result = T;
  T value = 0;
  bool has_value = false;
  void add(T each, std::int64_t) {
    if (is_last || !has_value)
      value = each;
    has_value = true;
  }
  void merge(const EndFold& later) {
    if (later.has_value)
      add(later.value, 0);
  }
  std::optional<T> result() const { return has_value ? std::optional(value) : std::nullopt; }
};

template <bool is_last>
struct EndRowFold {
  using Value = double;
  using Result = std::int64_t;
  std::int64_t row = -1;
  void add(double, std::int64_t at) {
    if (is_last || row < 0)
      row = at;
  }
  void merge(const EndRowFold& later) {
    if (later.row >= 0)
      add(0, later.row);
  }
  std::optional<std::int64_t> result() const { return row < 0 ? std::nullopt : std::optional(row); }
};

template <typename T, bool is_all>
struct TruthFold {
  using Value = T;
  using Result = bool;
  bool truth = is_all;
  void add(T value, std::int64_t) { truth = is_all ? truth && value != 0 : truth || value != 0; }
  void merge(const TruthFold& later) { add(later.truth ? T{1} : T{0}, 0); }
  std::optional<bool> result() const { return truth; }
};

// It takes two columns.
struct PairFold {
  using Value = double;
  using Result = double;
  double count = 0;
  double mean_x = 0;
  double mean_y = 0;
  double squares_x = 0;
  double squares_y = 0;
  double products = 0;  // of the distances to the means

  void add(double x, double y) {
    count += 1;
    const double from_x = x - mean_x;
    const double from_y = y - mean_y;
    mean_x += from_x / count;
    mean_y += from_y / count;
    squares_x += from_x * (x - mean_x);
    squares_y += from_y * (y - mean_y);
    products += from_x * (y - mean_y);
  }
  void merge(const PairFold& later) {
    if (later.count == 0)
      return;
    const double both = count + later.count;
    const double from_x = later.mean_x - mean_x;
    const double from_y = later.mean_y - mean_y;
    const double weight = count * later.count / both;
    mean_x += from_x * later.count / both;
    mean_y += from_y * later.count / both;
    squares_x += later.squares_x + from_x * from_x * weight;
    squares_y += later.squares_y + from_y * from_y * weight;
    products += later.products + from_x * from_y * weight;
    count = both;
  }
};

}  // namespace phalanx::frames
