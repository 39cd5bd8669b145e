#include "phalanx/frontend/python/list_types.h"

#include <algorithm>

#include "phalanx/frontend/python/iterables.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/lists.h"

namespace phalanx::frontend::python {

bool is_display(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  return tuple != nullptr && tuple->list_at;
}

namespace {

constexpr std::string_view open_list = "the type of the elements of this list is not known";
constexpr std::string_view open_list_advice =
    "Put something into it, or begin it with an element: [0.0].";

Untyped untyped_list(Location where) {
  return {where, std::string(open_list), std::string(open_list_advice), true};
}

bool holds_display(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  return is_display(value) ||
         (tuple != nullptr && std::ranges::any_of(*tuple->elements, holds_display));
}

Value without_displays(const Value& value) {
  if (!holds_display(value))
    return value;
  TupleValue tuple = *value.as<TupleValue>();
  std::vector<Value> elements;
  for (const Value& element : *tuple.elements) elements.push_back(without_displays(element));
  tuple.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  tuple.list_at.reset();
  return tuple;
}

}  // namespace

Value ListTypes::grown(const Value& value) {
  if (!walk_.options().is_function || !holds_display(value))
    return value;
  const auto* display = value.as<TupleValue>();
  std::vector<Value> items;
  for (const Value& element : *display->elements) items.push_back(grown(element));
  if (!display->list_at) {
    TupleValue tuple = *display;
    tuple.elements = std::make_shared<const std::vector<Value>>(std::move(items));
    return tuple;
  }
  const auto element = learnt_element(*display->list_at, common_element(items));
  if (!element && items.empty())
    return OpenList{*display->list_at};
  if (!element)
    return value;
  const AtLocation at(walk_.builder(), *display->list_at);
  return new_list(walk_.emitter, *element, items);
}

std::vector<Value> ListTypes::handed_on(std::vector<Value> arguments, bool is_library) {
  for (Value& argument : arguments)
    argument = is_library ? without_displays(argument) : grown(argument);
  return arguments;
}

std::optional<ir::Type> ListTypes::learnt_element(
    const Location& list, const std::optional<ir::Type>& begin) const {
  const auto learnt = walk_.instance.list_elements.find({list.line, list.column});
  if (learnt == walk_.instance.list_elements.end())
    return begin;
  return begin ? infer::unify(*begin, learnt->second) : learnt->second;
}

void ListTypes::require_known(const Value& value, Location where) const {
  if (value.is<OpenList>())
    throw untyped_list(where);
}

Value ListTypes::number_of_open_list(DType dtype) {
  walk_.postpone(untyped_list(walk_.builder().location()));
  return walk_.builder().undefined(dtype);
}

// The list that is written there holds such elements, too.
void ListTypes::learn(const Location& list, const ir::Type& element) {
  auto& known = walk_.instance.list_elements;
  const std::pair location = {list.line, list.column};
  const auto found = known.find(location);
  const auto wide = found == known.end() ? element : infer::unify(found->second, element);
  if (!wide)
    walk_.fail(
        walk_.builder().location(),
        "a list cannot hold " + describe(found->second) + " and " + describe(element),
        "Convert one of them, or use two lists.");
  if (found != known.end() && found->second == *wide)
    return;
  known[location] = *wide;
  walk_.instance.has_learnt = true;
}

void ListTypes::learn_from(const Value& open, const ir::Type& other) {
  if (const auto* list = open.as<OpenList>(); list != nullptr && ir::is_list(other))
    learn(list->at, ir::list_element(other));
}

// What is put into a list may be of a wider type than those it began with: then it begins with
// that type in the next round.
void ListTypes::fill(const Value& list, const Value& given, bool is_iterable) {
  require_known(given, walk_.builder().location());
  const auto item = is_iterable ? element_type_of(walk_.emitter, given) : common_element({given});
  if (!item)
    walk_.fail(
        walk_.builder().location(),
        describe(given) + " cannot be put into a list",
        "Lists hold numbers, arrays, and tuples and lists of them.");
  if (const auto* open = list.as<OpenList>()) {
    learn(open->at, *item);
    require_known(list, walk_.builder().location());
  }
  const ir::Operation* made = walk_.emitter.materialize(list);
  const ir::Type& element = ir::list_element(made->type);
  const auto wide = infer::unify(element, *item);
  if (wide == element)
    return;
  const auto site = made->op == ir::Op::pointer_offset ? made->location : Location();
  const bool is_new =
      made->op == ir::Op::pointer_offset && made->operands[0]->op == ir::Op::allocate;
  if (wide && is_new) {
    learn(site, *wide);
    throw untyped_list(walk_.builder().location());
  }
  if (infer::conversion(*item, element) == infer::Conversion::none ||
      infer::conversion(*item, element) == infer::Conversion::unsafe)
    walk_.fail(
        walk_.builder().location(),
        describe(*item) + " cannot be put into " + describe(made->type),
        "Begin the list with elements of that type, or convert what is put into it.");
}

}  // namespace phalanx::frontend::python
