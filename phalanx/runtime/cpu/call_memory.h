// The memory that one call of a CPU function allocates: freed with the call, but what it returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace phalanx::runtime::cpu {

// Blocks in the order of their making. Used by the calling thread only.
class CallMemory {
 public:
  CallMemory() = default;
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;
  ~CallMemory() { release(0, nullptr, 0); }

  enum class Kind : std::uint8_t { plain, zeroed, owner };
  // Null when there is no memory left.
  std::byte* allocate(std::uint64_t bytes, Kind kind);
  // The memory whose address is the first word of an owner, which frees it.
  static std::byte* resize(std::byte** owner, std::uint64_t bytes);
  std::uint64_t mark() const { return reinterpret_cast<std::uintptr_t>(last_); }
  // See CpuServices::release.
  void release(std::uint64_t mark, const std::byte* const* kept, std::uint64_t count);

  // The block that the address lies in, which outlives the call then; null if none of ours.
  std::shared_ptr<void> take(const std::byte* address);

 private:
  struct Block;  // lies before its memory
  static bool holds(const Block& block, const std::byte* address);
  static void free(Block& block);

  Block* last_ = nullptr;
};

}  // namespace phalanx::runtime::cpu
