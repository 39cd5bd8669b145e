#include "phalanx/runtime/cuda/memory_pool.h"

#include <fmt/format.h>

#include <limits>

#include "phalanx/base/errors.h"
#include "phalanx/base/readable_bytes.h"
#include "phalanx/runtime/live_memory.h"

namespace phalanx::runtime::cuda {

MemoryPool::MemoryPool(Context& context, DeviceHandle device, int ordinal)
    : context_(context), ordinal_(ordinal) {
  const auto scope = context_.enter();
  int has_pools = 0;
  CU_IN(context_, device_attribute(&has_pools, device_has_pools, device));
  if (has_pools == 0)
    return;
  PoolProperties properties;
  properties.location = ordinal;
  CU_IN(context_, pool_create(&pool_, &properties));
  // Without a threshold every synchronisation would give all cached memory back to the system.
  std::uint64_t threshold = std::numeric_limits<std::uint64_t>::max();
  CU_IN(context_, pool_set(pool_, pool_release_threshold, &threshold));
}

MemoryPool::~MemoryPool() {
  if (pool_ == nullptr)
    return;
  note_all_returned();
  if (const auto scope = context_.try_enter())
    context_.driver().pool_destroy(pool_);
}

Result MemoryPool::try_allocate(DevicePointer& memory, std::size_t bytes, StreamHandle stream) {
  if (pool_ == nullptr)
    return context_.driver().memory_allocate(&memory, bytes);
  return context_.driver().pool_allocate(&memory, bytes, pool_, stream);
}

DevicePointer MemoryPool::allocate(std::size_t bytes, StreamHandle stream) {
  const auto scope = context_.enter();
  DevicePointer memory = 0;
  Result outcome = try_allocate(memory, bytes, stream);
  if (outcome == result::out_of_memory) {
    // What is queued to be given back, and what the pool keeps, may be enough in one piece.
    context_.synchronize();
    trim();
    outcome = try_allocate(memory, bytes, stream);
  }
  if (outcome == result::out_of_memory)
    throw_out_of_memory(bytes);
  context_.check(outcome, pool_ == nullptr ? "memory_allocate" : "pool_allocate");
  used_.fetch_add(bytes, std::memory_order_relaxed);
  live_.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void MemoryPool::free(DevicePointer memory, std::size_t bytes, StreamHandle stream) noexcept {
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  live_.fetch_sub(1, std::memory_order_relaxed);
  const auto scope = context_.try_enter();
  if (!scope)
    return;  // a lost context has lost its memory too
  if (pool_ != nullptr) {
    context_.driver().pool_free(memory, stream);
    return;
  }
  note_returned(memory);
  context_.driver().memory_free(memory);  // waits for the device
}

void MemoryPool::trim() {
  if (pool_ == nullptr)
    return;
  note_all_returned();  // the driver does not say which it keeps
  const auto scope = context_.enter();
  CU_IN(context_, pool_trim(pool_, 0));
}

void MemoryPool::give_access(int ordinal) {
  if (pool_ == nullptr)
    return;
  const auto scope = context_.enter();
  PoolAccess access;
  access.location = ordinal;
  CU_IN(context_, pool_access(pool_, &access, 1));
}

std::uint64_t MemoryPool::pool_number(PoolAttribute attribute) const {
  std::uint64_t number = 0;
  if (pool_ == nullptr || context_.driver().pool_get(pool_, attribute, &number) != result::success)
    return 0;
  return number;
}

std::uint64_t MemoryPool::cached() const {
  const std::uint64_t reserved = pool_number(pool_reserved_bytes);
  const std::uint64_t used = pool_number(pool_used_bytes);
  return reserved > used ? reserved - used : 0;
}

void MemoryPool::throw_out_of_memory(std::size_t bytes) {
  std::size_t free = 0;
  std::size_t total = 0;
  CU_IN(context_, memory_info(&free, &total));
  const std::uint64_t ours = used() + cached();
  const std::uint64_t taken = total - free;
  throw OutOfMemoryError(
      fmt::format(
          "out of memory on cuda:{}: {} ({} bytes) asked, {} free of {}; held by: Phalanx {} in {} "
          "arrays and {} cached by its pool, other libraries and processes {}",
          ordinal_,
          readable_bytes(bytes),
          bytes,
          readable_bytes(free),
          readable_bytes(total),
          readable_bytes(used()),
          live_.load(std::memory_order_relaxed),
          readable_bytes(cached()),
          readable_bytes(taken > ours ? taken - ours : 0)),
      result::out_of_memory);
}

}  // namespace phalanx::runtime::cuda
