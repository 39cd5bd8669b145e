// What #line says of the lines of a source.
#pragma once

#include "phalanx/frontend/cuda_c.h"
#include "phalanx/ir/ir.h"

namespace phalanx::frontend {

// Locations in the module are lines of the text. They become those that the directives say, in a
// file for each part of the text that they divide it into.
void place_lines(ir::Module& module, const CudaCSource& source);

}  // namespace phalanx::frontend
