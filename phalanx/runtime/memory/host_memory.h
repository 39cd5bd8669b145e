// Memory of the host for the CPU device: aligned, in huge pages, and kept for the next array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace phalanx::runtime {

struct HostMemoryInfo {
  std::uint64_t free = 0;
  std::uint64_t total = 0;
};

// What the system says, and the limit of the control group where there is one.
HostMemoryInfo host_memory_info();

// Large blocks that are given back stay mapped, up to a limit: the first touch of fresh pages costs
// more than most kernels. Of each small size a few are kept: the system's allocator takes as long
// for an aligned block as a kernel for its elements. Medium ones are kept, too: that allocator
// gives another place each time, which no cache has. Safe to be used by many threads.
class HostPool {
 public:
  static constexpr std::size_t alignment = 64;

  HostPool() = default;
  ~HostPool();
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;

  void* allocate(std::size_t bytes);  // throws OutOfMemoryError; not initialised
  void free(void* memory, std::size_t bytes) noexcept;
  void trim() noexcept;

  std::uint64_t used() const;
  std::uint64_t cached() const;

 private:
  // Blocks of one small size.
  struct Shelf {
    static constexpr std::size_t most = 4;
    std::array<void*, most> blocks = {};
    std::size_t count = 0;
  };
  static constexpr std::size_t most_small_bytes = 16384;
  using Blocks = std::map<std::size_t, std::vector<void*>>;  // by size

  void* take_cached(std::size_t bytes);
  bool keep(void* memory, std::size_t bytes);
  Blocks drop_medium(std::size_t bytes);

  mutable std::mutex mutex_;
  Blocks cache_;                                                      // medium and large ones
  std::array<Shelf, most_small_bytes / alignment + 1> shelves_ = {};  // by size / alignment
  std::uint64_t used_ = 0;
  std::uint64_t cached_ = 0;
  std::uint64_t medium_ = 0;  // of these, the medium blocks
  std::uint64_t total_ = 0;   // of the machine; read at the first large block
};

}  // namespace phalanx::runtime
