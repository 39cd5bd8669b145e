// Kernels that compute a program for each index of its space and store the results.
#pragma once

#include <vector>

#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program.h"

namespace phalanx::arrays {

// One output for each result, of the result's type. They may lie where an access reads only if it
// reads each element from where it is written. Gives the kernel; null where there is nothing to do.
std::shared_ptr<ProgramKernel> launch_elementwise(
    KernelTable& kernels,
    const Program& program,
    const std::vector<Output>& outputs,
    const Order& order,
    runtime::Stream& stream);

}  // namespace phalanx::arrays
