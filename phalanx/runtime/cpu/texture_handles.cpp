#include "phalanx/runtime/cpu/texture_handles.h"

#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <vector>

namespace phalanx::runtime::cpu {

namespace {

struct Slot {
  std::atomic<std::uint64_t> handle = 0;  // 0: nobody's
  const TextureDescription* description = nullptr;
};

// A handle is the number of a slot, and above it how often the slot was given away. Chunks double,
// so that slots stay where they are for those who read while others are added.
class Table {
 public:
  std::uint64_t add(const TextureDescription& description) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t number = free_.empty() ? next_number() : free_.back();
    if (!free_.empty())
      free_.pop_back();
    Slot& slot = *find(number);
    slot.description = &description;
    const std::uint64_t handle = ++given_ << number_bits | number;
    slot.handle.store(handle, std::memory_order_release);
    return handle;
  }

  void remove(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const auto number = static_cast<std::uint32_t>(handle);
    find(number)->handle.store(0, std::memory_order_release);
    free_.push_back(number);
  }

  const TextureDescription* description_of(std::uint64_t handle) const {
    const Slot* slot = find(static_cast<std::uint32_t>(handle));
    const bool is_there =
        slot != nullptr && handle != 0 && slot->handle.load(std::memory_order_acquire) == handle;
    return is_there ? slot->description : nullptr;
  }

 private:
  static constexpr unsigned number_bits = 32;
  static constexpr std::uint64_t first_chunk = 64;

  // Null where nobody made the chunk.
  Slot* find(std::uint32_t number) const {
    const auto chunk =
        static_cast<unsigned>(std::bit_width(number / first_chunk + std::uint64_t{1}) - 1);
    Slot* slots = chunks_[chunk].load(std::memory_order_acquire);
    return slots == nullptr ? nullptr
                            : slots + (number - first_chunk * ((std::uint64_t{1} << chunk) - 1));
  }

  std::uint32_t next_number() {
    const std::uint32_t number = count_;
    if (find(number) == nullptr) {
      const std::size_t chunk = owned_.size();
      owned_.push_back(std::make_unique<Slot[]>(first_chunk << chunk));
      chunks_[chunk].store(owned_.back().get(), std::memory_order_release);
    }
    ++count_;
    return number;
  }

  std::mutex mutex_;
  std::array<std::atomic<Slot*>, number_bits> chunks_ = {};
  std::vector<std::unique_ptr<Slot[]>> owned_;  // the chunks
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;  // slots that were ever given away
  std::uint64_t given_ = 0;  // handles
};

// Objects may outlive everything else of the process.
Table& table() {
  static auto* const made = new Table;
  return *made;
}

}  // namespace

std::uint64_t add_texture(const TextureDescription& description) {
  return table().add(description);
}

void remove_texture(std::uint64_t handle) noexcept { table().remove(handle); }

const TextureDescription* texture_of(std::uint64_t handle) noexcept {
  return table().description_of(handle);
}

}  // namespace phalanx::runtime::cpu
