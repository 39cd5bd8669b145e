// The driver and its GPUs, found at the first question and not before.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "phalanx/runtime/cuda/driver.h"
#include "phalanx/runtime/device_family.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime::cuda {

class CudaDevice;

class Platform final : public DeviceFamily {
 public:
  // With a table of its own (a test's), no library is opened.
  explicit Platform(const Driver* driver) : given_(driver) {}

  // Never throws: what is wrong is in `problem`. Creates no context.
  const DriverInfo& info();

  int count() override { return info().device_count; }
  Device& device(int ordinal) override;

 private:
  void start();

  const Driver* given_;
  LoadedDriver loaded_;
  const Driver* driver_ = nullptr;
  std::uint64_t generation_ = 0;  // of forks, when the driver was started
  DriverInfo info_;
  std::once_flag started_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<CudaDevice>> devices_;
};

}  // namespace phalanx::runtime::cuda
