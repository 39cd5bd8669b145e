// The code generator of GPUs: PTX.
#pragma once

#include "phalanx/codegen/codegen.h"

namespace phalanx::codegen {
struct MachineSettings;
}

namespace phalanx::codegen::nvptx {

extern const Backend backend;

// `compute_capability`: 10 * major + minor. Throws CompileError where it is too old.
Target cuda_target(unsigned compute_capability);

// One for each generation: the code runs on the later chips of the same.
std::vector<Target> common_targets();
bool runs(const Target& host, const Target& common);

// NVPTX in LLVM's terms.
const MachineSettings& machine_settings();

}  // namespace phalanx::codegen::nvptx
