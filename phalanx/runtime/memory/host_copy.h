// A copy between two places in host memory by several threads, as one does not fill the bus.
#pragma once

#include <cstddef>

namespace phalanx::runtime {

void copy_host_memory(void* to, const void* from, std::size_t bytes);

}  // namespace phalanx::runtime
