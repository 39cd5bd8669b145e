#include "phalanx/passes/pointer_origins.h"

#include <algorithm>
#include <cstdint>

#include "phalanx/ir/abi.h"
#include "phalanx/passes/pointer_tables.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using Kind = Origin::Kind;

namespace {

std::size_t count_of_pointers(const ir::Type& type) {
  if (type.is_array())
    return 0;
  const std::vector<ir::Type> slots = ir::flatten(type);
  return static_cast<std::size_t>(std::ranges::count_if(slots, &ir::Type::is_pointer));
}

bool has_own_memory(Op op) {
  switch (op) {
    case Op::shared_array:
    case Op::dynamic_shared_array:
    case Op::local_array:
    case Op::constant_array:
    case Op::global_array:
      return true;
    default:
      return false;
  }
}

bool is_null(const Operation& pointer) {
  const Operation& number = *pointer.operands[0];
  return number.op == Op::constant && number.constant == ir::Constant(std::int64_t{0});
}

Origin joined(const Origin& one, const Origin& other) {
  if (one == other || other.kind == Kind::none)
    return one;
  return one.kind == Kind::none ? other : Origin{.kind = Kind::several};
}

}  // namespace

PointerOrigins::PointerOrigins(const ir::Function& function)
    : tables_(find_pointer_tables(function)), variables_(function.variables.size()) {
  const auto& parameters = function.parameters;
  if (!parameters.empty() && ir::is_bounds(parameters.back()->type)) {
    std::size_t number = 0;
    for (const auto& parameter : parameters) {
      parameters_[parameter.get()] = number;
      number += count_of_pointers(parameter->type);
    }
  }
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    ir::for_each(function.body, [&](const Operation& operation) {
      if (operation.op == Op::set && operation.operands[0]->type.is_pointer())
        has_changed |= note(operation);
    });
  }
}

// True if more is known now of the variable.
bool PointerOrigins::note(const Operation& set) {
  Origin& known = variables_.at(set.variable);
  Origin now = joined(known, of(*set.operands[0]));
  // Where an array is made, it need not be visible where the variable is read.
  if (now.kind == Kind::array)
    now = {.kind = Kind::several};
  if (now == known)
    return false;
  known = now;
  return true;
}

// The number of the first pointer in a parameter, or in a part of one.
std::optional<std::size_t> PointerOrigins::first_pointer(const Operation& value) const {
  if (value.op == Op::parameter) {
    const auto found = parameters_.find(&value);
    return found == parameters_.end() ? std::nullopt : std::optional(found->second);
  }
  if (value.op != Op::tuple_get)
    return std::nullopt;
  auto number = first_pointer(*value.operands[0]);
  for (std::int64_t i = 0; number && i < value.index; ++i)
    *number += count_of_pointers(value.operands[0]->type.fields().at(i).type);
  return number;
}

const Operation* PointerOrigins::table_of(const Operation& operation) const {
  const auto found = tables_.find(&operation);
  return found == tables_.end() ? nullptr : found->second;
}

bool PointerOrigins::is_table(const Operation& operation) const {
  return std::ranges::any_of(
      tables_, [&](const auto& access) { return access.second == &operation; });
}

Origin PointerOrigins::of(const Operation& pointer) const {
  switch (pointer.op) {
    case Op::pointer_offset:
      return of(*pointer.operands[0]);
    case Op::parameter:
    case Op::tuple_get: {
      const auto number = first_pointer(pointer);
      return number ? Origin{.kind = Kind::argument, .argument = *number}
                    : Origin{.kind = Kind::unknown};
    }
    case Op::array_data:
    case Op::array_element: {
      const Operation* array = pointer.operands[0];
      return has_own_memory(array->op) ? Origin{.kind = Kind::array, .array = array}
                                       : Origin{.kind = Kind::unknown};
    }
    case Op::load:
      return {.kind = table_of(pointer) != nullptr ? Kind::several : Kind::unknown};
    case Op::get:
      return variables_.at(pointer.variable);
    case Op::select:
      return joined(of(*pointer.operands[1]), of(*pointer.operands[2]));
    case Op::undefined:
      return {};
    case Op::bitcast:
      return is_null(pointer) ? Origin{} : Origin{.kind = Kind::unknown};
    default:
      return {.kind = Kind::unknown};
  }
}

}  // namespace phalanx::passes
