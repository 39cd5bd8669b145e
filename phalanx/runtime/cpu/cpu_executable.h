// A kernel in the host's machine code.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::runtime::cpu {

class CpuExecutable final : public Executable {
 public:
  CpuExecutable(CpuKernel kernel, Binary binary, std::string name, std::shared_ptr<void> code)
      : Executable(DeviceKind::cpu, std::move(binary), std::move(name)),
        code_(std::move(code)),
        entry_(kernel) {}

  CpuKernel entry() const { return entry_; }
  std::atomic<float>& cost() { return cost_; }
  KernelAttributes attributes() override;

 private:
  std::shared_ptr<void> code_;
  CpuKernel entry_;
  std::atomic<float> cost_{0};  // see Work::cost
};

// A kernel whose code is in memory already.
std::shared_ptr<Executable> make_cpu_executable(
    CpuKernel entry, Binary binary, std::string name, std::shared_ptr<void> code);

}  // namespace phalanx::runtime::cpu
