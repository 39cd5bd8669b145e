#include "phalanx/frontend/python/extensions.h"

#include <algorithm>
#include <array>

#include "phalanx/frontend/python/calls.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"

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

std::optional<OverloadEntity> Extensions::find(std::string_view name) {
  const Entity& entity = walk_.session.extension(*walk_.unit.environment, name);
  if (const auto* overloads = std::get_if<OverloadEntity>(&entity.value))
    return *overloads;
  return std::nullopt;
}

Value Extensions::call(const OverloadEntity& function, const Call& call, const Value& otherwise) {
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
    walk_.diagnostics().typing(walk_.builder().location(), error.what());
  }
  if (!std::holds_alternative<Missing>(chosen.value))
    return calls_.call(value_of(chosen), call);
  const auto* intrinsic = otherwise.as<IntrinsicEntity>();
  if (auto value = intrinsic == nullptr ? std::nullopt
                                        : call_intrinsic(walk_.emitter, intrinsic->name, call))
    return std::move(*value);
  const Value base = value_of(function.overloads->otherwise());
  if (!base.is<Unbound>())
    return calls_.call(base, call);
  walk_.emitter.fail(
      function.overloads->name() + "() has no implementation for (" + types + ")",
      function.overloads->advice());
}

namespace {

// The part of an array that an index of positions or a mask chooses from, along its first
// dimension: of a[:, positions] the transposed array.
struct Chosen {
  Value from;
  Value index;
  bool is_transposed = false;
};

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

std::optional<Chosen> chosen_from(Emitter& emitter, const Value& owner, const Value& index) {
  if (!emitter.session().options().is_function || !is_array(owner))
    return std::nullopt;
  if (is_array(index))
    return Chosen{emitter.materialize(owner), emitter.materialize(index)};
  auto parts = with_slices(
      emitter.elements_of(index).value_or(std::vector<Value>()), type_of(owner)->ndim());
  const auto found = std::ranges::find_if(parts, is_array);
  if (found == parts.end())
    return std::nullopt;
  const auto before = static_cast<std::size_t>(found - parts.begin());
  const Value positions = emitter.materialize(*found);
  *found = full_slice();
  const auto is_kept = [](const Value& part) { return part.is<SliceValue>(); };
  const auto axis = std::count_if(parts.begin(), parts.begin() + static_cast<int>(before), is_kept);
  if (std::ranges::any_of(parts, is_array) || axis > 1)
    emitter.fail(
        "only one array of positions, or one mask, is taken in an index, for one of the first two "
        "dimensions",
        "Write a loop over the positions.");
  const Value view = emitter.item(owner, tuple_value(std::move(parts)));
  return Chosen{axis == 1 ? emitter.attribute(view, "T") : view, positions, axis == 1};
}

}  // namespace

// a[positions], a[mask]: the library has them for CPU functions, where arrays can be made.
std::optional<Value> Extensions::elements_at(const Value& owner, const Value& index) {
  const auto chosen = chosen_from(walk_.emitter, owner, index);
  if (!chosen)
    return std::nullopt;
  const Value elements =
      call(find("index.get").value(), {.arguments = {chosen->from, chosen->index}, .keywords = {}});
  return chosen->is_transposed ? walk_.emitter.attribute(elements, "T") : elements;
}

bool Extensions::set_elements_at(const Value& owner, const Value& index, const Value& value) {
  const auto chosen = chosen_from(walk_.emitter, owner, index);
  if (!chosen)
    return false;
  Value given = value.is<LazyArray>() ? Value(walk_.emitter.materialize(value)) : value;
  if (chosen->is_transposed && is_array(given) && type_of(given)->ndim() > 1)
    given = walk_.emitter.attribute(given, "T");
  call(
      find("index.set").value(),
      {.arguments = {chosen->from, chosen->index, given}, .keywords = {}});
  return true;
}

std::optional<Value> Extensions::attribute(const Value& owner, const std::string& name) {
  const auto type = type_of(owner);
  // Fields of records come first.
  if (!type || (type->is_array() && type->element().is_record()))
    return std::nullopt;
  if (const auto attribute = find("attribute." + name)) {
    const Entity chosen = attribute->overloads->choose({argument_of(owner)}, {});
    if (!std::holds_alternative<Missing>(chosen.value))
      return calls_.call(
          value_of(chosen),
          {.arguments = {owner.is<LazyArray>() ? Value(walk_.emitter.materialize(owner)) : owner},
           .keywords = {}});
  }
  const auto method = find("method." + name);
  if (!method || !method->overloads->takes(*type))
    return std::nullopt;
  return Method{name, std::make_shared<const Value>(owner), method->overloads};
}

}  // namespace phalanx::frontend::python
