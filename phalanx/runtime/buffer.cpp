#include "phalanx/runtime/buffer.h"

#include <algorithm>
#include <new>

#include "phalanx/runtime/device.h"
#include "phalanx/runtime/live_memory.h"
#include "phalanx/runtime/memory_resource.h"
#include "phalanx/runtime/profiler.h"
#include "phalanx/runtime/recording.h"

namespace phalanx::runtime {

namespace {

// Smaller memory is not noted in profiles: it would cost an expression of few elements half a
// microsecond, and tells nothing of where the memory is.
constexpr std::size_t least_noted = 4096;

// Its work is done when it was queued.
bool works_at_once(const Stream& stream) {
  return stream.device().is_host() && stream.kind() != StreamKind::queued;
}

// A destructor's: what goes wrong costs the profile one record.
void note_release(const Device& device, Address address, std::size_t bytes) noexcept {
  try {
    profile_memory(ProfileKind::release, device, address, bytes);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
  }
}

}  // namespace

Buffer Device::allocate(std::size_t bytes, MemoryKind kind, const std::shared_ptr<Stream>& stream) {
  Buffer buffer;
  buffer.device_ = shared_from_this();
  buffer.stream_ = stream ? stream : default_stream();
  buffer.kind_ = kind;
  if (buffer.stream_->kind() == StreamKind::recording)
    refuse_to_record("allocate memory");
  if (bytes == 0)
    return buffer;
  if (kind == MemoryKind::device)
    fill_accounted(buffer, bytes);
  else
    fill_buffer(buffer, bytes);
  note_allocated(buffer.address_, bytes);
  if (is_profiling() && bytes >= least_noted) [[unlikely]]
    profile_memory(ProfileKind::allocate, *this, buffer.address_, bytes);
  return buffer;
}

void Buffer::release() noexcept {
  if (size_ != 0)
    note_freed(address_);
  if (is_profiling() && size_ >= least_noted) [[unlikely]]
    note_release(*device_, address_, size_);
  if (size_ != 0 && resource_)
    device_->return_to_resource(*this);
  else if (size_ != 0)
    device_->free_memory({address_, host_}, size_, kind_, *stream_, other_streams_);
  if (size_ != 0 && kind_ == MemoryKind::device)
    device_->account_.give_back(size_);
  resource_.reset();
  address_ = 0;
  host_ = nullptr;
  size_ = 0;
  other_streams_.clear();
}

void Buffer::note_use(const std::shared_ptr<Stream>& stream) {
  if (device_ == nullptr || (works_at_once(*stream_) && works_at_once(*stream)))
    return;
  if (stream->kind() == StreamKind::recording)
    return;  // it runs when its graph is launched, which notes the use
  const std::lock_guard lock(device_->uses_mutex_);
  if (std::ranges::find(other_streams_, stream) != other_streams_.end())
    return;
  device_->order(*stream_, *stream);
  // An array that outlives many streams must not keep them all.
  constexpr std::size_t many = 4;
  if (other_streams_.size() >= many)
    std::erase_if(other_streams_, [](const auto& other) { return other->query(); });
  other_streams_.push_back(stream);
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(stream_, other.stream_);
  std::swap(resource_, other.resource_);
  std::swap(other_streams_, other.other_streams_);
  std::swap(address_, other.address_);
  std::swap(host_, other.host_);
  std::swap(size_, other.size_);
  std::swap(kind_, other.kind_);
}

}  // namespace phalanx::runtime
