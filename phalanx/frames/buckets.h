// A stable partition of rows into buckets: where each row goes, and the way there and back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "phalanx/frames/memory.h"
#include "phalanx/frames/parts.h"

namespace phalanx::frames {

// Rows of a bucket stay in their order. Each part of the rows has a place of its own in each
// bucket, so that parts are moved at once by several threads.
class Buckets {
 public:
  using Number = std::uint16_t;
  static constexpr std::int64_t most = 1 << 11;  // their last cache lines and pages stay at hand

  // `number(first, count, Number* numbers)` tells the buckets of a block of rows.
  template <typename NumberOf>
  Buckets(runtime::Runtime& runtime, std::int64_t rows, std::int64_t count, const NumberOf& number)
      : runtime_(runtime),
        parts_(runtime, rows, parts_of_thread),
        count_(count),
        numbers_(runtime, rows),
        places_(static_cast<std::size_t>(parts_.count() * count)),
        begins_(static_cast<std::size_t>(count + 1)) {
    for_each_task(runtime_, parts_.count(), [&](std::int64_t part) {
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(count_));
      for_blocks(parts_.begin(part), parts_.end(part), [&](std::int64_t first, std::int64_t size) {
        Number* const numbers = numbers_.data() + first;
        number(first, size, numbers);
        for (std::int64_t i = 0; i < size; ++i) ++sizes[numbers[i]];
      });
      std::ranges::copy(sizes, places_of(part));
    });
    place_parts();
  }

  Number number(std::int64_t row) const { return numbers_[row]; }
  const Parts& parts() const { return parts_; }
  std::int64_t count() const { return count_; }
  std::int64_t begin(std::int64_t bucket) const { return begins_[at(bucket)]; }
  std::int64_t end(std::int64_t bucket) const { return begins_[at(bucket + 1)]; }
  // Where the rows of a part begin in a bucket.
  std::int64_t begin(std::int64_t part, std::int64_t bucket) const {
    return places_[at(part * count_ + bucket)];
  }

  // Moves what `source(first, count, T* block)` gives of the rows to their buckets.
  template <typename T, typename Source>
  void scatter(const Source& source, T* to) const {
    for_each_task(runtime_, parts_.count(), [&](std::int64_t part) {
      std::vector<std::int64_t> next = places_from(part);
      T block[block_rows];
      for_blocks(parts_.begin(part), parts_.end(part), [&](std::int64_t first, std::int64_t size) {
        source(first, size, block);
        const Number* const numbers = numbers_.data() + first;
        for (std::int64_t i = 0; i < size; ++i) to[next[numbers[i]]++] = block[i];
      });
    });
  }
  template <typename T>
  void scatter_from(const T* from, T* to) const {
    scatter<T>(
        [from](std::int64_t first, std::int64_t size, T* block) {
          std::copy_n(from + first, size, block);
        },
        to);
  }

  // Calls `visit(row, place)` for the rows of a part in their order.
  template <typename Visit>
  void walk(std::int64_t part, const Visit& visit) const {
    std::vector<std::int64_t> next = places_from(part);
    for (std::int64_t row = parts_.begin(part); row < parts_.end(part); ++row)
      visit(row, next[numbers_[row]]++);
  }

 private:
  static constexpr std::int64_t parts_of_thread = 4;

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::vector<std::int64_t>::iterator places_of(std::int64_t part) {
    return places_.begin() + part * count_;
  }
  std::vector<std::int64_t> places_from(std::int64_t part) const {
    const auto first = places_.begin() + part * count_;
    return {first, first + count_};
  }

  // Sizes become the first elements' numbers.
  void place_parts() {
    std::int64_t place = 0;
    for (std::int64_t bucket = 0; bucket < count_; ++bucket) {
      begins_[at(bucket)] = place;
      for (std::int64_t part = 0; part < parts_.count(); ++part) {
        std::int64_t& own = places_[at(part * count_ + bucket)];
        const std::int64_t size = own;
        own = place;
        place += size;
      }
    }
    begins_[at(count_)] = place;
  }

  runtime::Runtime& runtime_;
  Parts parts_;
  std::int64_t count_;
  Memory<Number> numbers_;
  std::vector<std::int64_t> places_;  // by part and bucket
  std::vector<std::int64_t> begins_;  // of the buckets, and the end
};

}  // namespace phalanx::frames
