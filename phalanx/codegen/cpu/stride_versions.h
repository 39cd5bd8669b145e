// Versioning (LLVM's LoopVersioning) of the code between two barriers for the strides of
// butterflies: in bitonic sorts, FFTs and scans, a loop counts the powers of two, and `t & (stride
// - 1)`, `t ^ stride` or `t // stride` say which elements of shared memory a thread takes. With the
// stride a constant, the lanes' addresses lie at known distances (shared_windows.h); from the lanes
// on, they follow each other (speculative_indices.cpp). In between they would be gathered.
#pragma once

#include <optional>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

// A copy of the module with versions for 1, 2, 4, ... below `lanes`; nothing where its kernel has
// no such code, or calls functions.
std::optional<ir::Module> make_stride_versions(const ir::Module& source, unsigned lanes);

}  // namespace phalanx::codegen::cpu
