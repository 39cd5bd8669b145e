#include "phalanx/frontend/python/carried.h"

#include <algorithm>
#include <memory>

#include "phalanx/frontend/python/lists.h"
#include "phalanx/ir/lists.h"

namespace phalanx::frontend::python {
namespace {

bool is_jump(const ir::Operation& operation) {
  return operation.op == ir::Op::break_ || operation.op == ir::Op::continue_ ||
         operation.op == ir::Op::return_;
}

// As it was written, or of a global name.
bool is_plain_literal(const Value& value) {
  const auto* literal = value.as<Literal>();
  return literal != nullptr && !is_computed(value) &&
         (literal->dtype == DType::int64 || is_boolean(literal->dtype));
}

template <typename Leaf>
void for_each_leaf(const ir::Type& type, const Leaf& leaf) {
  if (!type.is_tuple()) {
    leaf(type);
    return;
  }
  for (const ir::Field& field : type.fields()) for_each_leaf(field.type, leaf);
}

}  // namespace

void at_end_of(ir::Builder& builder, ir::Region& region, const std::function<void()>& emit) {
  std::unique_ptr<ir::Operation> jump;
  if (!region.empty() && is_jump(*region.back())) {
    jump = std::move(region.back());
    region.pop_back();
  }
  {
    const auto inside = builder.enter(region);
    emit();
  }
  if (jump)
    region.push_back(std::move(jump));
}

bool has_zero(const ir::Type& type) {
  return type.is_scalar() || ir::is_list(type) ||
         (type.is_array() && type.space() == ir::Space::global);
}

Value sole_of(const std::vector<Binding>& bound) {
  const Value& first = bound.front().meaning();
  const bool agrees = is_plain_literal(first) && std::ranges::all_of(bound, [&](const auto& each) {
                        return is_same(each.meaning(), first);
                      });
  return agrees ? first : Value();
}

namespace {

// What has_zero() says.
ir::Operation* zero(Emitter& emitter, const ir::Type& type) {
  if (type.is_scalar())
    return emitter.convert(boolean_literal(false), type);
  if (ir::is_list(type))
    return new_list(emitter, ir::list_element(type));
  ir::Builder& builder = emitter.builder();
  ir::Operation* none = builder.integer(0);
  const std::size_t numbers = type.layout() == ir::Layout::any ? 2 * type.ndim() : type.ndim();
  std::vector<ir::Operation*> operands(numbers + 1, none);
  operands[0] = builder.bitcast(none, ir::Type::pointer(type.element(), type.space()));
  return &builder.append(ir::Op::array_make, type, std::move(operands));
}

}  // namespace

void Carried::make_variables(ir::Builder& builder) {
  for_each_leaf(
      type, [&](const ir::Type& leaf) { variables.push_back(builder.variable(name, leaf)); });
}

// A name without a value yet is 0, as in Numba.
void Carried::set(Emitter& emitter, const Value& value) const {
  std::size_t next = 0;
  const std::function<void(const ir::Type&, const Value&)> set_part = [&](const ir::Type& own,
                                                                          const Value& part) {
    if (!own.is_tuple()) {
      const ir::VariableId variable = variables.at(next++);
      if (!part.is<Unbound>())
        emitter.builder().set(variable, emitter.convert(part, own));
      else if (has_zero(own))
        emitter.builder().set(variable, zero(emitter, own));
      return;
    }
    const auto elements = emitter.elements_of(part);
    for (std::size_t i = 0; i < own.fields().size(); ++i)
      set_part(own.fields()[i].type, elements ? (*elements)[i] : Value());
  };
  set_part(type, value);
}

Value Carried::get(Emitter& emitter) const {
  std::size_t next = 0;
  const std::function<Value(const ir::Type&)> get_part = [&](const ir::Type& own) -> Value {
    if (!own.is_tuple()) {
      ir::Operation* value = emitter.builder().get(variables.at(next++));
      value->name = name;
      return value;
    }
    std::vector<Value> elements;
    std::vector<std::string> names;
    for (const ir::Field& field : own.fields()) {
      elements.push_back(get_part(field.type));
      names.push_back(field.name);
    }
    TupleValue tuple = {
        .elements = std::make_shared<const std::vector<Value>>(std::move(elements)),
        .name = own.name()};
    if (!own.name().empty())
      tuple.field_names = std::make_shared<const std::vector<std::string>>(std::move(names));
    return tuple;
  };
  return get_part(type);
}

}  // namespace phalanx::frontend::python
