// Functions, methods and attributes that are written in Python, one implementation for each tuple
// of types: Numba's extension API, and Phalanx's own library of NumPy functions.
#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {
namespace {

Entity known_part(const Value& value) {
  if (const auto* literal = value.as<Literal>())
    return {ScalarEntity{literal->dtype, literal->constant}};
  if (const auto* text = value.as<TextEntity>())
    return {*text};
  if (const auto* type = value.as<TypeEntity>())
    return {*type};
  return {Missing{}};
}

Overloads::Argument argument_of(const Value& value) {
  return {.type = type_of(value), .known = known_part(value)};
}

}  // namespace

std::optional<OverloadEntity> Walker::extension(std::string_view name) {
  const Entity& entity = session_->extension(*unit_->environment, name);
  if (const auto* overloads = std::get_if<OverloadEntity>(&entity.value))
    return *overloads;
  return std::nullopt;
}

Value Walker::call_overloaded(
    const OverloadEntity& function, const Call& call, const Value& otherwise) {
  std::vector<Overloads::Argument> arguments;
  std::string types;
  for (const Value& value : call.arguments) {
    arguments.push_back(argument_of(value));
    types += (types.empty() ? "" : ", ") + describe(value);
  }
  Overloads::Keywords keywords;
  for (const auto& [name, value] : call.keywords) {
    keywords.emplace_back(name, argument_of(value));
    types += (types.empty() ? "" : ", ") + name + "=" + describe(value);
  }
  Entity chosen;
  try {
    chosen = function.overloads->choose(arguments, keywords);
  } catch (const CompileError& error) {
    diagnostics().typing(builder().location(), error.what());
  }
  if (!std::holds_alternative<Missing>(chosen.value))
    return this->call(value_of(chosen), call);
  const auto* intrinsic = otherwise.as<IntrinsicEntity>();
  if (auto value =
          intrinsic == nullptr ? std::nullopt : call_intrinsic(emitter_, intrinsic->name, call))
    return std::move(*value);
  const Value base = value_of(function.overloads->otherwise());
  if (!base.is<Unbound>())
    return this->call(base, call);
  emitter_.fail(
      function.overloads->name() + "() has no implementation for (" + types + ")",
      "Register one with overload, or convert the arguments.");
}

// a[positions], a[mask]: the library has them for CPU functions, where arrays can be made.
std::optional<Value> Walker::elements_at(const Value& owner, const Value& index) {
  if (!session_->options().is_function || !is_array(owner) || !is_array(index))
    return std::nullopt;
  return call_overloaded(
      extension("index.get").value(),
      {.arguments = {emitter_.materialize(owner), emitter_.materialize(index)}, .keywords = {}});
}

bool Walker::set_elements_at(const Value& owner, const Value& index, const Value& value) {
  if (!session_->options().is_function || !is_array(owner) || !is_array(index))
    return false;
  const Value given = value.is<LazyArray>() ? Value(emitter_.materialize(value)) : value;
  call_overloaded(
      extension("index.set").value(),
      {.arguments = {emitter_.materialize(owner), emitter_.materialize(index), given},
       .keywords = {}});
  return true;
}

std::optional<Value> Walker::extended_attribute(const Value& owner, const std::string& name) {
  const auto type = type_of(owner);
  // Fields of records come first.
  if (!type || (type->is_array() && type->element().is_record()))
    return std::nullopt;
  if (const auto attribute = extension("attribute." + name)) {
    const Entity chosen = attribute->overloads->choose({argument_of(owner)}, {});
    if (!std::holds_alternative<Missing>(chosen.value))
      return call(
          value_of(chosen),
          {.arguments = {owner.is<LazyArray>() ? Value(emitter_.materialize(owner)) : owner},
           .keywords = {}});
  }
  const auto method = extension("method." + name);
  if (!method || !method->overloads->takes(*type))
    return std::nullopt;
  return Method{name, std::make_shared<const Value>(owner), method->overloads};
}

}  // namespace phalanx::frontend::python
