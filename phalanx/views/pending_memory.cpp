#include "phalanx/views/pending_memory.h"

#include <exception>
#include <new>
#include <utility>

#include "phalanx/runtime/device.h"

namespace phalanx::views {

void PendingMemory::add(runtime::Buffer buffer) noexcept {
  if (buffer.empty())
    return;
  {
    const std::lock_guard lock(mutex_);
    if (holds_ == 0 && limits_->count == 0 && buffers_.empty())
      return;  // `buffer` gives it back
    const std::size_t size = buffer.size();
    try {
      buffers_.push_back(std::move(buffer));
    } catch (const std::bad_alloc&) {
      return;
    }
    bytes_ += size;
  }
  clear_if_over();
}

void PendingMemory::clear() noexcept {
  std::vector<runtime::Buffer> given_back;  // outside the lock: a device may take its time
  const std::lock_guard lock(mutex_);
  if (holds_ != 0)
    return;
  given_back.swap(buffers_);
  bytes_ = 0;
}

void PendingMemory::hold() {
  const std::lock_guard lock(mutex_);
  ++holds_;
}

void PendingMemory::release() noexcept {
  {
    const std::lock_guard lock(mutex_);
    --holds_;
  }
  clear_if_over();
}

std::size_t PendingMemory::count() const {
  const std::lock_guard lock(mutex_);
  return buffers_.size();
}

std::size_t PendingMemory::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t PendingMemory::max_bytes() {
  if (total_ == 0)
    total_ = device_->memory_info().total;
  return static_cast<std::size_t>(static_cast<double>(total_) * limits_->ratio);
}

bool PendingMemory::exceeds_limits() {
  const std::size_t kept = count();
  if (kept == 0)
    return false;
  return kept > limits_->count || bytes() > max_bytes();
}

void PendingMemory::clear_if_over() noexcept {
  try {
    if (!exceeds_limits())
      return;
  } catch (const std::exception&) {  // the device does not say how much memory it has
  }
  clear();
}

}  // namespace phalanx::views
