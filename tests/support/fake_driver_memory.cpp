// The fake driver's memory and copies.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

std::size_t FakeDriver::used(bool pooled_only) const {
  std::size_t bytes = 0;
  for (const auto& [pointer, allocation] : allocations_)
    if (allocation.is_pooled || !pooled_only)
      bytes += allocation.bytes;
  return bytes;
}

std::size_t FakeDriver::live_device_bytes() {
  const std::lock_guard lock(mutex_);
  run_all();
  return used(false);
}

Result FakeDriver::memory_info(std::size_t* free, std::size_t* total) {
  *total = total_memory;
  *free = total_memory - foreign_memory - used(false) - cached_;
  return sticky_;
}

Result FakeDriver::allocate(DevicePointer* memory, std::size_t bytes, bool is_pooled) {
  if (current_context() == nullptr)
    misuse("memory is allocated without a context");
  if (is_pooled && bytes <= cached_)
    cached_ -= bytes;
  else if (used(false) + cached_ + foreign_memory + bytes > total_memory)
    return result::out_of_memory;
  Allocation made{std::make_unique<std::byte[]>(bytes), bytes, is_pooled, current_context()};
  std::memset(made.memory.get(), 0xcd, bytes);
  *memory = reinterpret_cast<DevicePointer>(made.memory.get());
  allocations_[*memory] = std::move(made);
  return sticky_;
}

const FakeDriver::Allocation& FakeDriver::check_device_range(
    DevicePointer first, std::size_t bytes) const {
  auto after = allocations_.upper_bound(first);
  if (after == allocations_.begin())
    misuse("device memory that is not allocated is used");
  const auto& [start, allocation] = *--after;
  if (first + bytes > start + allocation.bytes)
    misuse("device memory that is not allocated is used");
  return allocation;
}

Result FakeDriver::memory_allocate(DevicePointer* memory, std::size_t bytes) {
  return allocate(memory, bytes, false);
}

Result FakeDriver::memory_free(DevicePointer memory) {
  run_all();
  if (allocations_.erase(memory) == 0)
    misuse("device memory is freed twice");
  return sticky_;
}

Result FakeDriver::managed_allocate(DevicePointer* memory, std::size_t bytes, unsigned) {
  return allocate(memory, bytes, false);
}

Result FakeDriver::pool_create(PoolHandle* pool, const PoolProperties*) {
  *pool = handle_of<PoolHandle>(this);
  return result::success;
}

Result FakeDriver::pool_destroy(PoolHandle) { return result::success; }
Result FakeDriver::pool_set(PoolHandle, int, void*) { return result::success; }

Result FakeDriver::pool_get(PoolHandle, int attribute, void* value) {
  const std::uint64_t in_use = used(true);
  const std::uint64_t number = attribute == pool_reserved_bytes ? in_use + cached_ : in_use;
  std::memcpy(value, &number, sizeof(number));
  return result::success;
}

Result FakeDriver::pool_access(PoolHandle, const PoolAccess* access, std::size_t count) {
  if (count != 1)
    misuse("one device is given access at a time");
  pool_reader_ = access->location;
  return sticky_;
}

Result FakeDriver::pool_trim(PoolHandle, std::size_t keep) {
  cached_ = std::min(cached_, keep);
  return sticky_;
}

Result FakeDriver::pool_allocate(
    DevicePointer* memory, std::size_t bytes, PoolHandle, StreamHandle) {
  return allocate(memory, bytes, true);
}

Result FakeDriver::pool_free(DevicePointer memory, StreamHandle stream) {
  last_free_stream_ = stream;
  add(stream, [this, memory] {
    const auto found = allocations_.find(memory);
    if (found == allocations_.end())
      misuse("device memory is freed twice");
    cached_ += found->second.bytes;
    allocations_.erase(found);
  });
  return sticky_;
}

Result FakeDriver::host_allocate(void** memory, std::size_t bytes, unsigned) {
  auto made = std::make_unique<std::byte[]>(bytes);
  *memory = made.get();
  host_blocks_[*memory] = bytes;
  host_memory_[*memory] = std::move(made);
  return sticky_;
}

Result FakeDriver::host_free(void* memory) {
  run_all();
  if (host_memory_.erase(memory) == 0)
    misuse("page-locked memory is freed twice");
  host_blocks_.erase(memory);
  return sticky_;
}

Result FakeDriver::host_register(void* memory, std::size_t bytes, unsigned) {
  if (!host_blocks_.emplace(memory, bytes).second)
    return result::already_registered;
  return sticky_;
}

Result FakeDriver::host_unregister(void* memory) {
  if (host_blocks_.erase(memory) == 0)
    misuse("memory that is not page-locked is unlocked");
  return sticky_;
}

Result FakeDriver::host_device_pointer(DevicePointer* pointer, void* memory, unsigned) {
  *pointer = reinterpret_cast<DevicePointer>(memory);
  return sticky_;
}

bool FakeDriver::is_pinned(const void* memory, std::size_t bytes) const {
  auto after = host_blocks_.upper_bound(memory);
  if (after == host_blocks_.begin())
    return false;
  const auto& [start, size] = *--after;
  const auto* end = static_cast<const std::byte*>(start) + size;
  return static_cast<const std::byte*>(memory) + bytes <= end;
}

Result FakeDriver::pointer_attribute(void* value, int, DevicePointer pointer) {
  if (!is_pinned(host(pointer), 1))
    return result::invalid_value;
  const unsigned type = memory_type_host;
  std::memcpy(value, &type, sizeof(type));
  return sticky_;
}

// Copies

Result FakeDriver::copy_to_device(
    DevicePointer to, const void* from, std::size_t bytes, StreamHandle stream) {
  add(stream, [this, to, from, bytes] {
    check_device_range(to, bytes);
    std::memcpy(host(to), from, bytes);
  });
  if (!is_pinned(from, bytes))
    return stream_synchronize(stream);
  return sticky_;
}

Result FakeDriver::copy_to_host(
    void* to, DevicePointer from, std::size_t bytes, StreamHandle stream) {
  add(stream, [to, from, bytes] { std::memcpy(to, host(from), bytes); });
  if (!is_pinned(to, bytes))
    return stream_synchronize(stream);
  return sticky_;
}

Result FakeDriver::copy(
    DevicePointer to, DevicePointer from, std::size_t bytes, StreamHandle stream) {
  add(stream, [to, from, bytes] { std::memmove(host(to), host(from), bytes); });
  return sticky_;
}

Result FakeDriver::copy_peer(
    DevicePointer to,
    ContextHandle to_context,
    DevicePointer from,
    ContextHandle from_context,
    std::size_t bytes,
    StreamHandle stream) {
  add(stream, [=, this] {
    if (check_device_range(to, bytes).context != to_context ||
        check_device_range(from, bytes).context != from_context)
      misuse("memory is copied between GPUs under the context of another GPU");
    std::memcpy(host(to), host(from), bytes);
  });
  return sticky_;
}

template <typename T>
static void repeat(DevicePointer to, T value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(host(to) + i * sizeof(T), &value, sizeof(T));
}

Result FakeDriver::fill_8(
    DevicePointer to, unsigned char value, std::size_t count, StreamHandle stream) {
  add(stream, [=] { repeat(to, value, count); });
  return sticky_;
}

Result FakeDriver::fill_16(
    DevicePointer to, unsigned short value, std::size_t count, StreamHandle stream) {
  add(stream, [=] { repeat(to, value, count); });
  return sticky_;
}

Result FakeDriver::fill_32(
    DevicePointer to, unsigned value, std::size_t count, StreamHandle stream) {
  add(stream, [=] { repeat(to, value, count); });
  return sticky_;
}

Result FakeDriver::fill_rows_32(
    DevicePointer to,
    std::size_t pitch,
    unsigned value,
    std::size_t width,
    std::size_t height,
    StreamHandle stream) {
  add(stream, [=] {
    for (std::size_t row = 0; row < height; ++row) repeat(to + row * pitch, value, width);
  });
  return sticky_;
}

}  // namespace phalanx::support
