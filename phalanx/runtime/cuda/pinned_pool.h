// Page-locked memory of the host, kept for the next use: the driver takes milliseconds to make it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "phalanx/runtime/cuda/context.h"

namespace phalanx::runtime::cuda {

class PinnedPool {
 public:
  explicit PinnedPool(Context& context) : context_(context) {}
  ~PinnedPool();
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  void* allocate(std::size_t bytes);
  // Copies may still be under way on `streams`: it is used again when they are past this point.
  void free(void* memory, std::size_t bytes, std::span<const StreamHandle> streams) noexcept;
  void trim() noexcept;

  std::uint64_t cached() const;

 private:
  struct Block {
    void* memory = nullptr;
    std::vector<EventHandle> pending;
  };

  bool is_idle(Block& block) noexcept;
  void* take_cached(std::size_t bytes);
  void mark_pending(Block& block, std::span<const StreamHandle> streams) noexcept;
  void give_up(Block& block) noexcept;

  Context& context_;
  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<Block>> cache_;  // by size
  std::uint64_t cached_ = 0;
};

}  // namespace phalanx::runtime::cuda
