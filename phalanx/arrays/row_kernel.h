// Kernels that fold each row of a space and compute of what they folded: a block has a row.
#pragma once

#include <memory>
#include <vector>

#include "phalanx/arrays/elementwise_kernel.h"

namespace phalanx::arrays {

// For a program that folds. One output for each result; the strides of one that is a fold are 0
// along the row. They may lie where an access reads only if it reads each element from where it is
// written. Gives the kernel; null where there is nothing to do.
std::shared_ptr<ProgramKernel> launch_rows(
    KernelTable& kernels,
    const Program& program,
    const std::vector<Output>& outputs,
    runtime::Stream& stream);

}  // namespace phalanx::arrays
