// Where ways of control meet: names that differ become IR variables.
#include <algorithm>

#include "phalanx/frontend/python/carried.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

bool is_jump(const ir::Operation& operation) {
  return operation.op == ir::Op::break_ || operation.op == ir::Op::continue_ ||
         operation.op == ir::Op::return_;
}

// Whether what the value is made of can be seen after the ways met. `before` is what the same
// name meant before they parted.
bool is_visible(const Value& value, const Value& before) {
  if (const auto* tuple = value.as<TupleValue>()) {
    const auto* same = before.as<TupleValue>();
    if (same != nullptr && same->elements->size() != tuple->elements->size())
      same = nullptr;
    for (std::size_t i = 0; i < tuple->elements->size(); ++i) {
      if (!is_visible((*tuple->elements)[i], same == nullptr ? Value() : (*same->elements)[i]))
        return false;
    }
    return true;
  }
  const bool has_operations = value.is<Runtime>() || value.is<SliceValue>() ||
                              value.is<Method>() || value.is<Iterable>();
  return !has_operations || is_same(value, before);
}

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

// What `emit` appends stands before the jump that ends the region.
void Walker::at_end_of(ir::Region& region, const std::function<void()>& emit) {
  std::unique_ptr<ir::Operation> jump;
  if (!region.empty() && is_jump(*region.back())) {
    jump = std::move(region.back());
    region.pop_back();
  }
  {
    const auto inside = builder().enter(region);
    emit();
  }
  if (jump)
    region.push_back(std::move(jump));
}

Conflict Walker::conflict(
    const std::string& name, const Binding& first, const Binding& second) const {
  const auto line = [&](const Binding& binding) {
    return "\n  " + describe(binding.value) + " from " + diagnostics().place(binding.where) + ": " +
           diagnostics().line_text(binding.where);
  };
  return {
      .message = "Cannot unify " + describe(first.value) + " and " + describe(second.value) +
                 " for '" + name + "'" + line(first) + line(second),
      .advice = "Use a name of its own for each, or convert one of them."};
}

Value Walker::merge_tuples(
    const std::string& name,
    const std::vector<Binding>& values,
    const std::vector<Way>& ways,
    const Value& before) {
  const auto& first = *values.front().value.as<TupleValue>();
  const auto* known = before.as<TupleValue>();
  std::vector<Value> elements;
  for (std::size_t i = 0; i < first.elements->size(); ++i) {
    std::vector<Binding> parts;
    for (const Binding& binding : values)
      parts.push_back({(*binding.value.as<TupleValue>()->elements)[i], binding.where});
    const bool has_before = known != nullptr && known->elements->size() == first.elements->size();
    const Value part_before = has_before ? (*known->elements)[i] : Value();
    Binding merged = merge(name, std::move(parts), ways, part_before);
    if (merged.value.is<Conflict>())
      return merged.value;
    elements.push_back(std::move(merged.value));
  }
  TupleValue tuple = first;
  tuple.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  return tuple;
}

namespace {

bool are_like_tuples(const std::vector<Binding>& values) {
  const auto* first = values.front().value.as<TupleValue>();
  return first != nullptr && std::ranges::all_of(values, [&](const Binding& binding) {
           const auto* tuple = binding.value.as<TupleValue>();
           return tuple != nullptr && tuple->elements->size() == first->elements->size() &&
                  tuple->name == first->name;
         });
}

}  // namespace

// `values` and `ways` go together: what the name, or a part of it, means on each way.
Binding Walker::merge(
    const std::string& name,
    std::vector<Binding> values,
    const std::vector<Way>& ways,
    const Value& before) {
  std::vector<Binding> bound;
  std::vector<Way> bound_ways;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].value.is<Conflict>() || values[i].value.is<Pending>())
      return values[i];
    if (values[i].value.is<Unbound>())
      continue;
    bound.push_back(values[i]);
    bound_ways.push_back({{}, ways[i].region});
  }
  if (bound.empty())
    return {};
  const Binding first = bound.front();
  const auto differs = std::ranges::find_if(
      bound, [&](const Binding& binding) { return !is_same(binding.value, first.value); });
  if (differs == bound.end() && is_visible(first.value, before))
    return first;
  if (are_like_tuples(bound))
    return {merge_tuples(name, bound, bound_ways, before), first.where};
  const auto type = unified(bound);
  if (!type)
    return {conflict(name, first, differs == bound.end() ? first : *differs), first.where};
  Carried carried = {.name = name};
  carried.type = *type;
  make_variables(carried);
  for (std::size_t i = 0; i < bound.size(); ++i)
    at_end_of(*bound_ways[i].region, [&] { set_carried(carried, bound[i].value); });
  return {get_carried(carried), first.where};
}

// Continues after the ways met: `assigned` may differ between them, `live` of those matter.
void Walker::join(
    const NameSet& assigned, const NameSet& live, std::vector<Way> ways, const Bindings& before) {
  names_ = before;
  is_reachable_ = !ways.empty();
  if (!is_reachable_)
    return;
  for (const NameId name : assigned.members()) {
    if (!live.contains(name)) {
      names_[name] = {};
      continue;
    }
    std::vector<Binding> values;
    for (const Way& way : ways) values.push_back(way.names[name]);
    names_[name] = merge(known_names_->locals[name], std::move(values), ways, before[name].value);
  }
}

}  // namespace phalanx::frontend::python
