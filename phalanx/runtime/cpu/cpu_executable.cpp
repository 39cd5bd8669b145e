#include "phalanx/runtime/cpu/cpu_executable.h"

#include "phalanx/base/errors.h"

namespace phalanx::runtime::cpu {

std::shared_ptr<Executable> CpuModule::kernel(std::size_t entry, std::string name) {
  PHX_ASSERT(entry == 0);  // Binary::entries
  return std::make_shared<CpuExecutable>(loaded_.entry, shared_from_this(), entry, std::move(name));
}

std::shared_ptr<Executable> make_cpu_executable(
    CpuKernel entry, Binary binary, std::string name, std::shared_ptr<void> code) {
  const auto module =
      std::make_shared<CpuModule>(std::move(binary), LoadedObject{entry, std::move(code)});
  return module->kernel(0, std::move(name));
}

KernelAttributes CpuExecutable::attributes() {
  KernelAttributes result;
  result.static_shared_bytes = entry().shared_bytes;
  return result;
}

}  // namespace phalanx::runtime::cpu
