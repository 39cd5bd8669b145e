// The host's CPU.
#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

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

struct Level {
  const char* name;  // LLVM knows its features by it
  unsigned vector_bits;
  std::vector<const char*> features;  // beyond those of the levels below
};

// "x86-64 psABI", the table of micro-architecture levels; the widest first.
const std::vector<Level>& levels() {
  static const std::vector<Level> rows = {
      {"x86-64-v4", 512, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}},
      {"x86-64-v3", 256, {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}},
  };
  return rows;
}

// As the target's text lists it.
bool has_feature(const Target& host, std::string_view name) {
  const std::string wanted = "+" + std::string(name);
  std::string_view rest = host.features;
  while (!rest.empty()) {
    const std::string_view first = rest.substr(0, rest.find(','));
    if (first == wanted)
      return true;
    rest.remove_prefix(std::min(first.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::vector<Target> common_targets() {
  std::vector<Target> targets;
  for (const Level& level : levels())
    targets.push_back(
        {.kind = DeviceKind::cpu, .cpu = level.name, .vector_bits = level.vector_bits});
  return targets;
}

bool runs(const Target& host, const Target& common) {
  const auto& rows = levels();
  const auto own = std::ranges::find(rows, common.cpu, &Level::name);
  return std::all_of(own, rows.end(), [&](const Level& level) {
    return std::ranges::all_of(
        level.features, [&](const char* name) { return has_feature(host, name); });
  });
}

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
