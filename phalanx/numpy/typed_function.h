// Functions of numbers that no op of the table is: what they take, what they give, how it is made.
#pragma once

#include <string_view>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// A row of a table that lives as long as the process.
struct TypedFunction {
  std::string_view name;
  std::string_view operands;  // NumPy's letters: q int64, Q uint64, f float32, d float64, D
                              // complex128; M datetime64 and m timedelta64, whose counts are int64
  char result = 'm';          // one of them, or ? for bool
  Value (*emit)(ir::Builder& builder, const Values& operands) = nullptr;
  bool is_long = false;  // of tens of instructions

  PHX_API DType operand(std::size_t i) const;
  PHX_API DType result_dtype() const;
};

}  // namespace phalanx::numpy
