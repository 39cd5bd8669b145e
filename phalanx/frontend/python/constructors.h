// Calls of types: numbers, vectors and named tuples.
#pragma once

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// They fail where the arguments do not fit.
Value construct(Emitter& emitter, const ir::Type& type, const Call& call);
Value construct(Emitter& emitter, const TupleClassEntity& type, const Call& call);

}  // namespace phalanx::frontend::python
