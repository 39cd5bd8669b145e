#include "phalanx/runtime/cpu/cpu_executable.h"

namespace phalanx::runtime {

std::shared_ptr<Executable> make_cpu_executable(
    CpuKernel entry, Binary binary, std::string name, std::shared_ptr<void> code) {
  return std::make_shared<cpu::CpuExecutable>(
      entry, std::move(binary), std::move(name), std::move(code));
}

namespace cpu {

KernelAttributes CpuExecutable::attributes() {
  KernelAttributes result;
  result.static_shared_bytes = binary().shared_bytes;
  return result;
}

}  // namespace cpu

}  // namespace phalanx::runtime
