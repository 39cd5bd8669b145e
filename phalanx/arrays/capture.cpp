#include "phalanx/arrays/capture.h"

#include <algorithm>
#include <utility>

#include "phalanx/arrays/array.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/residency.h"

namespace phalanx::arrays {

Capture& Capture::current_of(jit::Recording& recording, Graph& graph) {
  if (recording.graph->part() == nullptr)
    recording.graph->set_part(std::make_shared<Capture>(graph));
  return static_cast<Capture&>(*recording.graph->part());
}

void Capture::writes(const std::shared_ptr<Family>& family) {
  if (std::ranges::find(written_, family) == written_.end())
    written_.push_back(family);
}

views::DeviceArray Capture::copy(const views::DeviceArray& array, const NodePtr& value) {
  views::DeviceArray made = graph_->copy(array);
  const jit::RecordingPaused now;
  graph_->engine().copier().copy(made, array, *array.device->default_stream());
  copied_.push_back(value);
  return made;
}

void Capture::compute_earlier(const NodePtr& value) {
  if (!value->is_pending())
    return;
  if (!value->is_captured) {
    const jit::RecordingPaused now;
    graph_->evaluate(value);
    return;
  }
  for (const NodePtr& operand : operands_of(*value)) compute_earlier(operand);
}

void Capture::finish() {
  const auto lock = graph_->locked();
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if (const auto cell = made_[i].lock())
      Array::of_cell(*graph_, cell).share();
  }
  made_.clear();
}

void Capture::before_launch() {
  const auto lock = graph_->locked();
  for (const auto& family : written_) family->keep_recorded(*graph_);
  for (const auto& each : std::exchange(copied_, {})) {
    const NodePtr value = each.lock();
    if (!value)
      continue;
    const Memory memory = graph_->evaluate(value);
    value->made_by = std::make_shared<const views::DeviceArray>(graph_->copy(*memory));
    graph_->residency().add(value);
  }
}

runtime::Stream& queue_of(runtime::Device& device) {
  return *jit::recorded_or(device.default_stream());
}

void keep_for_launches(const std::shared_ptr<views::SharedMemory>& memory) {
  if (const jit::Recording* const into = jit::recording()) {
    memory->is_exported = true;
    into->graph->uses(memory);
  }
}

void keep_for_launches(std::vector<runtime::Buffer> scratch) {
  if (const jit::Recording* const into = jit::recording())
    into->graph->keep(std::make_shared<std::vector<runtime::Buffer>>(std::move(scratch)));
}

}  // namespace phalanx::arrays
