// Ufuncs and gufuncs: functions of numbers, or of small arrays, that are called for each item of
// larger arrays.
#pragma once

#include <memory>
#include <vector>

#include "phalanx/frontend/item_function.h"
#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/value.h"

namespace phalanx::frontend::python {

// A call in a CPU function. A ufunc of arrays gives an array that is computed where it is needed; a
// gufunc is called for each item of the stacks, to which its inputs are broadcast; where they may
// share memory with what is written, it gets copies of them.
Value call_for_items(
    Emitter& emitter,
    const FunctionEntity& function,
    const ItemCalls& items,
    const std::shared_ptr<const FunctionSource>& source,
    const Call& call);

// What a gufunc's function gets of an array: its item there, whose indices are known to be in
// range.
Value item_of(
    Emitter& emitter,
    ir::Operation* array,
    const ItemCalls::Operand& operand,
    const std::vector<ir::Operation*>& indices);

}  // namespace phalanx::frontend::python
