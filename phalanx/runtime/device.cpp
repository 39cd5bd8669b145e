#include "phalanx/runtime/device.h"

#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/live_memory.h"
#include "phalanx/runtime/memory_resource.h"

namespace phalanx::runtime {

std::shared_ptr<Executable> Device::load(
    Binary binary, std::string name, const LoadOptions& options) {
  return load_module(std::move(binary), options)->kernel(0, std::move(name));
}

void Device::set_memory_resource(std::shared_ptr<MemoryResource> resource) {
  const std::lock_guard lock(resource_mutex_);
  resource_ = std::move(resource);
}

std::shared_ptr<MemoryResource> Device::memory_resource() const {
  const std::lock_guard lock(resource_mutex_);
  return resource_;
}

// As free_memory: after what was queued so far on all streams that used the memory.
void Device::return_to_resource(Buffer& buffer) noexcept {
  // A thread's default stream is another one on the thread that drops the memory.
  Stream& home = buffer.stream_->kind() == StreamKind::per_thread_default ? *default_stream()
                                                                          : *buffer.stream_;
  try {
    for (const std::shared_ptr<Stream>& other : buffer.other_streams_) order(*other, home);
  } catch (const Error&) {
    return;  // a lost context has lost its memory too
  }
  note_returned(buffer.address_);
  buffer.resource_->deallocate(buffer.address_, buffer.size_, home);
}

bool Device::may_reach(Address begin, std::size_t bytes) const {
  constexpr Address first = 4096;  // no system gives the page of null pointers away
  return bytes == 0 || (begin >= first && begin + bytes > begin);
}

std::shared_ptr<Stream> Device::external_stream(std::uintptr_t handle) {
  CudaFeatures* const features = cuda();
  return features == nullptr ? create_stream(StreamKind::external) : features->wrap_stream(handle);
}

CudaFeatures& memory_sharing(Device& device) {
  if (CudaFeatures* const features = device.cuda())
    return *features;
  throw DeviceError(
      "memory of the CPU device is not shared between processes by handles: use "
      "multiprocessing.shared_memory, whose NumPy arrays kernels take in place");
}

}  // namespace phalanx::runtime
