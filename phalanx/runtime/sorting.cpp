#include "phalanx/runtime/sorting.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/routines.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/parallel.h"
#include "phalanx/runtime/routines.h"
#include "phalanx/runtime/runtime.h"
#include "phalanx/runtime/thread_limit.h"

namespace phalanx::runtime {
namespace {

constexpr std::int64_t least_piece = 1 << 16;  // numbers that are worth a thread
// A number is compared with all splitters, which with more of them takes longer than its sort.
constexpr std::int64_t most_buckets = 32;
constexpr std::uint64_t grain = 1 << 13;  // likewise, of short rows

void* routine(std::string_view name, DType dtype) {
  return find_routine(
      std::string(routine_prefix) + std::string(name) + "." + std::string(info(dtype).name));
}

// One row, by several threads: splitters out of a sample say what the numbers of each bucket lie
// between, the threads move the row's pieces to the buckets, and sort those where they lie.
// W. D. Frazer, A. C. McKellar, Samplesort: A Sampling Approach to Minimal Storage Tree Sorting,
// JACM 17(3), 1970.
template <typename T>
class LongRow {
 public:
  // `buckets`: from 2.
  LongRow(Runtime& runtime, DType dtype, const T* values, std::int64_t count, std::int64_t buckets)
      : runtime_(runtime),
        values_(values),
        count_(count),
        buckets_(buckets),
        sort_(find<Sort>("sort", dtype)),
        count_below_(find<CountBelow>("count_below", dtype)),
        distribute_(find<Distribute>("distribute", dtype)),
        splitters_(static_cast<std::size_t>(buckets - 1)),
        below_(static_cast<std::size_t>(buckets * buckets)),
        next_(below_.size()) {}

  // `sorted`: other memory than the values'.
  void sort_to(T* sorted) {
    choose_splitters();
    for_each(&LongRow::count_piece);
    place_pieces(sorted);
    for_each(&LongRow::move_piece);
    for_each(&LongRow::sort_bucket);
  }

 private:
  using Sort = std::int64_t(T*, std::int64_t);
  using CountBelow =
      std::int64_t(const T*, std::int64_t, const T*, std::int64_t, std::int64_t* below);
  using Distribute = std::int64_t(const T*, std::int64_t, const T*, std::int64_t, T** next);

  template <typename Function>
  static Function* find(std::string_view name, DType dtype) {
    void* const found = routine(name, dtype);
    PHX_ASSERT(found != nullptr);
    return reinterpret_cast<Function*>(found);
  }

  void for_each(void (LongRow::*work)(std::int64_t)) {
    parallel_for(
        runtime_, static_cast<std::uint64_t>(buckets_), 1, [&](std::uint64_t i, std::uint64_t end) {
          for (; i < end; ++i) (this->*work)(static_cast<std::int64_t>(i));
        });
  }

  // There are as many pieces as buckets.
  std::int64_t begin_of(std::int64_t piece) const {
    return count_ / buckets_ * piece + std::min(piece, count_ % buckets_);
  }
  std::int64_t size_of_piece(std::int64_t piece) const {
    return begin_of(piece + 1) - begin_of(piece);
  }
  std::size_t place_of(std::int64_t piece, std::int64_t bucket) const {
    return static_cast<std::size_t>(piece * buckets_ + bucket);
  }

  void choose_splitters() {
    constexpr std::size_t sampled = 256;  // for each bucket, whose sizes differ by some six percent
    std::vector<T> sample((splitters_.size() + 1) * sampled);
    std::uint64_t state = 0x9e3779b97f4a7c15;
    for (T& each : sample) {
      state = state * 6364136223846793005 + 1442695040888963407;
      each = not_nan(values_[(state >> 1U) % static_cast<std::uint64_t>(count_)]);
    }
    std::sort(sample.begin(), sample.end());
    for (std::size_t i = 0; i < splitters_.size(); ++i) splitters_[i] = sample[(i + 1) * sampled];
  }
  static T not_nan(T value) {
    if constexpr (std::is_floating_point_v<T>)
      return value == value ? value : std::numeric_limits<T>::infinity();
    else
      return value;
  }

  void count_piece(std::int64_t piece) {
    const std::int64_t size = size_of_piece(piece);
    std::int64_t* const below = &below_[place_of(piece, 0)];
    count_below_(values_ + begin_of(piece), size, splitters_.data(), buckets_ - 1, below);
    below[buckets_ - 1] = size;
  }

  void place_pieces(T* place) {
    for (std::int64_t bucket = 0; bucket < buckets_; ++bucket)
      for (std::int64_t piece = 0; piece < buckets_; ++piece) {
        next_[place_of(piece, bucket)] = place;
        place += below_[place_of(piece, bucket)];
        if (bucket != 0)
          place -= below_[place_of(piece, bucket - 1)];
      }
    begin_ = next_[0];
  }

  void move_piece(std::int64_t piece) {
    T** const next = &next_[place_of(piece, 0)];
    distribute_(
        values_ + begin_of(piece), size_of_piece(piece), splitters_.data(), buckets_ - 1, next);
  }

  // A bucket ends where the last piece's numbers of it do.
  void sort_bucket(std::int64_t bucket) {
    T* const begin = bucket == 0 ? begin_ : next_[place_of(buckets_ - 1, bucket - 1)];
    sort_(begin, next_[place_of(buckets_ - 1, bucket)] - begin);
  }

  Runtime& runtime_;
  const T* values_;
  std::int64_t count_;
  std::int64_t buckets_;
  Sort* sort_;
  CountBelow* count_below_;
  Distribute* distribute_;
  T* begin_ = nullptr;
  std::vector<T> splitters_;
  // Of each piece and bucket: how many of the piece are less than the bucket's end, and where its
  // numbers of the bucket go.
  std::vector<std::int64_t> below_;
  std::vector<T*> next_;
};

// 1 where one thread is as good.
template <typename T>
std::int64_t buckets_of(Runtime& runtime, std::int64_t count) {
  const std::int64_t all = runtime.cpu().limits().multiprocessors;
  const std::int64_t threads =
      thread_limit() == 0 ? all : std::min<std::int64_t>(thread_limit(), all);
  const std::int64_t most = std::min({threads, most_buckets, count / least_piece});
  return sizeof(T) < 4 || most < 2 ? 1 : most;  // small numbers are counted
}

// Calls `visit` with a number of the dtype's type.
template <typename Visit>
void with_type(DType dtype, const Visit& visit) {
  switch (dtype) {
    case DType::boolean:
    case DType::uint8:
      return visit(std::uint8_t{});
    case DType::int8:
      return visit(std::int8_t{});
    case DType::int16:
      return visit(std::int16_t{});
    case DType::uint16:
      return visit(std::uint16_t{});
    case DType::int32:
      return visit(std::int32_t{});
    case DType::uint32:
      return visit(std::uint32_t{});
    case DType::int64:
      return visit(std::int64_t{});
    case DType::uint64:
      return visit(std::uint64_t{});
    case DType::float32:
      return visit(float{});
    case DType::float64:
      return visit(double{});
    default:
      PHX_ASSERT(false);
  }
}

template <typename Body>
void for_each_row(Runtime& runtime, const SortedRows& shape, const Body& body) {
  const auto rows_at_least =
      grain / static_cast<std::uint64_t>(std::max<std::int64_t>(shape.count, 1));
  parallel_for(
      runtime,
      static_cast<std::uint64_t>(shape.rows),
      std::max<std::uint64_t>(rows_at_least, 1),
      [&](std::uint64_t row, std::uint64_t end) {
        for (; row < end; ++row) body(static_cast<std::int64_t>(row) * shape.count);
      });
}

// A number of 32 bits that sorts as the value does: the greatest for NaN.
template <typename T>
std::uint32_t sortable(T value) {
  constexpr std::uint32_t sign = std::uint32_t{1} << 31;
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value)
      return ~std::uint32_t{0};
    const auto bits = std::bit_cast<std::uint32_t>(value + T{0});  // -0.0 is 0.0
    return bits & sign ? ~bits : bits | sign;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value)) ^ sign;
  } else {
    return value;
  }
}

// Keys with the indices as their low part, which makes it stable.
template <typename T>
void argsort_long_row(
    Runtime& runtime,
    const T* values,
    std::int64_t count,
    std::int64_t buckets,
    std::int64_t* order) {
  constexpr std::uint64_t low = std::numeric_limits<std::uint32_t>::max();
  const auto size = static_cast<std::uint64_t>(count);
  const std::unique_ptr<std::uint64_t[]> keys(new std::uint64_t[size]);
  parallel_for(runtime, size, grain, [&](std::uint64_t i, std::uint64_t end) {
    for (; i < end; ++i) keys[i] = std::uint64_t{sortable(values[i])} << 32U | i;
  });
  auto* const sorted = reinterpret_cast<std::uint64_t*>(order);
  LongRow<std::uint64_t>(runtime, DType::uint64, keys.get(), count, buckets).sort_to(sorted);
  parallel_for(runtime, size, grain, [&](std::uint64_t i, std::uint64_t end) {
    for (; i < end; ++i) sorted[i] &= low;
  });
}

}  // namespace

bool has_sort(DType dtype) {
  return (is_integer(dtype) || is_boolean(dtype) || dtype == DType::float32 ||
          dtype == DType::float64) &&
         routine("sort", dtype) != nullptr && routine("argsort", dtype) != nullptr;
}

void sort_rows(Runtime& runtime, const SortedRows& shape, const void* values, void* sorted) {
  with_type(shape.dtype, [&](auto kind) {
    using T = decltype(kind);
    const T* const from = static_cast<const T*>(values);
    T* const to = static_cast<T*>(sorted);
    const std::int64_t buckets = buckets_of<T>(runtime, shape.count);
    if (shape.rows < buckets) {
      for (std::int64_t at = 0; at < shape.rows * shape.count; at += shape.count)
        LongRow<T>(runtime, shape.dtype, from + at, shape.count, buckets).sort_to(to + at);
      return;
    }
    const auto sort =
        reinterpret_cast<std::int64_t (*)(T*, std::int64_t)>(routine("sort", shape.dtype));
    for_each_row(runtime, shape, [&](std::int64_t first) {
      std::copy_n(from + first, shape.count, to + first);
      sort(to + first, shape.count);
    });
  });
}

void argsort_rows(
    Runtime& runtime, const SortedRows& shape, const void* values, std::int64_t* order) {
  with_type(shape.dtype, [&](auto kind) {
    using T = decltype(kind);
    const T* const numbers = static_cast<const T*>(values);
    if constexpr (sizeof(T) < 8) {
      const bool fits = shape.count <= std::numeric_limits<std::uint32_t>::max();
      const std::int64_t buckets = buckets_of<std::uint64_t>(runtime, shape.count);
      if (fits && shape.rows < buckets) {
        for (std::int64_t at = 0; at < shape.rows * shape.count; at += shape.count)
          argsort_long_row(runtime, numbers + at, shape.count, buckets, order + at);
        return;
      }
    }
    const auto argsort = reinterpret_cast<std::int64_t (*)(const T*, std::int64_t, std::int64_t*)>(
        routine("argsort", shape.dtype));
    for_each_row(runtime, shape, [&](std::int64_t first) {
      if (argsort(numbers + first, shape.count, order + first) != 0)
        throw std::bad_alloc();
    });
  });
}

}  // namespace phalanx::runtime
