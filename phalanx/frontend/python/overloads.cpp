// Functions, methods and attributes that are written in Python, one implementation for each tuple
// of types: Numba's extension API, and Phalanx's own library of NumPy functions.
#include <algorithm>
#include <array>

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
  // dtype=float
  const auto* intrinsic = value.as<IntrinsicEntity>();
  if (const auto dtype = intrinsic == nullptr ? std::nullopt : dtype_of_builtin(intrinsic->name))
    return {TypeEntity{*dtype}};
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
      function.overloads->advice());
}

// The part of an array that an index of positions or a mask chooses from, along its first
// dimension: of a[:, positions] the transposed array.
struct Walker::Chosen {
  Value from;
  Value index;
  bool is_transposed = false;
};

namespace {

Value full_slice() {
  const std::array<Value, 3> all = {none_value(), none_value(), none_value()};
  return SliceValue{std::make_shared<const std::array<Value, 3>>(all)};
}

// The parts of an index with the slices that an ellipsis means: a[..., positions].
std::vector<Value> with_slices(std::vector<Value> parts, unsigned ndim) {
  const auto ellipsis = std::ranges::find_if(parts, &Value::is<EllipsisValue>);
  if (ellipsis == parts.end())
    return parts;
  const auto given = std::ranges::count_if(
      parts, [](const Value& part) { return !part.is<EllipsisValue>() && !part.is_none(); });
  const auto missing = static_cast<std::size_t>(std::max<std::ptrdiff_t>(ndim - given, 0));
  const auto position = parts.erase(ellipsis);
  parts.insert(position, missing, full_slice());
  return parts;
}

}  // namespace

std::optional<Walker::Chosen> Walker::chosen_from(const Value& owner, const Value& index) {
  if (!session_->options().is_function || !is_array(owner))
    return std::nullopt;
  if (is_array(index))
    return Chosen{emitter_.materialize(owner), emitter_.materialize(index)};
  auto parts = with_slices(
      emitter_.elements_of(index).value_or(std::vector<Value>()), type_of(owner)->ndim());
  const auto found = std::ranges::find_if(parts, is_array);
  if (found == parts.end())
    return std::nullopt;
  const auto before = static_cast<std::size_t>(found - parts.begin());
  const Value positions = emitter_.materialize(*found);
  *found = full_slice();
  const auto is_kept = [](const Value& part) { return part.is<SliceValue>(); };
  const auto axis = std::count_if(parts.begin(), parts.begin() + static_cast<int>(before), is_kept);
  if (std::ranges::any_of(parts, is_array) || axis > 1)
    emitter_.fail(
        "only one array of positions, or one mask, is taken in an index, for one of the first two "
        "dimensions",
        "Write a loop over the positions.");
  const Value view = emitter_.item(owner, tuple_value(std::move(parts)));
  return Chosen{axis == 1 ? emitter_.attribute(view, "T") : view, positions, axis == 1};
}

// a[positions], a[mask]: the library has them for CPU functions, where arrays can be made.
std::optional<Value> Walker::elements_at(const Value& owner, const Value& index) {
  const auto chosen = chosen_from(owner, index);
  if (!chosen)
    return std::nullopt;
  const Value elements = call_overloaded(
      extension("index.get").value(), {.arguments = {chosen->from, chosen->index}, .keywords = {}});
  return chosen->is_transposed ? emitter_.attribute(elements, "T") : elements;
}

bool Walker::set_elements_at(const Value& owner, const Value& index, const Value& value) {
  const auto chosen = chosen_from(owner, index);
  if (!chosen)
    return false;
  Value given = value.is<LazyArray>() ? Value(emitter_.materialize(value)) : value;
  if (chosen->is_transposed && is_array(given) && type_of(given)->ndim() > 1)
    given = emitter_.attribute(given, "T");
  call_overloaded(
      extension("index.set").value(),
      {.arguments = {chosen->from, chosen->index, given}, .keywords = {}});
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
