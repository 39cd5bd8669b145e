// From the log that raising and faulty threads leave to the exception the user sees.
#pragma once

#include <span>
#include <string>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/fault.h"
#include "phalanx/runtime/launch.h"

namespace phalanx::runtime {

[[noreturn]] void throw_kernel_error(
    const std::string& kernel,
    std::span<const FaultSite> sites,
    const ErrorLog& log,
    const LaunchConfig& config = {});

}  // namespace phalanx::runtime
