#include "phalanx/runtime/memory/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <new>
#include <span>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/live_memory.h"
#include "phalanx/runtime/memory/huge_pages.h"

namespace phalanx::runtime {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t large_bytes = std::size_t{1} << 20;
// Of the sizes between small and large ones, so much is kept.
constexpr std::size_t most_medium_bytes = std::size_t{32} << 20;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t most_rounded_bytes = std::size_t{64} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// The size that is really taken: equal sizes share a cache entry. Of large blocks there are eight
// sizes between a power of two and the next, so that arrays of nearly the same size take each
// other's place; what is behind the array is never touched and takes no memory.
constexpr std::size_t block_bytes(std::size_t bytes) {
  if (bytes < large_bytes)
    return round_up(bytes, HostPool::alignment);
  const std::size_t page = bytes < 4 * huge_page_bytes ? page_bytes : huge_page_bytes;
  return round_up(bytes, std::clamp(std::bit_floor(bytes) / 8, page, most_rounded_bytes));
}

std::uint64_t number_in(const char* path, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : otherwise;
}

void* fresh_block(std::size_t bytes) {
  const bool is_huge = bytes >= 2 * huge_page_bytes;
  const std::size_t alignment = is_huge ? huge_page_bytes : HostPool::alignment;
  void* memory = ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
  if (memory != nullptr)
    prefer_huge_pages(memory, bytes);
  return memory;
}

void free_block(void* memory, std::size_t bytes) noexcept {
  note_returned(reinterpret_cast<Address>(memory));
  const std::size_t alignment =
      bytes >= 2 * huge_page_bytes ? huge_page_bytes : HostPool::alignment;
  ::operator delete(memory, std::align_val_t{alignment});
}

void free_blocks(const std::map<std::size_t, std::vector<void*>>& by_size) noexcept {
  for (const auto& [bytes, blocks] : by_size)
    for (void* memory : blocks) free_block(memory, bytes);
}

}  // namespace

HostMemoryInfo host_memory_info() {
  HostMemoryInfo result;
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::string unit;
  std::uint64_t kilobytes = 0;
  while (file >> key >> kilobytes) {
    if (key == "MemTotal:")
      result.total = kilobytes * 1024;
    if (key == "MemAvailable:")
      result.free = kilobytes * 1024;
    std::getline(file, unit);
  }
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max", result.total);
  if (limit < result.total) {
    const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
    result.total = limit;
    result.free = std::min(result.free, limit - std::min(used, limit));
  }
  return result;
}

HostPool::~HostPool() { trim(); }

void* HostPool::take_cached(std::size_t bytes) {
  if (bytes <= most_small_bytes) {
    Shelf& shelf = shelves_.at(bytes / alignment);
    if (shelf.count == 0)
      return nullptr;
    cached_ -= bytes;
    return shelf.blocks.at(--shelf.count);
  }
  const auto found = cache_.find(bytes);
  if (found == cache_.end())
    return nullptr;
  void* memory = found->second.back();  // the last one that was used: its lines are in the caches
  found->second.pop_back();
  if (found->second.empty())
    cache_.erase(found);
  cached_ -= bytes;
  if (bytes < large_bytes)
    medium_ -= bytes;
  return memory;
}

// False where there are enough of that size.
bool HostPool::keep(void* memory, std::size_t bytes) {
  if (bytes <= most_small_bytes) {
    Shelf& shelf = shelves_.at(bytes / alignment);
    if (shelf.count == Shelf::most)
      return false;
    shelf.blocks.at(shelf.count++) = memory;
  } else if (bytes < large_bytes) {
    cache_[bytes].push_back(memory);
    medium_ += bytes;
  } else if (cached_ + bytes <= total_ / 8) {
    cache_[bytes].push_back(memory);
  } else {
    return false;
  }
  cached_ += bytes;
  return true;
}

// All medium blocks, where one more would be too many: they are of sizes that nobody asks for now.
HostPool::Blocks HostPool::drop_medium(std::size_t bytes) {
  Blocks dropped;
  if (bytes <= most_small_bytes || bytes >= large_bytes || medium_ + bytes <= most_medium_bytes)
    return dropped;
  for (auto it = cache_.begin(); it != cache_.end() && it->first < large_bytes;) {
    cached_ -= it->first * it->second.size();
    dropped.insert(cache_.extract(it++));
  }
  medium_ = 0;
  return dropped;
}

void* HostPool::allocate(std::size_t bytes) {
  const std::size_t taken = bytes > SIZE_MAX / 2 ? bytes : block_bytes(bytes);
  bool is_possible = true;
  {
    const std::lock_guard lock(mutex_);
    if (void* memory = take_cached(taken); memory != nullptr) {
      used_ += taken;
      return memory;
    }
    if (taken >= large_bytes) {
      if (total_ == 0)
        total_ = host_memory_info().total;
      // Linux promises more than it has: more than the whole machine is refused here.
      is_possible = bytes <= total_;
    }
  }
  void* memory = is_possible ? fresh_block(taken) : nullptr;
  if (memory == nullptr && is_possible) {
    trim();
    memory = fresh_block(taken);
  }
  const std::lock_guard lock(mutex_);
  if (memory == nullptr) {
    const HostMemoryInfo info = host_memory_info();
    throw OutOfMemoryError(fmt::format(
        "out of memory on the CPU device: {} bytes asked, {} free of {}; held by Phalanx: {} in "
        "use, {} cached",
        bytes,
        info.free,
        info.total,
        used_,
        cached_));
  }
  used_ += taken;
  return memory;
}

void HostPool::free(void* memory, std::size_t bytes) noexcept {
  const std::size_t taken = block_bytes(bytes);
  bool is_kept = false;
  Blocks dropped;
  {
    const std::lock_guard lock(mutex_);
    used_ -= taken;
    dropped = drop_medium(taken);
    is_kept = keep(memory, taken);
  }
  if (!is_kept)
    free_block(memory, taken);
  free_blocks(dropped);
}

void HostPool::trim() noexcept {
  Blocks dropped;
  std::array<Shelf, most_small_bytes / alignment + 1> shelves = {};
  {
    const std::lock_guard lock(mutex_);
    dropped.swap(cache_);
    shelves.swap(shelves_);
    cached_ = 0;
    medium_ = 0;
  }
  for (std::size_t i = 0; i < shelves.size(); ++i) {
    for (void* memory : std::span(shelves.at(i).blocks).first(shelves.at(i).count))
      free_block(memory, i * alignment);
  }
  free_blocks(dropped);
}

std::uint64_t HostPool::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::uint64_t HostPool::cached() const {
  const std::lock_guard lock(mutex_);
  return cached_;
}

}  // namespace phalanx::runtime
