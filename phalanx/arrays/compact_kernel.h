// Kernels that take the elements for which a mask is true, in the order of the space: NumPy's
// indexing by masks, nonzero. The algorithm is stream compaction in two passes: blocks count what
// they take, the counts are summed up, blocks move it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "phalanx/arrays/kernel_table.h"
#include "phalanx/arrays/program.h"

namespace phalanx::arrays {

// Memory that stays while the stream needs it, of that many bytes.
using Scratch = std::function<runtime::Address(std::size_t bytes)>;

// For a program whose first result is the mask (bool), and the others are what is taken. `allocate`
// is called once it is known how many elements there are, and gives where they go, one after the
// other: an address for each of the other results. Waits for the stream. Gives the kernel that
// moves; null where there is nothing to move, or a trial keeps launches from running.
std::shared_ptr<ProgramKernel> launch_compact(
    KernelTable& kernels,
    const Program& program,
    const Scratch& scratch,
    const std::function<std::vector<runtime::Address>(std::int64_t count)>& allocate,
    runtime::Stream& stream);

}  // namespace phalanx::arrays
