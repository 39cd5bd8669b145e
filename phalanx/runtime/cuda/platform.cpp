#include "phalanx/runtime/cuda/platform.h"

#include <fmt/format.h>

#include "phalanx/base/errors.h"
#include "phalanx/base/library_call.h"
#include "phalanx/runtime/cuda/cuda_device.h"
#include "phalanx/runtime/fork.h"

namespace phalanx::runtime::cuda {

void Platform::start() {
  const LibraryCall call;
  generation_ = fork_generation();
  if (given_ == nullptr) {
    loaded_ = load_driver();
    info_.version = loaded_.version;
    info_.path = loaded_.path;
    info_.problem = loaded_.problem;
    if (!info_.problem.empty())
      return;
    driver_ = &loaded_.table;
  } else {
    driver_ = given_;
    static_cast<void>(driver_->driver_version(&info_.version));
    if (info_.version < oldest_driver) {
      info_.problem = too_old_text(info_.version, {});
      return;
    }
  }
  Result outcome = driver_->init(0);
  if (outcome == result::success)
    outcome = driver_->device_count(&info_.device_count);
  if (outcome != result::success || info_.device_count == 0) {
    info_.device_count = 0;
    info_.problem = outcome == result::success || outcome == result::no_device
                        ? "the NVIDIA driver is there, but it finds no GPU"
                        : "the NVIDIA driver does not start: " + error_text(*driver_, outcome);
    return;
  }
  info_.usable = true;
  devices_.resize(static_cast<std::size_t>(info_.device_count));
}

const DriverInfo& Platform::info() {
  std::call_once(started_, [this] { start(); });
  return info_;
}

Device& Platform::device(int ordinal) {
  if (!info().usable)
    throw DeviceError("no GPU can be used: " + info_.problem);
  if (ordinal < 0 || ordinal >= info_.device_count)
    throw DeviceError(
        fmt::format("there is no GPU number {}: {} found", ordinal, info_.device_count));
  if (generation_ != fork_generation())
    throw_forked();
  const std::lock_guard lock(mutex_);
  std::shared_ptr<CudaDevice>& device = devices_.at(static_cast<std::size_t>(ordinal));
  if (!device)
    device = std::make_shared<CudaDevice>(*driver_, ordinal);
  return *device;
}

}  // namespace phalanx::runtime::cuda
