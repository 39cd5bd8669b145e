// The shape of a launch, and the checks that every device makes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Executable;
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
PHX_API Dim3 make_dim3(std::string_view what, std::span<const std::int64_t> extents);
PHX_API LaunchConfig make_launch_config(
    std::span<const std::int64_t> grid,
    std::span<const std::int64_t> block,
    std::int64_t shared_bytes);

// What of the kernel decides whether a launch of it fits.
struct KernelNeeds {
  std::uint64_t fixed_shared_bytes = 0;
  std::uint32_t max_threads = 1024;  // its launch bounds or registers may allow fewer
};

// The launch with the dynamic shared memory that the kernel's own arrays take beside what the user
// requested. Throws ValueError with what was requested and what the limit is.
LaunchConfig checked_launch(
    const Executable& kernel,
    const LaunchConfig& config,
    std::span<const std::byte> parameters,
    const KernelNeeds& needs,
    const DeviceLimits& limits);

}  // namespace phalanx::runtime
