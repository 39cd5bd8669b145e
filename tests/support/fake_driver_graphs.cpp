// The fake driver's graphs, profilers and memory of other processes.
#include <cstring>
#include <memory>
#include <utility>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

namespace fake {

namespace {

constexpr Result capture_invalidated = 901;

}  // namespace

Result capture_begin(StreamHandle stream, int mode) {
  FakeStreams::Stream& queue = *streams().at(stream);
  if (queue.captured != nullptr || mode != capture_relaxed)
    return result::invalid_value;
  if (queue.is_blocking)
    misuse("a stream that orders itself with the default stream is captured");
  queue.captured = std::make_unique<FakeStreams::Operations>();
  return streams().error;
}

Result capture_end(StreamHandle stream, GraphHandle* graph) {
  FakeStreams::Stream& queue = *streams().at(stream);
  std::unique_ptr<FakeStreams::Operations> captured = std::move(queue.captured);
  if (captured == nullptr)
    return result::invalid_value;
  if (std::exchange(queue.is_invalid, false))
    return capture_invalidated;
  *graph = handle_of<GraphHandle>(captured.get());
  graphs().all[*graph] = std::move(captured);
  return streams().error;
}

Result graph_nodes(GraphHandle graph, GraphNodeHandle*, std::size_t* count) {
  *count = graphs().all.at(graph)->size();
  return streams().error;
}

Result graph_instantiate(GraphExecHandle* executable, GraphHandle graph, unsigned long long) {
  auto made = std::make_unique<FakeStreams::Operations>(*graphs().all.at(graph));
  *executable = handle_of<GraphExecHandle>(made.get());
  graphs().all[made.get()] = std::move(made);
  return streams().error;
}

Result graph_launch(GraphExecHandle executable, StreamHandle stream) {
  for (const auto& operation : *graphs().all.at(executable)) streams().add(stream, operation);
  return streams().error;
}

Result graph_destroy(GraphHandle graph) {
  if (graphs().all.erase(graph) == 0)
    misuse("a graph is destroyed twice");
  return streams().error;
}

Result graph_exec_destroy(GraphExecHandle executable) {
  if (graphs().all.erase(executable) == 0)
    misuse("a graph is destroyed twice");
  return streams().error;
}

Result profiler_start() {
  graphs().is_profiling = true;
  return streams().error;
}

Result profiler_stop() {
  graphs().is_profiling = false;
  return streams().error;
}

Result ipc_export(IpcHandle* handle, DevicePointer memory) {
  const auto found = memories().allocations.find(memory);
  if (found == memories().allocations.end() || found->second.is_pooled)
    return result::invalid_value;  // as the driver: only whole allocations that no pool owns
  std::memset(handle->bytes, 0, sizeof(handle->bytes));
  std::memcpy(handle->bytes, &memory, sizeof(memory));
  return streams().error;
}

Result ipc_open(DevicePointer* memory, IpcHandle handle, unsigned) {
  std::memcpy(memory, handle.bytes, sizeof(*memory));
  return streams().error;
}

Result ipc_close(DevicePointer) { return streams().error; }

}  // namespace fake

}  // namespace phalanx::support
