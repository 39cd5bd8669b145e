// A kernel in the host's machine code.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::runtime::cpu {

class CpuModule final : public Module {
 public:
  CpuModule(Binary binary, LoadedObject loaded)
      : Module(DeviceKind::cpu, std::move(binary)), loaded_(std::move(loaded)) {}

  std::shared_ptr<Executable> kernel(std::size_t entry, std::string name) override;

 private:
  LoadedObject loaded_;
};

class CpuExecutable final : public Executable {
 public:
  CpuExecutable(
      CpuKernel kernel, std::shared_ptr<Module> module, std::size_t entry, std::string name)
      : Executable(std::move(module), entry, std::move(name)), code_(kernel) {}

  CpuKernel code() const { return code_; }
  std::atomic<float>& cost() { return cost_; }
  KernelAttributes attributes() override;

 private:
  CpuKernel code_;
  std::atomic<float> cost_{0};  // see Work::cost
};

// A kernel whose code is in memory already.
std::shared_ptr<Executable> make_cpu_executable(
    CpuKernel entry, Binary binary, std::string name, std::shared_ptr<void> code);

}  // namespace phalanx::runtime::cpu
