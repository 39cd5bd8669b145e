// A kernel in a module that is loaded on a GPU.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/cuda/cuda_stream.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::runtime::cuda {

class CudaExecutable final : public Executable {
 public:
  // `binary` is a cubin.
  CudaExecutable(
      std::shared_ptr<Context> context,
      Binary binary,
      std::string name,
      std::shared_ptr<Device> keep);
  ~CudaExecutable() override;

  KernelAttributes attributes() override { return attributes_; }
  std::uintptr_t module() const override { return reinterpret_cast<std::uintptr_t>(module_); }
  std::optional<std::pair<std::uintptr_t, std::size_t>> global(const std::string& name) override;
  const KernelAttributes& known_attributes() const { return attributes_; }
  FunctionHandle function() const { return function_; }
  Context& context() const { return *context_; }
  const std::string& interned_name() const { return *interned_name_; }
  bool raises() const { return error_log_ != 0; }
  std::shared_ptr<CudaExecutable> shared() {
    return std::static_pointer_cast<CudaExecutable>(shared_from_this());
  }
  bool reports() const { return raises() || binary().uses_print; }  // when its launches are done

  // Blocks with that many dynamic bytes will be launched: asks the driver to allow them.
  void allow_shared(std::uint32_t dynamic_bytes) {
    if (dynamic_bytes > allowed_shared_.load(std::memory_order_relaxed))
      raise_shared_limit(dynamic_bytes);
  }

  // All launches are done: what threads raised and reported, which is forgotten on the device.
  ErrorLog take_errors(CudaStream& stream);

 private:
  void find_kernel();
  void find_error_log();
  void raise_shared_limit(std::uint32_t dynamic_bytes);

  std::shared_ptr<Context> context_;
  ModuleHandle module_ = nullptr;
  FunctionHandle function_ = nullptr;
  DevicePointer error_log_ = 0;  // the module's `phalanx_error`; 0: it cannot raise
  KernelAttributes attributes_;
  const std::string* interned_name_;
  std::atomic<std::uint32_t> allowed_shared_{0};
  std::mutex mutex_;
  std::shared_ptr<Device> keep_;
};

// All launches of the kernels are done: what they printed becomes visible; throws KernelError for
// the first that raised.
void collect_reports(
    const std::vector<std::shared_ptr<CudaExecutable>>& kernels, CudaStream& stream);

}  // namespace phalanx::runtime::cuda
