#include "phalanx/runtime/memory_account.h"

namespace phalanx::runtime {

bool MemoryAccount::take(std::uint64_t bytes) noexcept {
  const std::uint64_t limit = limit_.load(std::memory_order_relaxed);
  std::uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit || used > limit - bytes)
      return false;
  } while (!used_.compare_exchange_weak(used, used + bytes));
  std::uint64_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < used + bytes && !peak_.compare_exchange_weak(peak, used + bytes)) {
  }
  return true;
}

std::uint64_t MemoryAccount::excess(std::uint64_t bytes) const noexcept {
  const std::uint64_t limit = limit_.load();
  const std::uint64_t wanted = used_.load() + bytes;
  return wanted > limit ? wanted - limit : 0;
}

MemoryUse MemoryAccount::use() const noexcept {
  const std::uint64_t limit = limit_.load();
  return {
      .used = used_.load(),
      .peak = peak_.load(),
      .limit = limit == none ? std::nullopt : std::optional(limit)};
}

}  // namespace phalanx::runtime
