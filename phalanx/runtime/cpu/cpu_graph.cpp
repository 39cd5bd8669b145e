#include "phalanx/runtime/cpu/cpu_graph.h"

#include "phalanx/base/errors.h"
#include "phalanx/runtime/recording.h"

namespace phalanx::runtime::cpu {

void CpuRecording::synchronize() { refuse_to_record("wait for the device"); }
bool CpuRecording::query() { refuse_to_record("ask whether work is done"); }
void CpuRecording::wait(const Event& /*event*/) { refuse_to_record("wait for an event"); }
void CpuRecording::add_callback(std::function<void()> /*function*/) {
  refuse_to_record("call back the host");
}

void CpuGraph::launch(Stream& /*stream*/) {
  for (const Step& step : steps_) step();
}

}  // namespace phalanx::runtime::cpu
