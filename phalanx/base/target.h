// The kinds of device, and what code is generated for: one CPU model or one GPU architecture.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace phalanx {

enum class DeviceKind : std::uint8_t {
#define DEVICE(kind, generator, dlpack) kind,
#include "phalanx/base/devices.def"
#undef DEVICE
};

struct DeviceRow {
  DeviceKind kind;
  std::string_view name;
  int dlpack;  // DLPack's number
};

// In the order of DeviceKind.
inline constexpr std::array device_table = {
#define DEVICE(kind, generator, dlpack) DeviceRow{DeviceKind::kind, #kind, dlpack},
#include "phalanx/base/devices.def"
#undef DEVICE
};

constexpr const DeviceRow& row_of(DeviceKind kind) {
  return device_table[static_cast<std::size_t>(kind)];
}

constexpr std::string_view name_of(DeviceKind kind) { return row_of(kind).name; }

struct Target {
  DeviceKind kind{};
  std::string cpu;                  // LLVM's CPU name ("znver4"), or "sm_90"
  std::string features;             // LLVM's feature string; empty for GPUs
  unsigned vector_bits = 128;       // widest register worth using (CPU): 128, 256 or 512
  unsigned compute_capability = 0;  // 90 for sm_90 (GPU)

  bool operator==(const Target&) const = default;
};

}  // namespace phalanx
