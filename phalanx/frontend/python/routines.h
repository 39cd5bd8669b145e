// Calls of the runtime's routines (base/routines.h).
#pragma once

#include <string>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// What the routine of that name gives for such elements: an int64. The arguments are pointers and
// int64s, of the same types in all calls.
Value call_routine(
    Emitter& emitter,
    const std::string& name,
    DType dtype,
    const std::vector<ir::Operation*>& arguments);

}  // namespace phalanx::frontend::python
