#include "phalanx/runtime/cpu/host_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cpu_device.h"
#include "phalanx/runtime/cpu/topology.h"

namespace phalanx::runtime::cpu {

HostFamily::HostFamily(unsigned devices, unsigned threads, std::shared_ptr<Interrupt> interrupt)
    : threads_(threads), interrupt_(std::move(interrupt)), devices_(devices) {
  if (threads_ == 0 && devices > 1)
    threads_ = std::max(1U, available_cpus() / devices);
}

HostFamily::~HostFamily() = default;

Device& HostFamily::device(int ordinal) {
  if (ordinal < 0 || ordinal >= count()) {
    throw ValueError(fmt::format(
        "there is no cpu:{}: PHALANX_CPU_DEVICES, read when the process begins, says how "
        "many CPU devices there are, {} here",
        ordinal,
        count()));
  }
  const std::lock_guard lock(mutex_);
  std::shared_ptr<CpuDevice>& device = devices_[static_cast<std::size_t>(ordinal)];
  if (!device)
    device = std::make_shared<CpuDevice>(ordinal, threads_, interrupt_);
  return *device;
}

}  // namespace phalanx::runtime::cpu
