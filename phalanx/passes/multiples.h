// Numbers that are multiples of a power of two by the way they are made.
#pragma once

#include <cstdint>

#include "phalanx/ir/builder.h"

namespace phalanx::passes {

bool is_multiple(const ir::Operation& number, std::int64_t power);

// A multiple divided by that power: where it was multiplied, by not multiplying.
ir::Operation* quotient(ir::Builder& builder, ir::Operation* number, std::int64_t power);

}  // namespace phalanx::passes
