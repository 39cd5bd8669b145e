#include "phalanx/runtime/cpu/cpu_graph.h"

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cpu_span.h"
#include "phalanx/runtime/cpu/cpu_stream.h"
#include "phalanx/runtime/recording.h"

namespace phalanx::runtime::cpu {

void CpuRecording::synchronize() { refuse_to_record("wait for the device"); }
bool CpuRecording::query() { refuse_to_record("ask whether work is done"); }
void CpuRecording::wait(const Event& /*event*/) { refuse_to_record("wait for an event"); }
void CpuRecording::add_callback(std::function<void()> /*function*/) {
  refuse_to_record("call back the host");
}

void CpuGraph::launch(Stream& stream) {
  CpuSpan span(ProfileKind::graph, stream);
  if (WorkQueue* const queue = queue_of(stream)) {
    for (std::size_t i = 0; i < steps_->size(); ++i)
      queue->add_work([steps = steps_, i](Interrupt* interrupt) { (*steps)[i](interrupt); });
    return;
  }
  for (const Step& step : *steps_) step(nullptr);
}

}  // namespace phalanx::runtime::cpu
