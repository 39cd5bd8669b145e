// The CPU device, the only one of its kind: made when it is first asked for.
#pragma once

#include <memory>
#include <mutex>

#include "phalanx/runtime/device_family.h"

namespace phalanx::runtime::cpu {

class CpuDevice;
class Interrupt;

class HostFamily final : public DeviceFamily {
 public:
  HostFamily(unsigned threads, std::shared_ptr<Interrupt> interrupt);
  ~HostFamily() override;

  int count() override { return 1; }
  Device& device(int ordinal) override;

 private:
  unsigned threads_;
  std::shared_ptr<Interrupt> interrupt_;
  std::mutex mutex_;
  std::shared_ptr<CpuDevice> device_;
};

}  // namespace phalanx::runtime::cpu
