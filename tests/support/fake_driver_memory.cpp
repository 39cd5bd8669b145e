// The fake driver's memory and copies.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

std::size_t FakeMemory::used(bool pooled_only) const {
  std::size_t bytes = 0;
  for (const auto& [pointer, allocation] : allocations)
    if (allocation.is_pooled || !pooled_only)
      bytes += allocation.bytes;
  return bytes;
}

Result FakeMemory::allocate(DevicePointer* memory, std::size_t bytes, bool is_pooled) {
  if (current_context() == nullptr)
    misuse("memory is allocated without a context");
  if (is_pooled && bytes <= cached)
    cached -= bytes;
  else if (used(false) + cached + the_driver().foreign_memory + bytes > the_driver().total_memory)
    return result::out_of_memory;
  constexpr std::size_t alignment = 512;
  Allocation made{
      std::make_unique<std::byte[]>(bytes + alignment), bytes, is_pooled, current_context()};
  const auto start = reinterpret_cast<DevicePointer>(made.memory.get());
  *memory = (start + alignment - 1) / alignment * alignment;
  std::memset(host(*memory), 0xcd, bytes);
  allocations[*memory] = std::move(made);
  return the_driver().parts().streams.error;
}

const FakeMemory::Allocation& FakeMemory::at(DevicePointer first, std::size_t bytes) const {
  auto after = allocations.upper_bound(first);
  if (after == allocations.begin())
    misuse("device memory that is not allocated is used");
  const auto& [start, allocation] = *--after;
  if (first + bytes > start + allocation.bytes)
    misuse("device memory that is not allocated is used");
  return allocation;
}

bool FakeMemory::is_pinned(const void* memory, std::size_t bytes) const {
  auto after = host_blocks.upper_bound(memory);
  if (after == host_blocks.begin())
    return false;
  const auto& [start, size] = *--after;
  const auto* end = static_cast<const std::byte*>(start) + size;
  return static_cast<const std::byte*>(memory) + bytes <= end;
}

namespace fake {

Result memory_info(std::size_t* free, std::size_t* total) {
  *total = the_driver().total_memory;
  *free = the_driver().total_memory - the_driver().foreign_memory - memories().used(false) -
          memories().cached;
  return streams().error;
}

Result memory_allocate(DevicePointer* memory, std::size_t bytes) {
  return memories().allocate(memory, bytes, false);
}

namespace {

// The driver leaves open what it does with such textures, and with those beside them.
void check_no_texture_of(DevicePointer memory) {
  const auto found = memories().allocations.find(memory);
  if (found == memories().allocations.end())
    return;
  for (const auto& [handle, resource] : textures().objects) {
    if (resource.type != resource_array && resource.memory.memory >= memory &&
        resource.memory.memory < memory + found->second.bytes)
      misuse("memory is freed while a texture is of it");
  }
}

}  // namespace

Result memory_free(DevicePointer memory) {
  check_no_texture_of(memory);
  streams().run_all();
  if (memories().allocations.erase(memory) == 0)
    misuse("device memory is freed twice");
  return streams().error;
}

Result managed_allocate(DevicePointer* memory, std::size_t bytes, unsigned) {
  return memories().allocate(memory, bytes, false);
}

Result pool_create(PoolHandle* pool, const PoolProperties*) {
  *pool = handle_of<PoolHandle>(&the_driver());
  return result::success;
}

Result pool_destroy(PoolHandle) { return result::success; }
Result pool_set(PoolHandle, int, void*) { return result::success; }

Result pool_get(PoolHandle, int attribute, void* value) {
  const std::uint64_t in_use = memories().used(true);
  const std::uint64_t number =
      attribute == pool_reserved_bytes ? in_use + memories().cached : in_use;
  std::memcpy(value, &number, sizeof(number));
  return result::success;
}

Result pool_access(PoolHandle, const PoolAccess* access, std::size_t count) {
  if (count != 1)
    misuse("one device is given access at a time");
  memories().pool_reader = access->location;
  return streams().error;
}

Result pool_trim(PoolHandle, std::size_t keep) {
  memories().cached = std::min(memories().cached, keep);
  return streams().error;
}

Result pool_allocate(DevicePointer* memory, std::size_t bytes, PoolHandle, StreamHandle) {
  return memories().allocate(memory, bytes, true);
}

Result pool_free(DevicePointer memory, StreamHandle stream) {
  check_no_texture_of(memory);
  memories().last_free_stream = stream;
  streams().add(stream, [memory] {
    const auto found = memories().allocations.find(memory);
    if (found == memories().allocations.end())
      misuse("device memory is freed twice");
    memories().cached += found->second.bytes;
    memories().allocations.erase(found);
  });
  return streams().error;
}

Result host_allocate(void** memory, std::size_t bytes, unsigned) {
  auto made = std::make_unique<std::byte[]>(bytes);
  *memory = made.get();
  memories().host_blocks[*memory] = bytes;
  memories().host_memory[*memory] = std::move(made);
  return streams().error;
}

Result host_free(void* memory) {
  streams().run_all();
  if (memories().host_memory.erase(memory) == 0)
    misuse("page-locked memory is freed twice");
  memories().host_blocks.erase(memory);
  return streams().error;
}

Result host_register(void* memory, std::size_t bytes, unsigned) {
  if (!memories().host_blocks.emplace(memory, bytes).second)
    return result::already_registered;
  return streams().error;
}

Result host_unregister(void* memory) {
  if (memories().host_blocks.erase(memory) == 0)
    misuse("memory that is not page-locked is unlocked");
  return streams().error;
}

Result host_device_pointer(DevicePointer* pointer, void* memory, unsigned) {
  *pointer = reinterpret_cast<DevicePointer>(memory);
  return streams().error;
}

Result pointer_attributes(unsigned, PointerAttribute*, void** values, DevicePointer pointer) {
  const unsigned type = memories().is_pinned(host(pointer), 1) ? memory_type_host : 0;
  std::memcpy(values[0], &type, sizeof(type));
  return streams().error;
}

// Copies

Result copy_to_device(DevicePointer to, const void* from, std::size_t bytes, StreamHandle stream) {
  streams().add(stream, [to, from, bytes] {
    memories().at(to, bytes);
    std::memcpy(host(to), from, bytes);
  });
  if (!memories().is_pinned(from, bytes))
    return stream_synchronize(stream);
  return streams().error;
}

Result copy_to_host(void* to, DevicePointer from, std::size_t bytes, StreamHandle stream) {
  streams().add(stream, [to, from, bytes] { std::memcpy(to, host(from), bytes); });
  if (!memories().is_pinned(to, bytes))
    return stream_synchronize(stream);
  return streams().error;
}

Result copy(DevicePointer to, DevicePointer from, std::size_t bytes, StreamHandle stream) {
  if (to < from + bytes && from < to + bytes)
    misuse("memory is copied to where it overlaps itself");
  streams().add(stream, [to, from, bytes] { std::memcpy(host(to), host(from), bytes); });
  return streams().error;
}

Result copy_peer(
    DevicePointer to,
    ContextHandle to_context,
    DevicePointer from,
    ContextHandle from_context,
    std::size_t bytes,
    StreamHandle stream) {
  streams().add(stream, [=] {
    if (memories().at(to, bytes).context != to_context ||
        memories().at(from, bytes).context != from_context)
      misuse("memory is copied between GPUs under the context of another GPU");
    std::memcpy(host(to), host(from), bytes);
  });
  return streams().error;
}

template <typename T>
static void repeat(DevicePointer to, T value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(host(to) + i * sizeof(T), &value, sizeof(T));
}

Result fill_8(DevicePointer to, unsigned char value, std::size_t count, StreamHandle stream) {
  streams().add(stream, [=] { repeat(to, value, count); });
  return streams().error;
}

Result fill_16(DevicePointer to, unsigned short value, std::size_t count, StreamHandle stream) {
  streams().add(stream, [=] { repeat(to, value, count); });
  return streams().error;
}

Result fill_32(DevicePointer to, unsigned value, std::size_t count, StreamHandle stream) {
  streams().add(stream, [=] { repeat(to, value, count); });
  return streams().error;
}

Result fill_rows_32(
    DevicePointer to,
    std::size_t pitch,
    unsigned value,
    std::size_t width,
    std::size_t height,
    StreamHandle stream) {
  streams().add(stream, [=] {
    for (std::size_t row = 0; row < height; ++row) repeat(to + row * pitch, value, width);
  });
  return streams().error;
}

}  // namespace fake

}  // namespace phalanx::support
