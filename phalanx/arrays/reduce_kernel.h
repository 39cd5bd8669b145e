// Kernels that fold a program's results over some dimensions of its space.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/program.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {

// What is folded: a program of one result, and for each dimension of its space if it goes away.
struct Folding {
  const Program* program = nullptr;
  std::string name;  // the reduction's, for the kernels' keys
  const numpy::Reduction* reduction = nullptr;
  std::vector<bool> is_reduced;
};

// Writes the results, one for each index of the dimensions that are kept, in C order without gaps;
// or where there are several outputs, one for each number of the reduction's state, the states. The
// space must have elements, unless the reduction has an identity. Takes memory of its own where the
// fold goes in two stages, and `allocate` gives it: bytes that stay while the stream needs them.
// Gives the kernel that folds; null where there is nothing to do.
std::shared_ptr<ProgramKernel> launch_reduce(
    KernelTable& kernels,
    const Folding& folding,
    std::span<const runtime::Address> outputs,
    const std::function<runtime::Address(std::size_t bytes)>& allocate,
    runtime::Stream& stream);

struct NamedReduction {
  const std::string& name;  // for the kernels' keys
  const numpy::Reduction* reduction = nullptr;
};

// What folds of parts left: for each number of the state [part][result].
struct PartStates {
  std::int64_t count = 1;
  std::int64_t results = 1;
  std::span<const runtime::Address> addresses;
};

// Joins them to the results, or to states, as launch_reduce() writes them.
void launch_join(
    KernelTable& kernels,
    const NamedReduction& named,
    const PartStates& parts,
    std::span<const runtime::Address> outputs,
    runtime::Stream& stream);

}  // namespace phalanx::arrays
