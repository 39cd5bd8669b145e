// The IR's own typing rules: what type an operation yields, given its operands' types.
#pragma once

#include <span>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// The type of an elementwise operation on these operands.
Type result_type(Op op, std::span<Operation* const> operands);

// Bytes from one element of a packed array to the next.
std::size_t element_stride(const Type& element);

}  // namespace phalanx::ir
