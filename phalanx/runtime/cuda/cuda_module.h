// A module that is loaded on a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/cuda/cuda_stream.h"
#include "phalanx/runtime/module.h"

namespace phalanx::runtime::cuda {

class CudaModule final : public Module {
 public:
  // `binary` is a cubin.
  CudaModule(std::shared_ptr<Context> context, Binary binary, std::shared_ptr<Device> keep);
  ~CudaModule() override;

  std::shared_ptr<Executable> kernel(std::size_t entry, std::string name) override;
  std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(native_); }
  std::optional<GlobalMemory> global(const std::string& name) override;

  Context& context() const { return *context_; }
  ModuleHandle native() const { return native_; }
  bool raises() const { return error_log_ != 0; }
  bool reports() const { return raises() || binary().uses_print; }  // when its launches are done

  // All launches are done: what threads raised and reported, which is forgotten on the device.
  ErrorLog take_errors(CudaStream& stream);

 private:
  void find_error_log();

  std::shared_ptr<Context> context_;
  ModuleHandle native_ = nullptr;
  DevicePointer error_log_ = 0;  // its `phalanx_error`; 0: it cannot raise
  std::mutex mutex_;
  std::shared_ptr<Device> keep_;
};

}  // namespace phalanx::runtime::cuda
