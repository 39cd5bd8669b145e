#include "phalanx/runtime/memory/host_copy.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <cstring>

namespace phalanx::runtime {

void copy_host_memory(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{512} << 10;
  if (bytes < 2 * piece) {
    std::memcpy(to, from, bytes);
    return;
  }
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, bytes, piece),
      [&](const tbb::blocked_range<std::size_t>& range) {
        std::memcpy(target + range.begin(), source + range.begin(), range.size());
      },
      tbb::simple_partitioner{});
}

}  // namespace phalanx::runtime
