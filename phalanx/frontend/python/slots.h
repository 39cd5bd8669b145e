// Values in memory, part by part where ir/abi.h puts the slots of their type.
#pragma once

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// The value, converted to the type, at the address `target`.
void store_slots(Emitter& emitter, ir::Operation* target, const ir::Type& type, const Value& value);

Value load_slots(Emitter& emitter, ir::Operation* source, const ir::Type& type);

}  // namespace phalanx::frontend::python
