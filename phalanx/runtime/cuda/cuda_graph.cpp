#include "phalanx/runtime/cuda/cuda_graph.h"

#include <utility>

#include "phalanx/runtime/cuda/cuda_span.h"
#include "phalanx/runtime/device.h"

namespace phalanx::runtime::cuda {

CudaGraph::CudaGraph(
    std::shared_ptr<Context> context,
    GraphHandle handle,
    std::vector<std::shared_ptr<CudaExecutable>> kernels,
    std::shared_ptr<Device> keep)
    : context_(std::move(context)), kernels_(std::move(kernels)), keep_(std::move(keep)) {
  const auto scope = context_->enter();
  try {
    instantiate(handle);
  } catch (...) {
    context_->driver().graph_destroy(handle);
    throw;
  }
  CU_IN(*context_, graph_destroy(handle));  // what is launched is a copy
}

CudaGraph::~CudaGraph() {
  if (executable_ == nullptr)
    return;
  // The driver finishes launches that are queued before it takes the graph down.
  if (const auto scope = context_->try_enter())
    context_->driver().graph_exec_destroy(executable_);
}

void CudaGraph::instantiate(GraphHandle handle) {
  CU_IN(*context_, graph_nodes(handle, nullptr, &size_));
  if (size_ != 0)
    CU_IN(*context_, graph_instantiate(&executable_, handle, 0));
}

void CudaGraph::launch(Stream& stream) {
  if (executable_ == nullptr)
    return;
  CudaStream& queue = as_cuda(stream, *keep_);
  const auto scope = context_->enter();
  const CudaSpan span(ProfileKind::graph, queue);
  CU_IN(*context_, graph_launch(executable_, queue.native()));
  for (const auto& kernel : kernels_) queue.note_launch(*kernel);
}

}  // namespace phalanx::runtime::cuda
