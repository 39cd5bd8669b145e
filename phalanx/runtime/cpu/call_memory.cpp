#include "phalanx/runtime/cpu/call_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "phalanx/runtime/memory/huge_pages.h"

namespace phalanx::runtime::cpu {

namespace {

constexpr std::size_t alignment = 64;

}  // namespace

struct alignas(alignment) CallMemory::Block {
  Block* before;
  std::uint64_t bytes;
  void* whole;  // what `free` takes

  std::byte* memory() { return reinterpret_cast<std::byte*>(this + 1); }
};

std::byte* CallMemory::allocate(std::uint64_t bytes, bool is_zeroed) {
  constexpr std::size_t overhead = sizeof(Block) + alignment;
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  const std::size_t total = bytes + overhead;
  // Zeroed memory comes from the system without being touched.
  void* whole = is_zeroed ? std::calloc(1, total) : std::malloc(total);
  if (whole == nullptr)
    return nullptr;
  prefer_huge_pages(whole, total);
  void* place = whole;
  std::size_t room = total;
  std::align(alignment, bytes + sizeof(Block), place, room);
  auto* block = new (place) Block{last_, bytes, whole};
  last_ = block;
  return block->memory();
}

// The end counts too: an empty view may begin there.
bool CallMemory::holds(const Block& block, const std::byte* address) {
  const auto* memory = const_cast<Block&>(block).memory();
  return address >= memory && address <= memory + block.bytes;
}

void CallMemory::release(std::uint64_t mark, const std::byte* const* kept, std::uint64_t count) {
  Block** link = &last_;
  while (*link != nullptr && reinterpret_cast<std::uintptr_t>(*link) != mark) {
    Block* block = *link;
    const bool is_kept = std::any_of(
        kept, kept + count, [&](const std::byte* address) { return holds(*block, address); });
    if (is_kept) {
      link = &block->before;
    } else {
      *link = block->before;
      std::free(block->whole);
    }
  }
}

std::shared_ptr<void> CallMemory::take(const std::byte* address) {
  for (Block** link = &last_; *link != nullptr; link = &(*link)->before) {
    Block* block = *link;
    if (!holds(*block, address))
      continue;
    *link = block->before;
    return {block->memory(), [whole = block->whole](void*) { std::free(whole); }};
  }
  return nullptr;
}

}  // namespace phalanx::runtime::cpu
