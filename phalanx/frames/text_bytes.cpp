#include "phalanx/frames/text_bytes.h"

#include <numeric>
#include <vector>

#include "phalanx/frames/parts.h"

namespace phalanx::frames {

std::int64_t add_sizes(runtime::Runtime& runtime, Memory<std::int64_t>& offsets) {
  offsets[0] = 0;
  std::int64_t* const sizes = offsets.data() + 1;
  const Parts parts(runtime, offsets.size() - 1, 4);
  std::vector<std::int64_t> before(static_cast<std::size_t>(parts.count()) + 1);
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    before[static_cast<std::size_t>(part) + 1] =
        std::accumulate(sizes + parts.begin(part), sizes + parts.end(part), std::int64_t{0});
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    std::int64_t at = before[static_cast<std::size_t>(part)];
    for (std::int64_t i = parts.begin(part); i < parts.end(part); ++i) sizes[i] = at += sizes[i];
  });
  return before.back();
}

}  // namespace phalanx::frames
