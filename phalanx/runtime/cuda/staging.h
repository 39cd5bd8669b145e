// Copies between a GPU and pageable memory, in chunks through page-locked buffers.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "phalanx/runtime/cpu/thread_pool.h"
#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/cuda/pinned_pool.h"

namespace phalanx::runtime::cuda {

// The host copies one chunk while the GPU copies another. One copy at a time: two would share the
// same bus.
class Staging {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{16} << 20;
  static constexpr std::size_t slot_count = 3;
  // Smaller copies are left to the driver, which has staging of its own.
  static constexpr std::size_t worthwhile_bytes = std::size_t{256} << 10;

  Staging(Context& context, PinnedPool& pool);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // Returns when `from` has been read.
  void copy_to_device(
      DevicePointer to, const std::byte* from, std::size_t bytes, StreamHandle stream);
  // Returns when `to` has been written.
  void copy_to_host(std::byte* to, DevicePointer from, std::size_t bytes, StreamHandle stream);

 private:
  struct Slot {
    std::byte* memory = nullptr;
    EventHandle event = nullptr;  // the last copy that used it
  };

  Slot& slot_at(std::size_t index);
  using CopyPart = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);
  void copy_on_host(CopyPart copy, std::byte* to, const std::byte* from, std::size_t bytes);

  Context& context_;
  PinnedPool& pool_;
  cpu::ThreadPool threads_;
  std::mutex mutex_;
  std::array<Slot, slot_count> slots_;
};

}  // namespace phalanx::runtime::cuda
