// Memory that a kernel's source asks for by itself.
#pragma once

#include <cstdint>

#include "phalanx/ir/ir.h"

namespace phalanx::jit {

struct MemoryUse {
  std::uint64_t local_bytes = 0;     // arrays of a thread
  std::uint64_t constant_bytes = 0;  // arrays that the kernel captured
};

MemoryUse memory_use(const ir::Module& module);

}  // namespace phalanx::jit
