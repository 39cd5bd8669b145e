// What the entries of the front end share: calling a function from IR that is not Python's own.
#pragma once

#include <vector>

#include "phalanx/frontend/argument_names.h"
#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/session.h"
#include "phalanx/frontend/python/value.h"

namespace phalanx::frontend::python {

// A function compiled for the arguments of a call, and what the call passes: the computed numbers,
// arrays and pointers among the arguments and the captured values, in order.
struct Compiled {
  const Instance& instance;
  std::vector<ir::Operation*> leaves;
};
Compiled compile_instance(
    Session& session, Emitter& emitter, FunctionUnit unit, std::vector<Value> arguments);

// Calls the function, which is compiled first where these arguments are new to it. Values that
// local functions captured must be frozen.
Value call_compiled(
    Session& session, Emitter& emitter, FunctionUnit unit, std::vector<Value> arguments);

// What the host's argument is to the code: the value of the parameter, or what it names (see
// argument_names.h).
Value argument_value(ir::Operation* parameter, Environment& environment);

// Parameters of these types, of which no source names any: a0, a1, ...
std::vector<ir::Parameter> numbered_parameters(const std::vector<ir::Type>& types);

// Removes the functions that `entry` does not call: rounds that were taken back leave some.
void remove_unused(ir::Module& module, const ir::Function& entry);

}  // namespace phalanx::frontend::python
