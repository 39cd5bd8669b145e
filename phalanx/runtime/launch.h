// The shape of a launch, and the checks that every device makes of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace phalanx::runtime {

struct DeviceLimits;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks run at once, so that they can wait for each other
};

// From the user's numbers: one to three extents each. Throws ValueError for what is zero, negative
// or does not fit 32 bits, and says which one it was.
Dim3 make_dim3(std::string_view what, std::span<const std::int64_t> extents);
LaunchConfig make_launch_config(
    std::span<const std::int64_t> grid,
    std::span<const std::int64_t> block,
    std::int64_t shared_bytes);

// Throws ValueError with what was asked and what the limit is. `static_shared_bytes` is the
// kernel's own, which the dynamic bytes come on top of.
void check_launch(
    std::string_view kernel,
    const LaunchConfig& config,
    std::uint64_t static_shared_bytes,
    std::uint32_t max_threads,  // of this kernel: its launch bounds or registers may allow fewer
    const DeviceLimits& limits);

}  // namespace phalanx::runtime
