// Kernels that compute a program for each index of its space and store the results.
#pragma once

#include <cstdint>
#include <memory>
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

// The kernel that launch_elementwise() takes for one result of few elements where all arrays are
// without gaps, in the order of the space.
std::shared_ptr<ProgramKernel> find_flat(KernelTable& kernels, const Program& program);
// How it is launched; `inner` elements of each row are along x.
runtime::LaunchConfig config_of_rows(std::int64_t inner, std::int64_t rows);

}  // namespace phalanx::arrays
