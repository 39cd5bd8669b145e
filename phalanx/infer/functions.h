// Scalar functions and operators of Python: which there are, and how a call of one is typed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "phalanx/base/dtype.h"
#include "phalanx/infer/overloads.h"
#include "phalanx/ir/op.h"

namespace phalanx::infer {

enum class SmallFloats : std::uint8_t { no, half, both, pair };
enum class Compute : std::uint8_t { declared, result, real, truth };

// A row of functions.def, where the columns are explained, or made from one of ir/ops.def.
struct Function {
  std::string_view name;
  int arity;
  std::optional<ir::Op> op;
  Overloads overloads;
  SmallFloats small;
  Compute compute;
};

// nullptr if there is no such function. `name` has its module: "operator.add", "math.sin".
const Function* find_function(std::string_view name, int arity);
std::span<const Function> functions();

// How one call is typed. A caller casts its operands to `operands`, emits the operation, which
// yields `yields`, and casts that to `result`. Entries beyond the arity mean nothing.
struct Typing {
  std::array<DType, 3> declared = {};  // the operand types of Numba's own signature
  std::array<DType, 3> operands = {};
  DType yields = DType::boolean;
  DType result = DType::boolean;
  std::optional<DType> second_result;  // divmod, modf, frexp, cmath.polar yield a pair

  bool operator==(const Typing&) const = default;
};

// Int literals come as int64, float literals as float64, bool literals as boolean. Nothing when
// the function does not take such operands.
std::optional<Typing> resolve(const Function& function, std::span<const DType> operands);

// The same by name, and for an operation of the IR by its Python meaning (`add` is "operator.add").
std::optional<Typing> resolve(std::string_view function, std::span<const DType> operands);
std::optional<Typing> resolve(ir::Op op, std::span<const DType> operands);

// True if a NumPy or Numba type, called with one number (`np.float32(x)`), makes a value of it.
bool can_construct(DType to, DType from);

}  // namespace phalanx::infer
