// Check mode: the shadow memory of a launch's arrays, kept from launch to launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/base/cpu_kernel.h"

namespace phalanx::runtime::cpu {

class ShadowMemory {
 public:
  ShadowMemory();
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  // Zeroed memory of words; whole pages come from the system when they are first touched.
  class Words;

  // What one launch has of it, until it is over.
  struct Lease {
    std::vector<ShadowedArray> arrays;  // one more than the binary has: the end of the list
    std::vector<std::shared_ptr<Words>> memory;
    std::uint64_t first_epoch = 0;
  };

  // Arrays that overlap in memory share their words. Throws OutOfMemoryError.
  Lease take(const Entry& entry, std::span<const std::byte> parameters, std::uint64_t blocks);
  void give_back(Lease lease);

 private:
  std::shared_ptr<Words> words(std::size_t bytes);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Words>> free_;
  std::uint64_t next_epoch_ = 1;
};

}  // namespace phalanx::runtime::cpu
