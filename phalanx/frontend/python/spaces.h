// Where the memory of views lies.
#pragma once

#include "phalanx/ir/types.h"

namespace phalanx::frontend::python {

// The space of a view into the elements of memory in `space`. Local arrays are interleaved with
// those of other threads element by element (see passes::separate_locals): not so parts of one.
constexpr ir::Space space_of_parts(ir::Space space) {
  return space == ir::Space::local ? ir::Space::generic : space;
}

}  // namespace phalanx::frontend::python
