#include "phalanx/arrays/capture.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "phalanx/arrays/array.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/residency.h"
#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

// The numbers of recordings that go on.
class GoingOn {
 public:
  void add(std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    numbers_.insert(number);
    is_any_ = true;
  }
  void remove(std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    numbers_.erase(number);
    is_any_ = !numbers_.empty();
  }
  bool is_any() const { return is_any_; }
  bool has(std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    return numbers_.contains(number);
  }

 private:
  std::atomic<bool> is_any_ = false;
  std::mutex mutex_;
  std::unordered_set<std::uint32_t> numbers_;
};

GoingOn& going_on() {
  static GoingOn all;
  return all;
}

}  // namespace

Capture::Capture(Graph& graph, std::uint32_t number) : graph_(&graph), number_(number) {
  going_on().add(number);
}

Capture& Capture::current_of(jit::Recording& recording, Graph& graph) {
  if (recording.graph->part() == nullptr)
    recording.graph->set_part(std::make_shared<Capture>(graph, recording.number));
  auto& current = static_cast<Capture&>(*recording.graph->part());
  PHX_ASSERT(current.graph_ == &graph);
  return current;
}

bool Capture::is_going_on(const Node& value) {
  return value.recording != 0 && going_on().is_any() && going_on().has(value.recording);
}

void Capture::refuse_others(const NodePtr& value) {
  if (!going_on().is_any() || !value->is_pending())
    return;
  if (value->recording != jit::recording_number() && is_going_on(*value))
    throw ValueError(
        "another thread records the array into its graph: it has no elements before the graph is "
        "launched");
  for (const NodePtr& operand : operands_of(*value)) refuse_others(operand);
}

void Capture::writes(const std::shared_ptr<Family>& family) {
  if (is_written_.insert(family.get()).second)
    written_.push_back(family);
}

views::DeviceArray Capture::copy_now_and_then(
    const views::DeviceArray& array, const NodePtr& value) {
  views::DeviceArray made = graph_->copy(array);
  const jit::RecordingPaused now;
  graph_->engine().copier().copy(made, array, *array.device->default_stream());
  copied_.push_back(value);
  return made;
}

void Capture::compute_earlier(const NodePtr& value) {
  if (!value->is_pending())
    return;
  if (value->recording != number_) {
    const jit::RecordingPaused now;
    graph_->evaluate(value);
    return;
  }
  for (const NodePtr& operand : operands_of(*value)) compute_earlier(operand);
}

void Capture::finish() {
  const auto lock = graph_->locked();
  const auto made = made_;  // which evaluation may add to
  for (const auto& each : made) {
    if (const auto cell = each.lock()) {
      Array::of_cell(*graph_, cell).share();
      writes(cell->family);
    }
  }
  // Launches write to these copies. Who has recorded them before the graph gets others.
  {
    const jit::RecordingPaused now;
    for (const auto& each : copied_) {
      if (const NodePtr value = each.lock())
        graph_->replace_by_copy(value);
    }
  }
  withhold("the array is made by a graph: it has no elements before the graph's first launch");
  end();
}

void Capture::abandon() {
  const auto lock = graph_->locked();
  withhold(
      "the array was made while a graph was recorded, which an error ended: it has no elements");
  end();
}

void Capture::withhold(const char* why) {
  for (const auto& each : made_) {
    const auto cell = each.lock();
    const NodePtr value = cell ? cell->value() : nullptr;
    const auto* memory = value ? std::get_if<Memory>(&value->made_by) : nullptr;
    if (memory == nullptr || !unfilled_.contains((*memory)->memory.get()))
      continue;
    withheld_.emplace_back(value, *memory);
    value->made_by = Routine{
        .operands = {graph_->memory(**memory)},
        .name = "a graph that has not been launched",
        .run = [why](const std::vector<views::DeviceArray>&) -> views::DeviceArray {
          throw ValueError(why);
        }};
    value->height = 1;
  }
}

void Capture::end() {
  going_on().remove(number_);
  made_.clear();
  bound_.clear();
  copied_.clear();
  unfilled_.clear();
}

void Capture::before_launch() {
  const auto lock = graph_->locked();
  for (const auto& [node, memory] : std::exchange(withheld_, {})) {
    if (const NodePtr value = node.lock()) {
      value->made_by = memory;
      value->height = 0;
    }
  }
  for (const auto& family : written_) family->keep_recorded(*graph_);
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

void keep_for_result(const std::shared_ptr<views::SharedMemory>& memory) {
  keep_for_launches(memory);
  if (const jit::Recording* const into = jit::recording(); into && into->graph->part())
    static_cast<Capture&>(*into->graph->part()).note_unfilled(*memory);
}

void keep_for_launches(std::vector<runtime::Buffer> scratch) {
  if (jit::recording() == nullptr)
    return;
  for (runtime::Buffer& buffer : scratch) {
    const auto memory = std::make_shared<views::SharedMemory>();
    memory->buffer = std::move(buffer);
    keep_for_launches(memory);
  }
}

}  // namespace phalanx::arrays
