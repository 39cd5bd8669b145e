// Arithmetic of datetime64 and timedelta64, as NumPy does it: counts of units, and NaT.
#pragma once

#include <optional>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

bool is_time(const Value& value);

// The count of units as an int64; NaT is the least one.
Value time_count(Emitter& emitter, const Value& time);

// The time in another unit of its kind; fails where the calendar would be needed.
ir::Operation* convert_time(Emitter& emitter, const Value& time, const ir::Type& to);

// Nothing where the operation is not defined for such operands.
std::optional<Value> time_binary(
    Emitter& emitter, ir::Op op, const Value& left, const Value& right);
std::optional<Value> time_compare(
    Emitter& emitter, ir::Op op, const Value& left, const Value& right);
std::optional<Value> time_unary(Emitter& emitter, tree::UnaryOperator op, const Value& operand);

}  // namespace phalanx::frontend::python
