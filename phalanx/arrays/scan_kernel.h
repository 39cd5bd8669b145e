// Kernels that fold all elements up to each one along a dimension: NumPy's ufunc.accumulate,
// cumsum, cumprod. Long rows go in three stages (reduce, then scan: Merrill and Grimshaw, "Parallel
// Scan for Stream Architectures", 2009): blocks fold a chunk each, what they come to is scanned,
// blocks scan their chunks and go on from there.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {

// The fold of a scan of such elements, by its reduction's name. Sums and products of floats are
// computed in the next larger ones: a chunk of a row may come to more than the type holds, and a
// thread adds many numbers one by one. Nothing where there is none of one number.
std::optional<numpy::Reduction> fold_of_scan(std::string_view name, DType element);

// What is scanned: a program of one result, along one dimension of its space.
struct Scanning {
  const Program* program = nullptr;
  std::string name;  // the reduction's, for the kernels' keys
  const numpy::Reduction* fold = nullptr;
  std::size_t axis = 0;
};

// Memory that stays while the stream needs it: an array without gaps.
using ScanMemory = std::function<views::DeviceArray(DType dtype, const Extents& shape)>;

// Writes the results to the output, which has the program's space. Gives the kernel that scans;
// null where there is nothing to do.
std::shared_ptr<ProgramKernel> launch_scan(
    KernelTable& kernels,
    const Scanning& scanning,
    const views::DeviceArray& output,
    const ScanMemory& allocate,
    runtime::Stream& stream);

}  // namespace phalanx::arrays
