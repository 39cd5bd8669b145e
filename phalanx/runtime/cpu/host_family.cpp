#include "phalanx/runtime/cpu/host_family.h"

#include <fmt/format.h>

#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cpu_device.h"

namespace phalanx::runtime::cpu {

HostFamily::HostFamily(unsigned threads, std::shared_ptr<Interrupt> interrupt)
    : threads_(threads), interrupt_(std::move(interrupt)) {}

HostFamily::~HostFamily() = default;

Device& HostFamily::device(int ordinal) {
  if (ordinal != 0)
    throw ValueError(fmt::format("there is one CPU device, cpu:0; no cpu:{}", ordinal));
  const std::lock_guard lock(mutex_);
  if (!device_)
    device_ = std::make_shared<CpuDevice>(threads_, interrupt_);
  return *device_;
}

}  // namespace phalanx::runtime::cpu
