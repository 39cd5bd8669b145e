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
  bool is_owner;

  std::byte* memory() { return reinterpret_cast<std::byte*>(this + 1); }
};

std::byte* CallMemory::allocate(std::uint64_t bytes, Kind kind) {
  constexpr std::size_t overhead = sizeof(Block) + alignment;
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  const std::size_t total = bytes + overhead;
  // Zeroed memory comes from the system without being touched.
  void* whole = kind == Kind::plain ? std::malloc(total) : std::calloc(1, total);
  if (whole == nullptr)
    return nullptr;
  prefer_huge_pages(whole, total);
  void* aligned = whole;
  std::size_t room = total;
  std::align(alignment, bytes + sizeof(Block), aligned, room);
  auto* block = new (aligned) Block{last_, bytes, whole, kind == Kind::owner};
  last_ = block;
  return block->memory();
}

std::byte* CallMemory::resize(std::byte** owner, std::uint64_t bytes) {
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  void* moved = std::realloc(*owner, std::max<std::uint64_t>(bytes, 1));
  if (moved != nullptr)
    *owner = static_cast<std::byte*>(moved);
  return static_cast<std::byte*>(moved);
}

void CallMemory::free(Block& block) {
  if (block.is_owner)
    std::free(*reinterpret_cast<void**>(block.memory()));
  std::free(block.whole);
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
      free(*block);
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
