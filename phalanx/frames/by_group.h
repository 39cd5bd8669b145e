// Rows in order of their groups: a stable counting sort by code, in two steps where groups are
// many.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/buckets.h"
#include "phalanx/frames/memory.h"

namespace phalanx::frames {

// Rows in no group come after all others.
class ByGroup {
 public:
  ByGroup(runtime::Runtime& runtime, const Codes& codes);

  // Where each group's rows begin, and after the last where they end.
  const Memory<std::int64_t>& starts() const { return starts_; }
  Memory<std::int64_t> take_starts() { return std::move(starts_); }

  // Writes what `source(first, count, T* block)` gives of the rows in order of the groups.
  template <typename T, typename Source>
  void arrange(const Source& source, T* to) const {
    if (shift_ == 0) {
      buckets_.scatter<T>(source, to);
      return;
    }
    Memory<T> moved(runtime_, buckets_.parts().rows());
    buckets_.scatter<T>(source, moved.data());
    for_each_task(runtime_, buckets_.count() - 1, [&](std::int64_t bucket) {
      std::vector<std::int64_t> next = starts_of(bucket);
      for (std::int64_t i = buckets_.begin(bucket); i < buckets_.end(bucket); ++i)
        to[next[locals_[i]]++] = moved[i];
    });
    const std::int64_t rest = buckets_.begin(buckets_.count() - 1);
    std::copy(moved.data() + rest, moved.data() + moved.size(), to + rest);
  }

 private:
  std::vector<std::int64_t> starts_of(std::int64_t bucket) const;
  void count_locals(std::int64_t bucket);

  runtime::Runtime& runtime_;
  std::int64_t groups_;
  unsigned shift_;  // of codes, to buckets
  Buckets buckets_;
  Memory<std::uint32_t> locals_;  // codes without the bucket's bits, where there are two steps
  Memory<std::int64_t> starts_;
};

// Buckets of codes, as many as fit the caches or fewer, and one for rows in no group.
unsigned shift_of_codes(std::int64_t groups, std::int64_t most_buckets);
Buckets buckets_of_codes(runtime::Runtime& runtime, const Codes& codes, unsigned shift);

// The rows in order of their groups, and where the groups begin and the last one ends.
struct RowsByGroup {
  Memory<std::int64_t> rows;  // those in no group are left out
  Memory<std::int64_t> starts;
};
// Throws ValueError as aggregate does for codes.
PHX_API RowsByGroup rows_by_group(runtime::Runtime& runtime, const Codes& codes);

}  // namespace phalanx::frames
