// What may be stored in an array by a += b and its like.
#pragma once

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// Fails where the result is of a kind that the elements cannot hold, as NumPy does: a += 0.5 of
// integers would lose what is after the point.
void check_in_place(Emitter& emitter, ir::Op op, ir::Operation* view, const Value& value);

}  // namespace phalanx::frontend::python
