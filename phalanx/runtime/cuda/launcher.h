// The driver's calls that start a kernel.
#pragma once

#include <cstddef>
#include <span>

#include "phalanx/runtime/cuda/cuda_executable.h"
#include "phalanx/runtime/launch.h"

namespace phalanx::runtime::cuda {

// The launch was checked and the context is entered.
void start_kernel(
    CudaExecutable& kernel,
    const LaunchConfig& config,
    std::span<const std::byte> parameters,
    CudaStream& stream);

}  // namespace phalanx::runtime::cuda
