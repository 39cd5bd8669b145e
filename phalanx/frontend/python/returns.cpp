#include "phalanx/frontend/python/returns.h"

#include <algorithm>

#include "phalanx/frontend/python/joins.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/abi.h"

namespace phalanx::frontend::python {

void Returns::add(const Value& value, Location where) {
  returns_.emplace_back(walk_.edge(), Binding{value, where});
  walk_.builder().return_();
  walk_.is_reachable = false;
}

void Returns::keep_types(std::size_t count) {
  for (std::size_t i = count; i < returns_.size(); ++i) {
    const auto type = type_of(returns_[i].second.value);
    if (type && !type->is_none())
      untaken_.push_back(*type);
  }
}

namespace {

// True if the value is a range, or a string, of numbers that its function computes.
bool is_computed_inside(const Value& value) {
  if (value.is<ComputedText>())
    return true;
  const auto* iterable = value.as<Iterable>();
  return iterable != nullptr && std::ranges::any_of(*iterable->parts, [](const Value& part) {
           return part.is<Runtime>() || is_computed_inside(part);
         });
}

// The value of all returns, as a caller gets it.
std::optional<Value> common_result(const std::vector<std::pair<Edge, Binding>>& returns) {
  if (returns.empty())
    return none_value();
  const Value& first = returns.front().second.value;
  const bool is_known = first.is_none() || (!type_of(first) && !is_computed_inside(first));
  const bool is_common = std::ranges::all_of(
      returns, [&](const auto& item) { return is_same(item.second.value, first); });
  if (is_known && is_common)
    return first;
  return std::nullopt;
}

ir::Type optional_type(const ir::Type& type) {
  return ir::Type::named_tuple(
      std::string(ir::optional_name),
      {{.name = "is_given", .type = DType::boolean}, {.name = "value", .type = type}});
}

}  // namespace

// The type that holds the values of all returns; those of None beside others are left out.
ir::Type Returns::unified_type() const {
  std::vector<ir::Type> types;
  const Binding* first = nullptr;
  for (const auto& [edge, binding] : returns_) {
    if (binding.value.is_none())
      continue;
    const auto type = type_of(binding.value);
    if (type)
      types.push_back(*type);
    if (!type || !infer::unify(types)) {
      if (first == nullptr)
        walk_.fail(binding.where, describe(binding.value) + " cannot be returned here");
      const Conflict both = conflict_of(walk_.diagnostics(), "the result", *first, binding);
      walk_.fail(binding.where, both.message, "Return values of one type.");
    }
    if (first == nullptr)
      first = &binding;
  }
  for (const ir::Type& type : untaken_) {
    types.push_back(type);
    if (!infer::unify(types))
      types.pop_back();
  }
  return *infer::unify(types);
}

// A returned list that nothing was put into is of the type of the others; false where none is.
bool Returns::are_of_open_lists() {
  const auto is_open = [](const auto& item) { return item.second.value.template is<OpenList>(); };
  const auto open = std::ranges::find_if(returns_, is_open);
  if (open == returns_.end())
    return false;
  for (const auto& [edge, binding] : returns_) {
    const auto type = type_of(binding.value);
    for (const auto& [other, empty] : returns_) {
      if (type)
        list_types_.learn_from(empty.value, *type);
    }
  }
  walk_.postpone(
      {open->second.where,
       "the type of the elements of this list is not known",
       "Put something into it, or return [x for x in range(0)], a list of integers."});
  return true;
}

void Returns::finish() {
  ir::Function& function = walk_.builder().function();
  if ((returns_.empty() && walk_.untyped) || are_of_open_lists())
    return;  // nothing is known yet
  result_ = common_result(returns_);
  if (result_) {
    function.result = ir::Type::none();
    return;
  }
  const auto& declared = walk_.options().result;
  const bool is_declared = function.kind == ir::FunctionKind::exported && declared;
  const ir::Type type = is_declared ? *declared : unified_type();
  function.result = type;
  result_ = Runtime{nullptr};
  const bool gives_none =
      std::ranges::any_of(returns_, [](const auto& item) { return item.second.value.is_none(); });
  const bool is_optional = gives_none && walk_.unit.is_entry && !walk_.instance.is_recursive;
  if (is_optional)
    function.result = optional_type(type);
  for (const auto& [edge, binding] : returns_) {
    edge.region->pop_back();
    const auto inside = walk_.builder().enter(*edge.region);
    const AtLocation at(walk_.builder(), binding.where);
    if (is_optional)
      emit_optional(binding.value, type);
    else if (binding.value.is_none())
      emit_none(type);
    else
      walk_.builder().return_(walk_.emitter.convert(binding.value, type, "what is returned"));
  }
}

void Returns::emit_optional(const Value& value, const ir::Type& type) {
  const bool is_given = !value.is_none();
  const Value number = is_given ? Value(walk_.emitter.convert(value, type, "what is returned"))
                                : walk_.builder().undefined(type);
  const Value pair = tuple_value({boolean_literal(is_given), number});
  walk_.builder().return_(walk_.emitter.convert(pair, optional_type(type)));
}

// None where the caller takes a value: there is no optional type inside of compiled code. Kernels
// go on with an undefined value, as they cannot raise.
void Returns::emit_none(const ir::Type& type) {
  if (walk_.options().is_function)
    walk_.builder().raise(walk_.emitter.exception(
        "TypeError",
        walk_.unit.tree->name + "() returns None here, and " + describe(type) +
            " elsewhere: compiled code that calls it cannot take both"));
  else
    walk_.builder().return_(walk_.builder().undefined(type));
}

}  // namespace phalanx::frontend::python
