#include "phalanx/frontend/python/joins.h"

#include <algorithm>

#include "phalanx/frontend/python/carried.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

// True if what the value is made of can be seen after the join: it was there before they
// parted, under any name.
bool is_visible(const Value& value, const Bindings& before);

bool are_visible(const std::vector<Value>& values, const Bindings& before) {
  return std::ranges::all_of(values, [&](const Value& value) { return is_visible(value, before); });
}

bool is_visible(const Value& value, const Bindings& before) {
  if (const auto* tuple = value.as<TupleValue>())
    return are_visible(*tuple->elements, before);
  if (const auto* function = value.as<LocalFunction>())
    return are_visible(*function->defaults, before);
  const auto* runtime = value.as<Runtime>();
  const bool has_operations =
      runtime != nullptr || value.is<SliceValue>() || value.is<Method>() || value.is<Iterable>();
  if (!has_operations || (runtime != nullptr && runtime->operation->op == ir::Op::parameter))
    return true;
  return std::ranges::any_of(before, [&](const Binding& binding) {
    if (const auto* tuple = binding.value.as<TupleValue>())
      return std::ranges::any_of(
          *tuple->elements, [&](const Value& element) { return is_same(element, value); });
    return is_same(binding.value, value);
  });
}

bool is_bound(const Binding& binding) { return !binding.value.is<Unbound>(); }

std::optional<ir::Type> unified(const std::vector<Binding>& values) {
  std::vector<ir::Type> types;
  for (const Binding& binding : values) {
    const auto type = type_of(binding.value);
    if (!type || type->is_none())
      return std::nullopt;
    types.push_back(*type);
  }
  return infer::unify(types);
}

}  // namespace

Conflict conflict_of(
    const Diagnostics& diagnostics,
    const std::string& name,
    const Binding& first,
    const Binding& second) {
  const auto line = [&](const Binding& binding) {
    return "\n  " + describe(binding.value) + " from " + diagnostics.file_and_line(binding.where) +
           ": " + diagnostics.line_text(binding.where);
  };
  return {
      .message = "Cannot unify " + describe(first.value) + " and " + describe(second.value) +
                 " for '" + name + "'" + line(first) + line(second),
      .advice = "Use a name of its own for each, or convert one of them."};
}

Binding Joins::merge_tuples(
    const std::string& name,
    const std::vector<Binding>& values,
    const std::vector<Edge>& edges,
    const Bindings& before) {
  const Binding& bound = *std::ranges::find_if(values, is_bound);
  const auto& first = *bound.value.as<TupleValue>();
  const auto element_of = [](const Value& value, std::size_t i) {
    const auto* tuple = value.as<TupleValue>();
    return tuple == nullptr ? Value() : (*tuple->elements)[i];
  };
  std::vector<Value> elements;
  std::vector<Value> soles;
  bool has_sole = false;
  for (std::size_t i = 0; i < first.elements->size(); ++i) {
    std::vector<Binding> parts;
    for (const Binding& binding : values)
      parts.push_back({element_of(binding.value, i), binding.where, element_of(binding.sole, i)});
    const Binding merged = merge(name, parts, edges, before);
    if (merged.value.is<Conflict>())
      return merged;
    elements.push_back(merged.value);
    soles.push_back(merged.meaning());
    has_sole = has_sole || !merged.sole.is<Unbound>();
  }
  TupleValue tuple = first;
  tuple.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  Binding merged = {tuple, bound.where};
  if (has_sole) {
    tuple.elements = std::make_shared<const std::vector<Value>>(std::move(soles));
    merged.sole = tuple;
  }
  return merged;
}

namespace {

// True if a name is 0 or empty where no path assigned it: as in Numba, whose variables begin so.
bool begins_as_zero(const Value& value) {
  const auto type = type_of(value);
  return type && (type->is_tuple() || has_zero(*type));
}

// What a name means that has no type on any edge yet.
Binding without_type(const std::vector<Binding>& values, bool is_pending) {
  const auto open = std::ranges::find_if(
      values, [](const Binding& binding) { return binding.value.is<OpenList>(); });
  if (open != values.end())
    return *open;
  return {is_pending ? Value(Pending{}) : Value(), {}};
}

bool are_ranges(const std::vector<Binding>& values) {
  return std::ranges::all_of(values, [](const Binding& binding) {
    const auto* range = binding.value.as<Iterable>();
    return range != nullptr && range->kind == Iterable::Kind::range;
  });
}

Value class_of(const TupleValue& tuple) {
  return TupleClassEntity{
      tuple.name, tuple.field_names ? *tuple.field_names : std::vector<std::string>()};
}

bool are_like_tuples(const std::vector<Binding>& values) {
  const auto* first = values.front().value.as<TupleValue>();
  return first != nullptr && std::ranges::all_of(values, [&](const Binding& binding) {
           const auto* tuple = binding.value.as<TupleValue>();
           return tuple != nullptr && tuple->elements->size() == first->elements->size() &&
                  is_same(class_of(*tuple), class_of(*first));
         });
}

}  // namespace

// A range is one of the bounds and steps of its edges.
Value Joins::merge_ranges(
    const std::string& name,
    const std::vector<Binding>& values,
    const std::vector<Edge>& edges,
    const Bindings& before) {
  Iterable merged = *values.front().value.as<Iterable>();
  std::vector<Value> parts;
  for (std::size_t i = 0; i < merged.parts->size(); ++i) {
    std::vector<Binding> bounds;
    for (const Binding& binding : values)
      bounds.push_back({(*binding.value.as<Iterable>()->parts)[i], binding.where});
    parts.push_back(merge(name, std::move(bounds), edges, before).value);
  }
  for (const Binding& binding : values) {
    const auto& range = *binding.value.as<Iterable>();
    merged.type = *infer::unify(merged.type, range.type);
    merged.is_parallel = merged.is_parallel && range.is_parallel;
  }
  merged.parts = std::make_shared<const std::vector<Value>>(std::move(parts));
  return merged;
}

// The type is that of the edges which have a value.
Binding Joins::merge(
    const std::string& name,
    const std::vector<Binding>& all_values,
    const std::vector<Edge>& all_edges,
    const Bindings& before) {
  std::vector<Binding> values;
  std::vector<Edge> edges;
  std::vector<Binding> bound;
  std::vector<Edge> bound_edges;
  bool is_pending = false;
  for (std::size_t i = 0; i < all_values.size(); ++i) {
    const Binding& binding = all_values[i];
    if (binding.value.is<Conflict>())
      return binding;
    is_pending = is_pending || binding.value.is<Pending>();
    if (binding.value.is<Pending>() || binding.value.is<OpenList>())
      continue;  // the type, if it has one, is that of the other edges
    values.push_back(binding);
    edges.push_back({{}, all_edges[i].region});
    if (is_bound(binding)) {
      bound.push_back(binding);
      bound_edges.push_back({{}, all_edges[i].region});
    }
  }
  if (bound.empty())
    return without_type(all_values, is_pending);
  if (const auto type = type_of(bound.front().value)) {
    for (const Binding& binding : all_values) list_types_.learn_from(binding.value, *type);
  }
  const Binding first = bound.front();
  const auto differs = std::ranges::find_if(
      bound, [&](const Binding& binding) { return !is_same(binding.value, first.value); });
  const bool may_be_zero = bound.size() < values.size() && begins_as_zero(first.value);
  if (differs == bound.end() && !may_be_zero && is_visible(first.value, before))
    return first;
  if (are_ranges(bound))
    return {merge_ranges(name, bound, bound_edges, before), first.where};
  if (are_like_tuples(bound))
    return merge_tuples(name, values, edges, before);
  const auto type = unified(bound);
  if (!type)
    return {
        conflict_of(walk_.diagnostics(), name, first, differs == bound.end() ? first : *differs),
        first.where};
  Carried carried = {.name = name};
  carried.type = *type;
  carried.make_variables(walk_.builder());
  for (std::size_t i = 0; i < values.size(); ++i)
    at_end_of(
        walk_.builder(), *edges[i].region, [&] { carried.set(walk_.emitter, values[i].value); });
  return {carried.get(walk_.emitter), first.where, sole_of(bound)};
}

void Joins::join(
    const NameSet& assigned,
    const NameSet& live,
    const std::vector<Edge>& edges,
    const Bindings& before) {
  walk_.names = before;
  walk_.is_reachable = !edges.empty();
  if (!walk_.is_reachable)
    return;
  for (const NameId name : assigned.members()) {
    if (!live.contains(name)) {
      walk_.names[name] = {};
      continue;
    }
    std::vector<Binding> values;
    for (const Edge& edge : edges) values.push_back(edge.names[name]);
    walk_.names[name] = merge(walk_.known_names.locals[name], values, edges, before);
  }
}

}  // namespace phalanx::frontend::python
