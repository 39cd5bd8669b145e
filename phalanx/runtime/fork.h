// Tells a process from the children it forks: threads and GPU contexts do not survive in a child.
#pragma once

#include <cstdint>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

// 0 in the process that called this first, one more in each generation of forked children. Cheap.
PHX_API std::uint64_t fork_generation();

}  // namespace phalanx::runtime
