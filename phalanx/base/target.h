// What code is generated for: one CPU model or one GPU architecture.
#pragma once

#include <cstdint>
#include <string>

namespace phalanx {

enum class DeviceKind : std::uint8_t { cpu, cuda };

struct Target {
  DeviceKind kind = DeviceKind::cpu;
  std::string cpu;                  // LLVM's CPU name ("znver4"), or "sm_90"
  std::string features;             // LLVM's feature string; empty for GPUs
  unsigned vector_bits = 128;       // widest register worth using (CPU): 128, 256 or 512
  unsigned compute_capability = 0;  // 90 for sm_90 (GPU)

  bool operator==(const Target&) const = default;
};

}  // namespace phalanx
