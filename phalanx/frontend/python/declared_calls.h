// Calls of functions that other functions, or loops made in C++, refer to.
#pragma once

#include <vector>

#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/value.h"

namespace phalanx::frontend::python {

// Calls the function with a value for each of its parameters. They are converted to the declared
// signature that fits best, and the result to what that declares.
Value call_declared(
    Emitter& emitter,
    const FunctionEntity& function,
    const FunctionSource& source,
    std::vector<Value> arguments);

}  // namespace phalanx::frontend::python
