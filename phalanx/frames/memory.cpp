#include "phalanx/frames/memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace phalanx::frames {

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t cache_line = 64;

}  // namespace

void* allocate_bytes(std::size_t bytes) {
  const bool is_long = bytes >= 2 * huge_page;
  const std::size_t unit = is_long ? huge_page : cache_line;
  const std::size_t size = (bytes / unit + 1) * unit;
  void* const made = size < bytes ? nullptr : std::aligned_alloc(unit, size);
  if (made == nullptr)
    throw std::bad_alloc();
  // A page fault for 4 KiB takes as long as filling them does.
  if (is_long)
    ::madvise(made, size, MADV_HUGEPAGE);
  return made;
}

void FreeBytes::operator()(void* bytes) const noexcept { std::free(bytes); }

}  // namespace phalanx::frames
