// What one elementwise node computes of numbers, and how NumPy's functions become such.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/ir/builder.h"
#include "phalanx/numpy/promotion.h"
#include "phalanx/numpy/typed_function.h"

namespace phalanx::arrays {

// Lives as long as the process; two pointers differ where the functions do.
struct Function {
  std::string name;  // for people: explain(), the kernels' names
  std::uint32_t number = 0;
  unsigned arity = 0;
  std::array<DType, 3> operands = {};  // what operands are cast to before
  DType result = DType::boolean;
  bool is_long = false;  // of tens of instructions: sin, exp, power
  int part = -1;         // of a complex number: 0 the real one, 1 the imaginary one; else -1
  std::function<ir::Builder::Value(ir::Builder& builder, const ir::Builder::Values& operands)> emit;
};

// The ufunc's loop for such operands, by NumPy's rules (NEP 50). Null where it has none. Fast: what
// was found once is looked up.
PHX_API const Function* find_function(
    const infer::Ufunc& ufunc, std::span<const numpy::Operand> operands);

// The ufunc's loop of two int64.
const Function& integer_function(std::string_view name);

// The conversion to a type, and the choice `where(condition, x, y)` of two values of a type.
PHX_API const Function& cast_function(DType from, DType to);
PHX_API const Function& select_function(DType dtype);
// A row of a table of such functions.
PHX_API const Function& typed_function(const numpy::TypedFunction& function);
// The real or the imaginary part of a complex number.
PHX_API const Function& part_function(DType dtype, bool is_imaginary);

}  // namespace phalanx::arrays
