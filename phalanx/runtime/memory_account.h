// How much memory of a device is in use, and how much may be.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Device;

struct MemoryUse {
  std::uint64_t used = 0;  // in live buffers of kind `device`
  std::uint64_t peak = 0;
  std::optional<std::uint64_t> limit;
};

class PHX_API MemoryAccount {  // thread-safe
 public:
  // False, and nothing is taken, where the limit has no room for so many bytes.
  bool take(std::uint64_t bytes) noexcept;
  void give_back(std::uint64_t bytes) noexcept { used_.fetch_sub(bytes); }

  void set_limit(std::optional<std::uint64_t> bytes) noexcept { limit_ = bytes.value_or(none); }
  // How far above the limit so many more bytes would be.
  std::uint64_t excess(std::uint64_t bytes) const noexcept;
  MemoryUse use() const noexcept;

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  std::atomic<std::uint64_t> used_ = 0;
  std::atomic<std::uint64_t> peak_ = 0;
  std::atomic<std::uint64_t> limit_ = none;
};

// Who holds memory that it can do without for a while. Called by threads that allocate, before
// they fail for lack of memory.
class PHX_API MemoryReclaimer {
 public:
  MemoryReclaimer() = default;
  virtual ~MemoryReclaimer() = default;
  MemoryReclaimer(const MemoryReclaimer&) = delete;
  MemoryReclaimer& operator=(const MemoryReclaimer&) = delete;

  // Gives back at least so many bytes, in the order of the default stream, and says how many; less
  // where there is no more.
  virtual std::uint64_t reclaim(Device& device, std::uint64_t bytes) = 0;
  // Who holds most, for the message of the error; "" where nothing is known.
  virtual std::string holders(Device& device) = 0;
};

}  // namespace phalanx::runtime
