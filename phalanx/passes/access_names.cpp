#include "phalanx/passes/access_names.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;

std::string array_name(const Operation& array, const Function& function) {
  if (!array.name.empty())
    return array.name;
  switch (array.op) {
    case Op::get:
      return function.variables[array.variable].name;
    case Op::tuple_get: {
      const std::string whole = array_name(*array.operands[0], function);
      return whole.empty() ? whole : whole + "[" + std::to_string(array.index) + "]";
    }
    case Op::array_make:  // a view of another array
    case Op::array_data:
    case Op::array_element:
    case Op::checked_element:
    case Op::pointer_offset:
      return array_name(*array.operands[0], function);
    case Op::pointer_field: {
      const std::string whole = array_name(*array.operands[0], function);
      const auto& fields = array.operands[0]->type.element().fields();
      return whole.empty() ? whole : whole + "." + fields.at(array.index).name;
    }
    default:
      return {};
  }
}

Verb verb_of(Op op) {
  switch (op) {
    case Op::array_load:
    case Op::load:
    case Op::hinted_load:
      return Verb::read;
    case Op::array_store:
    case Op::store:
    case Op::hinted_store:
      return Verb::write;
    case Op::atomic:
    case Op::atomic_cas:
      return Verb::atomic;
    default:
      return Verb::access;
  }
}

bool is_same_address(const Operation& pointer) {
  if (pointer.op != Op::pointer_offset)
    return false;
  const Operation& bytes = *pointer.operands[1];
  return bytes.op == Op::constant && bytes.constant == ir::Constant(std::int64_t{0});
}

const Operation* element_of(const Operation* pointer) {
  while (pointer->op == Op::pointer_field || is_same_address(*pointer))
    pointer = pointer->operands[0];
  const bool is_element = pointer->op == Op::array_element || pointer->op == Op::checked_element;
  return is_element ? pointer : nullptr;
}

Values indices_of(const Operation& access) {
  const auto first = access.operands.begin() + 1;
  return {first, first + static_cast<std::ptrdiff_t>(access.operands[0]->type.ndim())};
}

}  // namespace phalanx::passes
