// PTX to machine code, by the assembler and linker inside the driver.
#pragma once

#include <span>
#include <string>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/device.h"

namespace phalanx::runtime::cuda {

// Throws DeviceError that holds the assembler's log.
Binary assemble_ptx(
    Context& context,
    const Binary& ptx,
    const LoadOptions& options,
    std::span<const LinkInput> inputs);

}  // namespace phalanx::runtime::cuda
