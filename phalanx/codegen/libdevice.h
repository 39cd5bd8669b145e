// Where libdevice lies: NVIDIA's mathematical functions as LLVM bitcode, needed for GPU code.
#pragma once

#include <string>

namespace phalanx::codegen {

// The file named by PHALANX_LIBDEVICE, else the one installed beside the engine; empty if there is
// none. A kernel that calls no such function does without.
std::string libdevice_path();

}  // namespace phalanx::codegen
