// A launch with its arguments: places host arrays where the device reaches them, packs, launches.
#pragma once

#include <memory>
#include <span>

#include "phalanx/base/export.h"
#include "phalanx/jit/argument.h"
#include "phalanx/jit/plan.h"
#include "phalanx/runtime/device.h"

namespace phalanx::jit {

class Graph;

struct LaunchSite {
  runtime::LaunchConfig config;
  runtime::Device* device = nullptr;
  std::shared_ptr<runtime::Stream> stream;
  Graph* graph = nullptr;  // that `stream` records
};

// True if arrays of the arguments must be copied to the device and back for this launch.
PHX_API bool needs_copies(
    const Plan& plan, const LaunchSite& site, std::span<const Argument> arguments);

// The arguments' arrays are in memory that the device reaches. Throws TypeError where they are not.
PHX_API void launch(
    const Plan& plan,
    runtime::Executable& executable,
    const LaunchSite& site,
    std::span<const Argument> arguments);

// Copies host arrays to the device, launches, copies what the kernel may have written back and
// waits.
PHX_API void launch_with_copies(
    const Plan& plan,
    runtime::Executable& executable,
    const LaunchSite& site,
    std::span<Argument> arguments);

}  // namespace phalanx::jit
