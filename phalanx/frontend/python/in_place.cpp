#include "phalanx/frontend/python/in_place.h"

#include <string>

#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

// bool, unsigned, signed, float, complex: what NumPy stores in place goes only upwards.
int rank_of(DType dtype) {
  return is_boolean(dtype)    ? 0
         : is_unsigned(dtype) ? 1
         : is_signed(dtype)   ? 2
         : is_complex(dtype)  ? 4
                              : 3;
}

}  // namespace

// A number of type int64 may be Python's own, which takes the type of the array.
void check_in_place(Emitter& emitter, ir::Op op, ir::Operation* view, const Value& value) {
  const auto given = type_of(value);
  const ir::Type& element = view->type.element();
  if (!given || !element.is_scalar())
    return;
  const ir::Type other = given->is_array() ? given->element() : *given;
  if (!other.is_scalar())
    return;
  const DType to = element.dtype();
  const bool is_weak = !given->is_array() && other.dtype() == DType::int64 && is_integer(to);
  DType result = is_weak ? to : infer::promoted(to, other.dtype());
  if (op == ir::Op::true_divide && rank_of(result) < rank_of(DType::float64))
    result = DType::float64;
  if (rank_of(result) > rank_of(to))
    emitter.fail(
        std::string(ir::info(op).python) + "= makes " + describe(ir::Type(result)) +
            ", which does not go into " + describe(Value(view)) + " without loss",
        "Make a new array, as in a = a " + std::string(ir::info(op).python) +
            " ..., or convert the operand, as in .astype(np." + std::string(info(to).text) + ").");
}

}  // namespace phalanx::frontend::python
