// The host's CPU.
#include <map>
#include <mutex>

#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>

#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/codegen/llvm/target_machine.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

namespace phalanx::codegen::cpu {

namespace {

void register_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

// The widest vectors worth using: 512 bits only where the whole AVX-512 of servers is there.
unsigned vector_bits_of(const llvm::StringMap<bool>& features) {
  const auto has = [&](const char* name) { return features.lookup(name); };
  if (has("avx512f") && has("avx512vl") && has("avx512bw") && has("avx512dq"))
    return 512;
  return has("avx2") && has("fma") ? 256 : 128;
}

}  // namespace

Target host_target() {
  Target target;
  target.kind = DeviceKind::cpu;
  target.cpu = llvm::sys::getHostCPUName().str();
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::map<std::string, bool> sorted;  // the text is part of cache keys
  for (const auto& feature : features) sorted[feature.first().str()] = feature.second;
  for (const auto& [name, is_there] : sorted) {
    if (!target.features.empty())
      target.features += ',';
    target.features += (is_there ? '+' : '-') + name;
  }
  target.vector_bits = vector_bits_of(features);
  return target;
}

const MachineSettings& machine_settings() {
  static constexpr MachineSettings settings{
      .triple = "x86_64-unknown-linux-gnu",
      .register_target = register_target,
      .is_loaded = true,
      .fuses = false};
  return settings;
}

}  // namespace phalanx::codegen::cpu
