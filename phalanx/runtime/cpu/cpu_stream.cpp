#include "phalanx/runtime/cpu/cpu_stream.h"

#include "phalanx/base/errors.h"

namespace phalanx::runtime::cpu {

void CpuEvent::record(Stream& /*stream*/) { time_ = std::chrono::steady_clock::now(); }

float CpuEvent::elapsed_ms_since(const Event& start) {
  const auto* from = dynamic_cast<const CpuEvent*>(&start);
  if (from == nullptr)
    throw ValueError("the time between events of different devices is not known");
  if (!time_ || !from->time_)
    throw ValueError("the time between events is not known before both were recorded");
  return std::chrono::duration<float, std::milli>(*time_ - *from->time_).count();
}

}  // namespace phalanx::runtime::cpu
