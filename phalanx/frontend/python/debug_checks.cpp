#include "phalanx/frontend/python/debug_checks.h"

namespace phalanx::frontend::python {
namespace {

bool is_debug_kernel(const Session& session) {
  return session.options().debug && !session.options().is_function;
}

}  // namespace

void check_division(Walk& walk, ir::Op op, const Value& left, const Value& right) {
  Emitter& emitter = walk.emitter;
  const bool divides =
      op == ir::Op::true_divide || op == ir::Op::floor_divide || op == ir::Op::remainder;
  if (divides && is_debug_kernel(walk.session) && emitter.is_scalar(left) && right.is<Runtime>() &&
      emitter.is_scalar(right))
    walk.raise_when(
        emitter.compare(tree::Comparison::equal, right, integer_literal(0)),
        emitter.exception("ZeroDivisionError", "division by zero"));
}

void check_tuple_index(Walk& walk, const Value& owner, const Value& index) {
  if (!is_debug_kernel(walk.session) || !walk.emitter.is_scalar(index) || known_integer(index))
    return;
  const auto elements = walk.emitter.elements_of(owner);
  if (!elements)
    return;
  const auto count = static_cast<std::int64_t>(elements->size());
  const Value low = walk.emitter.compare(tree::Comparison::less, index, integer_literal(-count));
  const Value high =
      walk.emitter.compare(tree::Comparison::greater_equal, index, integer_literal(count));
  walk.raise_when(
      walk.emitter.select(low, boolean_literal(true), high),
      walk.emitter.exception("IndexError", "tuple index out of range"));
}

}  // namespace phalanx::frontend::python
