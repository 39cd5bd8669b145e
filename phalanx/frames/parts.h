// Rows cut into parts, one after another, that threads take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "phalanx/runtime/parallel.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

inline constexpr std::int64_t block_rows = 1024;          // what a stage hands to the next, in L1
inline constexpr std::int64_t rows_for_thread = 1 << 14;  // that are worth a thread
inline constexpr std::uint64_t loop_grain = rows_for_thread;

// The threads that a loop of the calling thread may take.
std::int64_t usable_threads(runtime::Runtime& runtime);

class Parts {
 public:
  // `per_thread`: more parts than threads, so that one which waits for its processor holds up less.
  Parts(runtime::Runtime& runtime, std::int64_t rows, std::int64_t per_thread = 1)
      : rows_(rows),
        count_(std::clamp<std::int64_t>(
            rows / rows_for_thread, 1, usable_threads(runtime) * per_thread)) {}

  std::int64_t count() const { return count_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t begin(std::int64_t part) const {
    return rows_ / count_ * part + std::min(part, rows_ % count_);
  }
  std::int64_t end(std::int64_t part) const { return begin(part + 1); }

 private:
  std::int64_t rows_;
  std::int64_t count_;
};

// Calls `body(i)` for each of [0, count), on all threads.
template <typename Body>
void for_each_task(runtime::Runtime& runtime, std::int64_t count, const Body& body) {
  runtime::parallel_for(
      runtime, static_cast<std::uint64_t>(count), 1, [&](std::uint64_t i, std::uint64_t end) {
        for (; i < end; ++i) body(static_cast<std::int64_t>(i));
      });
}

// Calls `body(first, last)` for ranges of rows that make up [0, rows), on all threads.
template <typename Body>
void for_ranges(runtime::Runtime& runtime, std::int64_t rows, const Body& body) {
  runtime::parallel_for(
      runtime,
      static_cast<std::uint64_t>(rows),
      loop_grain,
      [&](std::uint64_t first, std::uint64_t last) {
        body(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last));
      });
}

// Calls `body(first, count)` for blocks of at most `block_rows` of [first, last).
template <typename Body>
void for_blocks(std::int64_t first, std::int64_t last, const Body& body) {
  for (; first < last; first += block_rows) body(first, std::min(block_rows, last - first));
}

}  // namespace phalanx::frames
