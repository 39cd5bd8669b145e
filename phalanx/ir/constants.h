// Arithmetic on the IR's constants, exactly as the devices compute it.
#pragma once

#include <optional>
#include <span>

#include "phalanx/base/dtype.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// The value as `dtype` holds it: integers wrapped to its width, floats rounded to its precision.
// The alternative of the variant must fit the dtype's kind already.
Constant normalized(const Constant& value, DType dtype);

// True if the variant holds the alternative of the dtype's kind, and a value the dtype can hold.
bool is_normalized(const Constant& value, DType dtype);

// As Op::cast; nothing where the result depends on the device (a float out of the integer's range).
std::optional<Constant> cast_constant(const Constant& value, DType from, DType to);

// An elementwise operation on operands of type `dtype` (the type of the first for ldexp, of the
// second for select); nothing where it is not computed here: math functions are left to the device.
std::optional<Constant> fold(Op op, DType dtype, std::span<const Constant> operands);

// Same bits: NaN equals itself, and 0.0 differs from -0.0.
bool is_identical(const Constant& a, const Constant& b);

}  // namespace phalanx::ir
