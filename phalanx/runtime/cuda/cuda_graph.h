// Recorded work of a GPU, as the driver's graph.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/cuda/cuda_executable.h"
#include "phalanx/runtime/graph.h"

namespace phalanx::runtime::cuda {

class CudaGraph final : public Graph {
 public:
  // Takes the handle over. `kernels`: those that it launches, which stay loaded.
  CudaGraph(
      std::shared_ptr<Context> context,
      GraphHandle handle,
      std::vector<std::shared_ptr<CudaExecutable>> kernels,
      std::shared_ptr<Device> keep);
  ~CudaGraph() override;

  std::size_t size() const override { return size_; }
  void launch(Stream& stream) override;

 private:
  void instantiate(GraphHandle handle);

  std::shared_ptr<Context> context_;
  std::vector<std::shared_ptr<CudaExecutable>> kernels_;
  std::shared_ptr<Device> keep_;
  GraphExecHandle executable_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace phalanx::runtime::cuda
