// Kernels that write to elements at computed places: x[indices] = value, ufunc.at.
#pragma once

#include <memory>

#include "phalanx/arrays/function.h"
#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program.h"

namespace phalanx::arrays {

struct Scattering {
  // Its first result is how many bytes (int64) the element is from the one of the same index of the
  // view that is written to; then come the value, of unary functions none, and the condition.
  const Program* program = nullptr;
  bool has_condition = false;          // elements for which it is false stay as they are
  const Function* function = nullptr;  // of the element and the value; null: the value itself
  // The same element may be met twice, and not with the same value. Functions count each time, on
  // CPUs in C order, on GPUs in any. Values are stored in C order by one thread: where that is a
  // GPU's, the caller has better means.
  bool has_repeats = true;
};

// The program must not read what is written to. Gives the kernel; null where there is nothing to
// do.
std::shared_ptr<ProgramKernel> launch_scatter(
    KernelTable& kernels,
    const Scattering& scattering,
    const Output& target,
    runtime::Stream& stream);

}  // namespace phalanx::arrays
