#include "phalanx/runtime/cuda/pinned_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/live_memory.h"

namespace phalanx::runtime::cuda {

namespace {

// Pinned memory is taken from everybody else on the machine.
constexpr std::uint64_t cache_limit = std::uint64_t{1} << 30;
constexpr std::size_t page_bytes = 4096;

// Equal sizes share a cache entry: powers of two, and steps of an eighth of one between them.
std::size_t block_bytes(std::size_t bytes) {
  const std::size_t step = std::max(page_bytes, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

}  // namespace

PinnedPool::~PinnedPool() { trim(); }

bool PinnedPool::is_idle(Block& block) noexcept {
  const Driver& driver = context_.driver();
  while (!block.pending.empty()) {
    if (driver.event_query(block.pending.back()) != result::success)
      return false;
    driver.event_destroy(block.pending.back());
    block.pending.pop_back();
  }
  return true;
}

void* PinnedPool::take_cached(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = cache_.find(bytes);
  if (found == cache_.end())
    return nullptr;
  std::vector<Block>& blocks = found->second;
  const auto idle = std::ranges::find_if(blocks, [this](Block& block) { return is_idle(block); });
  if (idle == blocks.end())
    return nullptr;
  void* memory = idle->memory;
  blocks.erase(idle);
  cached_ -= bytes;
  return memory;
}

void* PinnedPool::allocate(std::size_t bytes) {
  const std::size_t taken = block_bytes(bytes);
  const auto scope = context_.enter();
  if (void* memory = take_cached(taken); memory != nullptr)
    return memory;
  void* memory = nullptr;
  const Result outcome =
      context_.driver().host_allocate(&memory, taken, host_portable | host_mapped);
  if (outcome == result::out_of_memory)
    throw OutOfMemoryError(
        fmt::format("the system cannot page-lock {} bytes of host memory", bytes), outcome);
  context_.check(outcome, "host_allocate");
  return memory;
}

void PinnedPool::mark_pending(Block& block, std::span<const StreamHandle> streams) noexcept {
  const Driver& driver = context_.driver();
  for (StreamHandle stream : streams) {
    EventHandle event = nullptr;
    if (driver.event_create(&event, event_without_timing) == result::success &&
        driver.event_record(event, stream) == result::success)
      block.pending.push_back(event);
    else
      driver.stream_synchronize(stream);  // slower, and as safe
  }
}

void PinnedPool::give_up(Block& block) noexcept {
  for (EventHandle event : block.pending) context_.driver().event_destroy(event);
  note_returned(reinterpret_cast<Address>(block.memory));
  context_.driver().host_free(block.memory);  // waits for copies that use it
}

void PinnedPool::free(
    void* memory, std::size_t bytes, std::span<const StreamHandle> streams) noexcept {
  const auto scope = context_.try_enter();
  if (!scope)
    return;  // gone with the context
  const std::size_t taken = block_bytes(bytes);
  Block block{memory, {}};
  mark_pending(block, streams);
  {
    const std::lock_guard lock(mutex_);
    if (cached_ + taken <= cache_limit) {
      cache_[taken].push_back(std::move(block));
      cached_ += taken;
      return;
    }
  }
  give_up(block);
}

void PinnedPool::trim() noexcept {
  const auto scope = context_.try_enter();
  if (!scope)
    return;
  const std::lock_guard lock(mutex_);
  for (auto& [bytes, blocks] : cache_)
    for (Block& block : blocks) give_up(block);
  cache_.clear();
  cached_ = 0;
}

std::uint64_t PinnedPool::cached() const {
  const std::lock_guard lock(mutex_);
  return cached_;
}

}  // namespace phalanx::runtime::cuda
