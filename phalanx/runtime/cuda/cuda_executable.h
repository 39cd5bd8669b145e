// A kernel of a module that is loaded on a GPU.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/cuda/cuda_module.h"
#include "phalanx/runtime/cuda/cuda_stream.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::runtime::cuda {

class CudaExecutable final : public Executable {
 public:
  CudaExecutable(std::shared_ptr<CudaModule> module, std::size_t entry, std::string name);

  KernelAttributes attributes() override { return attributes_; }
  const KernelAttributes& known_attributes() const { return attributes_; }
  FunctionHandle function() const { return function_; }
  Context& context() const { return cuda_module().context(); }
  CudaModule& cuda_module() const { return static_cast<CudaModule&>(module()); }
  const std::string& interned_name() const { return *interned_name_; }
  bool reports() const { return cuda_module().reports(); }
  std::shared_ptr<CudaExecutable> shared() {
    return std::static_pointer_cast<CudaExecutable>(shared_from_this());
  }

  // Blocks with that many dynamic bytes will be launched: asks the driver to allow them.
  void allow_shared(std::uint32_t dynamic_bytes) {
    if (dynamic_bytes > allowed_shared_.load(std::memory_order_relaxed))
      raise_shared_limit(dynamic_bytes);
  }

 private:
  void raise_shared_limit(std::uint32_t dynamic_bytes);

  FunctionHandle function_ = nullptr;
  KernelAttributes attributes_;
  const std::string* interned_name_;
  std::atomic<std::uint32_t> allowed_shared_{0};
  std::mutex mutex_;
};

// All launches of the kernels are done: what they printed becomes visible; throws KernelError for
// the first that raised. Kernels of one module share what they report to: the one that was launched
// first speaks for them, with the line that raised.
void collect_reports(
    const std::vector<std::shared_ptr<CudaExecutable>>& kernels, CudaStream& stream);

}  // namespace phalanx::runtime::cuda
