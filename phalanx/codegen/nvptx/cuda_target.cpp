// The architectures of NVIDIA's GPUs.
#include <mutex>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/target_machine.h"
#include "phalanx/codegen/nvptx/backend.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace phalanx::codegen::nvptx {

namespace {

void register_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

}  // namespace

Target cuda_target(unsigned compute_capability) {
  constexpr unsigned oldest = 75;
  // The newest that LLVM 19 knows; newer chips' drivers compile its PTX.
  constexpr unsigned newest = 90;
  if (compute_capability < oldest)
    throw CompileError(
        CompileError::Kind::unsupported,
        "compute capability " + std::to_string(compute_capability / 10) + "." +
            std::to_string(compute_capability % 10) + " is too old: 7.5 is the oldest supported");
  constexpr unsigned known[] = {75, 80, 86, 87, 89, newest};
  unsigned chosen = oldest;
  for (const unsigned candidate : known) {
    if (candidate <= compute_capability)
      chosen = candidate;
  }
  Target target;
  target.kind = DeviceKind::cuda;
  target.cpu = "sm_" + std::to_string(chosen);
  target.compute_capability = chosen;
  // That of CUDA 11.8, the oldest driver we run on (runtime/cuda/driver.h): it knows sm_90, and
  // debug information. "Release notes" of NVIDIA's PTX ISA has the table of versions and drivers.
  target.features = "+ptx78";
  return target;
}

std::vector<Target> common_targets() {
  std::vector<Target> targets;
  for (const unsigned capability : {90U, 80U, 75U}) targets.push_back(cuda_target(capability));
  return targets;
}

bool runs(const Target& host, const Target& common) {
  return host.compute_capability / 10 == common.compute_capability / 10 &&
         host.compute_capability >= common.compute_capability;
}

const MachineSettings& machine_settings() {
  static constexpr MachineSettings settings{
      .triple = "nvptx64-nvidia-cuda",
      .register_target = register_target,
      .is_loaded = false,
      // So that ptxas, too, may fuse: without it each addition and multiplication says how it
      // rounds.
      .fuses = true};
  return settings;
}

}  // namespace phalanx::codegen::nvptx
