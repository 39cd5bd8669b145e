#include "phalanx/runtime/memory/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace phalanx::runtime {

namespace {

constexpr std::size_t least_bytes = std::size_t{4} << 20;  // as NumPy's arrays
constexpr std::uintptr_t page = 4096;

}  // namespace

void prefer_huge_pages(void* memory, std::size_t bytes) {
  if (bytes < least_bytes)
    return;
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (start + page - 1) / page * page;
  // Advice: where it cannot be followed, nothing is lost.
  static_cast<void>(
      ::madvise(reinterpret_cast<void*>(first), start + bytes - first, MADV_HUGEPAGE));
}

}  // namespace phalanx::runtime
