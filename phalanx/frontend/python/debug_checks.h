// What debug builds of kernels check, as in numba-cuda; CPU functions raise by themselves.
#pragma once

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

// Before `left` is divided by `right`; nothing for other operators.
void check_division(Walk& walk, ir::Op op, const Value& left, const Value& right);

// Before a tuple is indexed. Indices known now are checked by the compiler.
void check_tuple_index(Walk& walk, const Value& owner, const Value& index);

}  // namespace phalanx::frontend::python
