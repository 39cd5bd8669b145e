#include "phalanx/runtime/cpu/cpu_executable.h"

namespace phalanx::runtime::cpu {

std::shared_ptr<Executable> make_cpu_executable(
    CpuKernel entry, Binary binary, std::string name, std::shared_ptr<void> code) {
  return std::make_shared<CpuExecutable>(
      entry, std::move(binary), std::move(name), std::move(code));
}

KernelAttributes CpuExecutable::attributes() {
  KernelAttributes result;
  result.static_shared_bytes = binary().shared_bytes;
  return result;
}

}  // namespace phalanx::runtime::cpu
