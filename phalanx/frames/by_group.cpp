#include "phalanx/frames/by_group.h"

#include <numeric>

namespace phalanx::frames {

unsigned shift_of_codes(std::int64_t groups, std::int64_t most_buckets) {
  unsigned shift = 0;
  while ((std::max<std::int64_t>(groups, 1) - 1) >> shift >= most_buckets) ++shift;
  return shift;
}

Buckets buckets_of_codes(runtime::Runtime& runtime, const Codes& codes, unsigned shift) {
  const std::int64_t count = codes.groups == 0 ? 0 : ((codes.groups - 1) >> shift) + 1;
  return {
      runtime,
      codes.rows,
      count + 1,
      [&, count](std::int64_t first, std::int64_t size, Buckets::Number* numbers) {
        std::int64_t block[block_rows];
        codes.read(first, size, block);
        for (std::int64_t i = 0; i < size; ++i)
          numbers[i] = static_cast<Buckets::Number>(block[i] < 0 ? count : block[i] >> shift);
      }};
}

ByGroup::ByGroup(runtime::Runtime& runtime, const Codes& codes)
    : runtime_(runtime),
      groups_(codes.groups),
      shift_(shift_of_codes(codes.groups, Buckets::most - 1)),
      buckets_(buckets_of_codes(runtime, codes, shift_)),
      starts_(runtime, codes.groups + 1) {
  if (shift_ == 0) {
    for (std::int64_t group = 0; group <= groups_; ++group) starts_[group] = buckets_.begin(group);
    return;
  }
  locals_ = Memory<std::uint32_t>(runtime, codes.rows);
  const std::int64_t low = (std::int64_t{1} << shift_) - 1;
  buckets_.scatter<std::uint32_t>(
      [&](std::int64_t first, std::int64_t count, std::uint32_t* to) {
        std::int64_t block[block_rows];
        codes.read(first, count, block);
        for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(block[i] & low);
      },
      locals_.data());
  for_each_task(runtime_, buckets_.count() - 1, [&](std::int64_t bucket) { count_locals(bucket); });
  starts_[groups_] = buckets_.begin(buckets_.count() - 1);
}

void ByGroup::count_locals(std::int64_t bucket) {
  const std::int64_t first = bucket << shift_;
  const std::int64_t last = std::min(groups_, (bucket + 1) << shift_);
  std::int64_t* const starts = starts_.data() + first;
  std::fill(starts, starts + (last - first), 0);
  for (std::int64_t i = buckets_.begin(bucket); i < buckets_.end(bucket); ++i) ++starts[locals_[i]];
  std::exclusive_scan(starts, starts + (last - first), starts, buckets_.begin(bucket));
}

std::vector<std::int64_t> ByGroup::starts_of(std::int64_t bucket) const {
  const std::int64_t last = std::min(groups_, (bucket + 1) << shift_);
  return {starts_.data() + (bucket << shift_), starts_.data() + last};
}

RowsByGroup rows_by_group(runtime::Runtime& runtime, const Codes& codes) {
  check_codes(runtime, codes);
  ByGroup order(runtime, codes);
  Memory<std::int64_t> rows(runtime, codes.rows);
  order.arrange<std::int64_t>(
      [](std::int64_t first, std::int64_t count, std::int64_t* to) {
        std::iota(to, to + count, first);
      },
      rows.data());
  rows.shorten(order.starts()[codes.groups]);
  return {std::move(rows), order.take_starts()};
}

}  // namespace phalanx::frames
