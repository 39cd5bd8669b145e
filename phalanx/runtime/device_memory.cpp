// How a device gives out memory: within its limit, and with what others can do without.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/readable_bytes.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/device_label.h"
#include "phalanx/runtime/memory_resource.h"

namespace phalanx::runtime {

void Device::set_memory_limit(std::optional<std::uint64_t> bytes) {
  account_.set_limit(bytes);
  if (bytes && account_.use().used + cached_memory() > *bytes)
    trim_pool();
}

void Device::add_memory_reclaimer(std::weak_ptr<MemoryReclaimer> reclaimer) {
  const std::lock_guard lock(resource_mutex_);
  std::erase_if(reclaimers_, [](const auto& each) { return each.expired(); });
  reclaimers_.push_back(std::move(reclaimer));
}

std::vector<std::shared_ptr<MemoryReclaimer>> Device::reclaimers() const {
  std::vector<std::shared_ptr<MemoryReclaimer>> found;
  const std::lock_guard lock(resource_mutex_);
  for (const std::weak_ptr<MemoryReclaimer>& each : reclaimers_) {
    if (auto reclaimer = each.lock())
      found.push_back(std::move(reclaimer));
  }
  return found;
}

std::uint64_t Device::reclaim(std::uint64_t bytes) {
  std::uint64_t freed = 0;
  for (const auto& each : reclaimers()) {
    if (freed < bytes)
      freed += each->reclaim(*this, bytes - freed);
  }
  return freed;
}

std::string Device::holders() {
  std::string text;
  for (const auto& each : reclaimers()) text += each->holders(*this);
  return text;
}

void Device::take_of_limit(std::size_t bytes) {
  // What is reclaimed may be too little: other threads allocate meanwhile.
  while (!account_.take(bytes)) {
    const MemoryUse use = account_.use();
    const bool can_fit = !use.limit || bytes <= *use.limit;
    if (can_fit && reclaim(account_.excess(bytes)) != 0)
      continue;
    throw OutOfMemoryError(
        fmt::format(
            "out of memory on {}: {} ({} bytes) asked, {} in use of the limit of {}; free arrays, "
            "raise the limit with px.set_memory_limit(), or let results go to a file with "
            "out=px.memmap(...)",
            is_host() && ordinal() == 0 ? "the CPU device" : label_of(*this),
            readable_bytes(bytes),
            bytes,
            readable_bytes(use.used),
            readable_bytes(use.limit.value_or(0))) +
        holders());
  }
}

void Device::fill_buffer(Buffer& buffer, std::size_t bytes) {
  if (buffer.resource_) {
    buffer.address_ = buffer.resource_->allocate(bytes, *buffer.stream_);
    if (is_host())                                              // whose addresses are pointers
      buffer.host_ = reinterpret_cast<void*>(buffer.address_);  // NOLINT(performance-no-int-to-ptr)
  } else {
    const Memory memory = allocate_memory(bytes, buffer.kind_, *buffer.stream_);
    buffer.address_ = memory.address;
    buffer.host_ = memory.host;
  }
  buffer.size_ = bytes;
}

// With what others can do without, where the device has no more.
void Device::fill_reclaiming(Buffer& buffer, std::size_t bytes) {
  for (;;) {
    try {
      return fill_buffer(buffer, bytes);
    } catch (const OutOfMemoryError& error) {
      if (reclaim(bytes) == 0)
        throw OutOfMemoryError(error.what() + holders(), error.code());
    }
  }
}

// Memory of kind `device`.
void Device::fill_accounted(Buffer& buffer, std::size_t bytes) {
  buffer.resource_ = memory_resource();
  take_of_limit(bytes);
  try {
    fill_reclaiming(buffer, bytes);
  } catch (...) {
    account_.give_back(bytes);
    throw;
  }
  // Only now: what the pool keeps may be what it has just given.
  const MemoryUse use = account_.use();
  if (use.limit && use.used + cached_memory() > *use.limit)
    trim_pool();
}

}  // namespace phalanx::runtime
