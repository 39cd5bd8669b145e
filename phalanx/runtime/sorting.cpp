#include "phalanx/runtime/sorting.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "phalanx/base/errors.h"
#include "phalanx/base/routines.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/parallel.h"
#include "phalanx/runtime/routines.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime {
namespace {

constexpr std::int64_t least_piece = 1 << 16;  // numbers that are worth a thread
constexpr std::uint64_t grain = 1 << 13;       // likewise, of short rows

void* routine(std::string_view name, DType dtype) {
  return find_routine(
      std::string(routine_prefix) + std::string(name) + "." + std::string(info(dtype).name));
}

// NaN is last.
template <typename T>
bool is_less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a < b || (b != b && a == a);
  else
    return a < b;
}

template <typename T>
struct Run {
  const T* first;
  std::int64_t count;
};

// How many of the first `place` numbers of both runs, merged, are the first run's.
template <typename T>
std::int64_t taken_of_first(const Run<T>& a, const Run<T>& b, std::int64_t place) {
  std::int64_t least = std::max<std::int64_t>(0, place - b.count);
  std::int64_t most = std::min(place, a.count);
  while (least < most) {
    const std::int64_t middle = least + (most - least) / 2;
    // Among equal numbers those of the first run come first.
    if (is_less(b.first[place - middle - 1], a.first[middle]))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

// One row, by several threads: pieces are sorted, and merged by twos.
template <typename T>
class LongRow {
 public:
  LongRow(Runtime& runtime, DType dtype, T* values, std::int64_t count, std::int64_t pieces)
      : runtime_(runtime),
        values_(values),
        count_(count),
        pieces_(pieces),
        sort_(reinterpret_cast<std::int64_t (*)(T*, std::int64_t)>(routine("sort", dtype))),
        other_(new T[static_cast<std::size_t>(count)]) {}

  void sort() {
    parallel_for(
        runtime_, static_cast<std::uint64_t>(pieces_), 1, [&](std::uint64_t i, std::uint64_t end) {
          for (; i < end; ++i) {
            const std::int64_t first = begin_of(static_cast<std::int64_t>(i));
            sort_(values_ + first, begin_of(static_cast<std::int64_t>(i) + 1) - first);
          }
        });
    T* from = values_;
    T* to = other_.get();
    for (std::int64_t width = 1; width < pieces_; width *= 2) {
      merge(from, to, width);
      std::swap(from, to);
    }
    if (from != values_)
      std::memcpy(values_, from, static_cast<std::size_t>(count_) * sizeof(T));
  }

 private:
  std::int64_t begin_of(std::int64_t piece) const {
    return count_ / pieces_ * piece + std::min(piece, count_ % pieces_);
  }

  // Each two neighbours of `width` pieces; every thread writes one piece.
  void merge(const T* from, T* to, std::int64_t width) const {
    parallel_for(
        runtime_, static_cast<std::uint64_t>(pieces_), 1, [&](std::uint64_t i, std::uint64_t end) {
          for (; i < end; ++i) merge_piece(from, to, width, static_cast<std::int64_t>(i));
        });
  }
  void merge_piece(const T* from, T* to, std::int64_t width, std::int64_t piece) const {
    const std::int64_t pair = piece / (2 * width) * 2 * width;
    const std::int64_t begin = begin_of(pair);
    const std::int64_t middle = begin_of(pair + width);
    const Run<T> a = {from + begin, middle - begin};
    const Run<T> b = {from + middle, begin_of(pair + 2 * width) - middle};
    const std::int64_t first = begin_of(piece) - begin;
    const std::int64_t last = begin_of(piece + 1) - begin;
    const std::int64_t a_first = taken_of_first(a, b, first);
    const std::int64_t a_last = taken_of_first(a, b, last);
    std::merge(
        a.first + a_first,
        a.first + a_last,
        b.first + (first - a_first),
        b.first + (last - a_last),
        to + begin + first,
        is_less<T>);
  }

  Runtime& runtime_;
  T* values_;
  std::int64_t count_;
  std::int64_t pieces_;  // a power of two
  std::int64_t (*sort_)(T*, std::int64_t);
  std::unique_ptr<T[]> other_;
};

std::int64_t pieces_of(Runtime& runtime, std::int64_t count) {
  const std::int64_t threads = runtime.cpu().limits().multiprocessors;
  const std::int64_t most = std::min(threads, count / least_piece);
  return most < 2 ? 1 : static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)));
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
void argsort_long_row(Runtime& runtime, const T* values, std::int64_t count, std::int64_t* order) {
  constexpr std::uint64_t low = std::numeric_limits<std::uint32_t>::max();
  auto* const keys = reinterpret_cast<std::uint64_t*>(order);
  const auto size = static_cast<std::uint64_t>(count);
  parallel_for(runtime, size, grain, [&](std::uint64_t i, std::uint64_t end) {
    for (; i < end; ++i) keys[i] = std::uint64_t{sortable(values[i])} << 32U | i;
  });
  LongRow<std::uint64_t>(runtime, DType::uint64, keys, count, pieces_of(runtime, count)).sort();
  parallel_for(runtime, size, grain, [&](std::uint64_t i, std::uint64_t end) {
    for (; i < end; ++i) keys[i] &= low;
  });
}

}  // namespace

bool has_sort(DType dtype) {
  return (is_integer(dtype) || is_boolean(dtype) || dtype == DType::float32 ||
          dtype == DType::float64) &&
         routine("sort", dtype) != nullptr && routine("argsort", dtype) != nullptr;
}

void sort_rows(Runtime& runtime, const SortedRows& shape, void* values) {
  with_type(shape.dtype, [&](auto kind) {
    using T = decltype(kind);
    T* const numbers = static_cast<T*>(values);
    const std::int64_t pieces = pieces_of(runtime, shape.count);
    if (shape.rows < pieces) {
      for (std::int64_t row = 0; row < shape.rows; ++row)
        LongRow<T>(runtime, shape.dtype, numbers + row * shape.count, shape.count, pieces).sort();
      return;
    }
    const auto sort =
        reinterpret_cast<std::int64_t (*)(T*, std::int64_t)>(routine("sort", shape.dtype));
    for_each_row(runtime, shape, [&](std::int64_t first) { sort(numbers + first, shape.count); });
  });
}

void argsort_rows(
    Runtime& runtime, const SortedRows& shape, const void* values, std::int64_t* order) {
  with_type(shape.dtype, [&](auto kind) {
    using T = decltype(kind);
    const T* const numbers = static_cast<const T*>(values);
    if constexpr (sizeof(T) < 8) {
      const bool fits = shape.count <= std::numeric_limits<std::uint32_t>::max();
      if (fits && shape.rows < pieces_of(runtime, shape.count)) {
        for (std::int64_t first = 0; first < shape.rows * shape.count; first += shape.count)
          argsort_long_row(runtime, numbers + first, shape.count, order + first);
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
