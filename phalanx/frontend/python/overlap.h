// Alias analysis of arrays: decides if writing to one array may change what is read from another.
#pragma once

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// A bool: true where the arrays share memory and are not the same view, so that an element could be
// written before it is read at another index.
Value overlaps(Emitter& emitter, ir::Operation* written, ir::Operation* read);

}  // namespace phalanx::frontend::python
