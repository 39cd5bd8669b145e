// The CPU device, or several that share its cores: each is made when it is first asked for.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "phalanx/runtime/device_family.h"

namespace phalanx::runtime::cpu {

class CpuDevice;
class Interrupt;

class HostFamily final : public DeviceFamily {
 public:
  // `threads` of each device; 0: an equal part of what the process may use.
  HostFamily(unsigned devices, unsigned threads, std::shared_ptr<Interrupt> interrupt);
  ~HostFamily() override;

  int count() override { return static_cast<int>(devices_.size()); }
  Device& device(int ordinal) override;

 private:
  unsigned threads_;
  std::shared_ptr<Interrupt> interrupt_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<CpuDevice>> devices_;
};

}  // namespace phalanx::runtime::cpu
