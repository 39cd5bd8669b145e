#include "phalanx/runtime/live_memory.h"

#include <atomic>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

namespace phalanx::runtime {

namespace {

bool is_asked_for() {
  const char* given = std::getenv("PHALANX_CHECK");
  return given != nullptr && *given != '\0' && *given != '0';
}

class Table {
 public:
  void begin() { is_used_ = true; }
  bool is_used() const { return is_used_.load(std::memory_order_relaxed); }

  void add(Address begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    // What was freed there is another's now.
    auto next = ranges_.lower_bound(begin);
    if (next != ranges_.begin() && end_of(std::prev(next)) > begin)
      --next;
    while (next != ranges_.end() && next->first < begin + bytes) next = ranges_.erase(next);
    ranges_[begin] = {bytes, true};
  }

  void remove(Address begin) {
    const std::lock_guard lock(mutex_);
    if (const auto found = ranges_.find(begin); found != ranges_.end())
      found->second.is_live = false;
  }

  void forget(Address begin) {
    const std::lock_guard lock(mutex_);
    ranges_.erase(begin);
  }

  void forget_freed() {
    const std::lock_guard lock(mutex_);
    std::erase_if(ranges_, [](const auto& range) { return !range.second.is_live; });
  }

  std::optional<MemoryRange> find(Address address) {
    const std::lock_guard lock(mutex_);
    const auto next = ranges_.upper_bound(address);
    if (next == ranges_.begin() || end_of(std::prev(next)) <= address)
      return std::nullopt;
    const auto& [begin, range] = *std::prev(next);
    return MemoryRange{begin, range.is_live ? range.bytes : 0};
  }

 private:
  struct Range {
    std::size_t bytes = 0;
    bool is_live = false;
  };
  using Ranges = std::map<Address, Range>;

  static Address end_of(Ranges::const_iterator range) { return range->first + range->second.bytes; }

  std::atomic<bool> is_used_ = is_asked_for();
  std::mutex mutex_;
  Ranges ranges_;  // by where they begin; those that were freed too, while a pool keeps the memory
};

// Buffers may outlive everything else of the process.
Table& table() {
  static auto* const made = new Table;
  return *made;
}

}  // namespace

void note_buffers() { table().begin(); }

std::optional<MemoryRange> buffer_at(Address address) { return table().find(address); }

void note_allocated(Address begin, std::size_t bytes) {
  if (table().is_used())
    table().add(begin, bytes);
}

void note_freed(Address begin) noexcept {
  if (table().is_used())
    table().remove(begin);
}

void note_returned(Address begin) noexcept {
  if (table().is_used())
    table().forget(begin);
}

void note_all_returned() noexcept {
  if (table().is_used())
    table().forget_freed();
}

}  // namespace phalanx::runtime
