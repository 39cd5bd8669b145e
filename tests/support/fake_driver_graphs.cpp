// The fake driver's graphs, profilers and memory of other processes.
#include <cstring>
#include <utility>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

Result FakeDriver::capture_begin(StreamHandle stream, int mode) {
  Stream& queue = *stream_of(stream);
  if (queue.captured != nullptr || mode != capture_relaxed)
    return result::invalid_value;
  if (queue.is_blocking)
    misuse("a stream that orders itself with the default stream is captured");
  queue.captured = std::make_unique<Operations>();
  return sticky_;
}

Result FakeDriver::capture_end(StreamHandle stream, GraphHandle* graph) {
  std::unique_ptr<Operations> made = std::move(stream_of(stream)->captured);
  if (made == nullptr)
    return result::invalid_value;
  *graph = handle_of<GraphHandle>(made.get());
  graphs_[made.get()] = std::move(made);
  return sticky_;
}

Result FakeDriver::graph_nodes(GraphHandle graph, GraphNodeHandle*, std::size_t* count) {
  *count = graphs_.at(graph)->size();
  return sticky_;
}

Result FakeDriver::graph_instantiate(
    GraphExecHandle* executable, GraphHandle graph, unsigned long long) {
  auto made = std::make_unique<Operations>(*graphs_.at(graph));
  *executable = handle_of<GraphExecHandle>(made.get());
  graphs_[made.get()] = std::move(made);
  return sticky_;
}

Result FakeDriver::graph_launch(GraphExecHandle executable, StreamHandle stream) {
  for (const auto& operation : *graphs_.at(executable)) add(stream, operation);
  return sticky_;
}

Result FakeDriver::graph_destroy(GraphHandle graph) {
  if (graphs_.erase(graph) == 0)
    misuse("a graph is destroyed twice");
  return sticky_;
}

Result FakeDriver::graph_exec_destroy(GraphExecHandle executable) {
  if (graphs_.erase(executable) == 0)
    misuse("a graph is destroyed twice");
  return sticky_;
}

Result FakeDriver::profiler_start() {
  is_profiling_ = true;
  return sticky_;
}

Result FakeDriver::profiler_stop() {
  is_profiling_ = false;
  return sticky_;
}

Result FakeDriver::ipc_export(IpcHandle* handle, DevicePointer memory) {
  const auto found = allocations_.find(memory);
  if (found == allocations_.end() || found->second.is_pooled)
    return result::invalid_value;  // as the driver: only whole allocations that no pool owns
  std::memset(handle->bytes, 0, sizeof(handle->bytes));
  std::memcpy(handle->bytes, &memory, sizeof(memory));
  return sticky_;
}

Result FakeDriver::ipc_open(DevicePointer* memory, IpcHandle handle, unsigned) {
  std::memcpy(memory, handle.bytes, sizeof(*memory));
  return sticky_;
}

Result FakeDriver::ipc_close(DevicePointer) { return sticky_; }

}  // namespace phalanx::support
