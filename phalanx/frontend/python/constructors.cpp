#include "phalanx/frontend/python/constructors.h"

#include <algorithm>

#include "phalanx/frontend/python/times.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

// The numbers and vectors that are given, one after the other.
Value construct_vector(Emitter& emitter, const ir::Type& type, const Call& call) {
  ir::Builder::Values lanes;
  for (const Value& value : call.arguments) {
    const auto given = type_of(value);
    const bool is_vector = given && given->is_vector() && !given->is_time();
    for (unsigned i = 0; i < (is_vector ? given->lanes() : 1); ++i) {
      const Value part =
          is_vector ? emitter.builder().vector_get(emitter.materialize(value), i) : value;
      lanes.push_back(emitter.convert(part, type.dtype(), "a part of the vector"));
    }
  }
  if (lanes.size() != type.lanes() || !call.keywords.empty())
    emitter.fail(
        describe(type) + " is made of " + std::to_string(type.lanes()) + " numbers, found (" +
            list_of(call.arguments) + ")",
        "Numbers and vectors may be mixed.");
  return emitter.builder().vector_make(type, std::move(lanes));
}

}  // namespace

Value construct(Emitter& emitter, const ir::Type& type, const Call& call) {
  if (type.is_vector() && !type.is_time())
    return construct_vector(emitter, type, call);
  if (type.is_scalar() && call.arguments.size() == 1 && is_time(call.arguments[0]))
    return emitter.cast(time_count(emitter, call.arguments[0]), type.dtype());
  if (call.arguments.size() != 1 || !call.keywords.empty() || !type.is_scalar())
    emitter.fail("the type " + describe(type) + " is called with one number");
  const Value& value = call.arguments.front();
  const DType from = emitter.scalar_dtype(value, "what becomes a " + describe(type));
  if (!infer::can_construct(type.dtype(), from))
    emitter.fail(
        describe(value) + " does not convert to " + describe(type),
        is_complex(from) ? "Take its .real or .imag." : "");
  return as_computed(emitter.cast(value, type.dtype()));
}

Value construct(Emitter& emitter, const TupleClassEntity& type, const Call& call) {
  std::vector<Value> elements = call.arguments;
  elements.resize(type.field_names.size());
  for (const auto& [name, value] : call.keywords) {
    const auto field = std::ranges::find(type.field_names, name);
    if (field == type.field_names.end())
      emitter.fail(type.name + " has no field " + name);
    elements[static_cast<std::size_t>(field - type.field_names.begin())] = value;
  }
  const bool is_complete = call.arguments.size() <= type.field_names.size() &&
                           std::ranges::none_of(elements, &Value::is<Unbound>);
  if (!is_complete)
    emitter.fail(
        type.name + " has " + std::to_string(type.field_names.size()) + " fields, and got (" +
        list_of(call.arguments) + ")");
  return TupleValue{
      .elements = std::make_shared<const std::vector<Value>>(std::move(elements)),
      .name = type.name,
      .field_names = std::make_shared<const std::vector<std::string>>(type.field_names)};
}

}  // namespace phalanx::frontend::python
