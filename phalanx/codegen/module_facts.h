// What a launch must know of a kernel's code, read off its IR.
#pragma once

#include <string>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

bool uses_print(const ir::Module& module);
bool is_cooperative(const ir::Module& module);        // all blocks have to run at once
std::string launch_memory(const ir::Module& module);  // base/launch_memory.h
bool stages_tiles(const ir::Module& module);          // the kernel has a barrier in a loop

}  // namespace phalanx::codegen
