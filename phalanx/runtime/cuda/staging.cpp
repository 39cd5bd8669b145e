#include "phalanx/runtime/cuda/staging.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "phalanx/runtime/cpu/topology.h"

namespace phalanx::runtime::cuda {

namespace {

// What the GPU reads next, and no core: stores that go past the caches spare memory the reading of
// the lines that they fill, a third of all that is moved.
void copy_past_caches(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t line = 64;
  const std::size_t lines = reinterpret_cast<std::uintptr_t>(to) % line == 0 ? bytes / line : 0;
  for (std::size_t i = 0; i < lines; ++i) {
    const auto* source = reinterpret_cast<const __m128i*>(from + i * line);
    auto* target = reinterpret_cast<__m128i*>(to + i * line);
    const __m128i a = _mm_loadu_si128(source);
    const __m128i b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2);
    const __m128i d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();
  std::memcpy(to + lines * line, from + lines * line, bytes - lines * line);
}

void copy_through_caches(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

}  // namespace

// One thread does not fill the bus: each of an H100's host copies 5 GB/s beside others.
Staging::Staging(Context& context, PinnedPool& pool)
    : context_(context), pool_(pool), threads_(std::min(16U, cpu::available_cpus())) {}

void Staging::copy_on_host(CopyPart copy, std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t chunk = std::size_t{1} << 20;
  const auto chunks = static_cast<unsigned>((bytes + chunk - 1) / chunk);
  threads_.run(chunks, [&](unsigned i) {
    copy(to + i * chunk, from + i * chunk, std::min(chunk, bytes - i * chunk));
  });
}

Staging::~Staging() {
  const auto scope = context_.try_enter();
  if (!scope)
    return;
  for (Slot& slot : slots_) {
    if (slot.event != nullptr) {
      context_.driver().event_synchronize(slot.event);
      context_.driver().event_destroy(slot.event);
    }
    if (slot.memory != nullptr)
      pool_.free(slot.memory, chunk_bytes, {});
  }
}

// Made at the first use; waits until the copy that used it last is done.
Staging::Slot& Staging::slot_at(std::size_t index) {
  Slot& slot = slots_.at(index % slot_count);
  if (slot.memory == nullptr)
    slot.memory = static_cast<std::byte*>(pool_.allocate(chunk_bytes));
  if (slot.event == nullptr)
    CU_IN(context_, event_create(&slot.event, event_without_timing));
  else
    CU_IN(context_, event_synchronize(slot.event));
  return slot;
}

void Staging::copy_to_device(
    DevicePointer to, const std::byte* from, std::size_t bytes, StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  std::size_t index = 0;
  for (std::size_t done = 0; done < bytes; done += chunk_bytes) {
    const std::size_t part = std::min(chunk_bytes, bytes - done);
    Slot& slot = slot_at(index++);
    copy_on_host(&copy_past_caches, slot.memory, from + done, part);
    CU_IN(context_, copy_to_device(to + done, slot.memory, part, stream));
    CU_IN(context_, event_record(slot.event, stream));
  }
}

void Staging::copy_to_host(
    std::byte* to, DevicePointer from, std::size_t bytes, StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  const std::size_t chunks = (bytes + chunk_bytes - 1) / chunk_bytes;
  const auto part_of = [&](std::size_t chunk) {
    return std::min(chunk_bytes, bytes - chunk * chunk_bytes);
  };
  const auto start = [&](std::size_t chunk) {
    Slot& slot = slot_at(chunk);
    CU_IN(context_, copy_to_host(slot.memory, from + chunk * chunk_bytes, part_of(chunk), stream));
    CU_IN(context_, event_record(slot.event, stream));
  };
  for (std::size_t chunk = 0; chunk < std::min(chunks, slot_count - 1); ++chunk) start(chunk);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    // The slot that is requested now was emptied a round ago.
    if (chunk + slot_count - 1 < chunks)
      start(chunk + slot_count - 1);
    const Slot& slot = slots_.at(chunk % slot_count);
    CU_IN(context_, event_synchronize(slot.event));
    copy_on_host(&copy_through_caches, to + chunk * chunk_bytes, slot.memory, part_of(chunk));
  }
}

}  // namespace phalanx::runtime::cuda
