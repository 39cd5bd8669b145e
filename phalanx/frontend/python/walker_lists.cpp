// Lists in a function's statements: when a display becomes a list that grows, and what it holds.
#include <algorithm>
#include <array>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/flat.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/walker.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/lists.h"

namespace phalanx::frontend::python {
namespace {

constexpr std::string_view open_list = "the type of the elements of this list is not known";
constexpr std::string_view open_list_advice =
    "Put something into it, or begin it with an element: [0.0].";

Untyped untyped_list(Location where) {
  return {where, std::string(open_list), std::string(open_list_advice), true};
}

bool is_display(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  return tuple != nullptr && tuple->list_at;
}

bool holds_display(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  return is_display(value) ||
         (tuple != nullptr && std::ranges::any_of(*tuple->elements, holds_display));
}

// The methods by which a list gets elements, and the argument that is one or, of extend, has them.
struct Filling {
  std::string_view method;
  std::size_t argument;
};
constexpr std::array fillings = {Filling{"append", 0}, Filling{"insert", 1}, Filling{"extend", 0}};

}  // namespace

// A list display as the list that Python makes of it, also within a tuple. What a list cannot hold
// together stays a tuple.
Value Walker::grown(const Value& value) {
  if (!session_->options().is_function || !holds_display(value))
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
  const AtLocation at(builder(), *display->list_at);
  return new_list(emitter_, *element, items);
}

namespace {

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

// An argument of a function written in Python: our own take list displays as tuples.
std::vector<Value> Walker::handed_on(std::vector<Value> arguments, bool is_library) {
  for (Value& argument : arguments)
    argument = is_library ? without_displays(argument) : grown(argument);
  return arguments;
}

// What the list that is written there holds, as far as earlier rounds and its begin tell.
std::optional<ir::Type> Walker::learnt_element(
    const Location& list, const std::optional<ir::Type>& begin) const {
  const auto learnt = instance_->list_elements.find({list.line, list.column});
  if (learnt == instance_->list_elements.end())
    return begin;
  return begin ? infer::unify(*begin, learnt->second) : learnt->second;
}

void Walker::require_known(const Value& value, Location where) const {
  if (value.is<OpenList>())
    throw untyped_list(where);
}

// A branch is emitted where its condition depends on such a list: it may tell what the list holds.
Value Walker::branch_condition(const tree::Expression& expression) {
  try {
    return condition(expression);
  } catch (const Untyped& reason) {
    if (!reason.is_open_list)
      throw;
    if (!untyped_)
      untyped_ = reason;
    return builder().undefined(DType::boolean);
  }
}

// Its length, or whether it has one, in a round that will not be the last: what depends on it is
// emitted, and may tell what the list holds.
Value Walker::number_of_open_list(DType dtype) {
  if (!untyped_)
    untyped_ = untyped_list(builder().location());
  return builder().undefined(dtype);
}

// The list that is written there holds such elements, too.
void Walker::learn(const Location& list, const ir::Type& element) {
  auto& known = instance_->list_elements;
  const std::pair location = {list.line, list.column};
  const auto found = known.find(location);
  const auto wide = found == known.end() ? element : infer::unify(found->second, element);
  if (!wide)
    fail(
        builder().location(),
        "a list cannot hold " + describe(found->second) + " and " + describe(element),
        "Convert one of them, or use two lists.");
  if (found != known.end() && found->second == *wide)
    return;
  known[location] = *wide;
  instance_->has_learnt = true;
}

// An empty list that meets one of a known type holds the same.
void Walker::learn_from(const Value& open, const ir::Type& other) {
  if (const auto* list = open.as<OpenList>(); list != nullptr && ir::is_list(other))
    learn(list->at, ir::list_element(other));
}

// The type of what a loop over the value gives; nothing where that is not known.
std::optional<ir::Type> Walker::element_type_of(const Value& iterable) {
  if (is_list(iterable))
    return ir::list_element(*type_of(iterable));
  if (const auto elements = emitter_.elements_of(iterable))
    return common_element(*elements);
  const auto type = type_of(iterable);
  if (type && type->is_array()) {
    const bool is_vector = type->ndim() == 1;
    const ir::Layout layout = type->layout() == ir::Layout::c ? ir::Layout::c : ir::Layout::any;
    return is_vector ? type->element()
                     : ir::Type::array(
                           type->element(),
                           type->ndim() - 1,
                           layout,
                           ir::Space::global,
                           type->is_mutable());
  }
  const auto* lazy = iterable.as<Iterable>();
  if (lazy == nullptr)
    return std::nullopt;
  if (lazy->kind == Iterable::Kind::range)
    return ir::Type(DType::int64);
  if (lazy->kind == Iterable::Kind::flat)
    return type_of(lazy->parts->front())->element();
  const auto indices = [&] {
    return ir::Type::tuple(std::vector<ir::Type>(extents_of(*lazy).size(), DType::int64));
  };
  if (lazy->kind == Iterable::Kind::indices)
    return indices();
  if (lazy->kind == Iterable::Kind::elements)
    return ir::Type::tuple({indices(), type_of(lazy->parts->front())->element()});
  if (lazy->kind == Iterable::Kind::operands)
    return std::nullopt;
  std::vector<ir::Type> parts;
  if (lazy->kind == Iterable::Kind::enumerate)
    parts.emplace_back(DType::int64);
  for (std::size_t i = 0; i < lazy->parts->size() - parts.size(); ++i) {
    const auto part = element_type_of((*lazy->parts)[i]);
    if (!part)
      return std::nullopt;
    parts.push_back(*part);
  }
  return ir::Type::tuple(std::move(parts));
}

// What is put into a list may be of a wider type than those it began with: then it begins with
// that type in the next round.
void Walker::fill_list(const Value& list, const Value& given, bool is_iterable) {
  require_known(given, builder().location());
  const auto item = is_iterable ? element_type_of(given) : common_element({given});
  if (!item)
    fail(
        builder().location(),
        describe(given) + " cannot be put into a list",
        "Lists hold numbers, arrays, and tuples and lists of them.");
  if (const auto* open = list.as<OpenList>()) {
    learn(open->at, *item);
    require_known(list, builder().location());
  }
  const ir::Operation* made = emitter_.materialize(list);
  const ir::Type& element = ir::list_element(made->type);
  const auto wide = infer::unify(element, *item);
  if (wide == element)
    return;
  const auto site = made->op == ir::Op::pointer_offset ? made->location : Location();
  const bool is_display =
      made->op == ir::Op::pointer_offset && made->operands[0]->op == ir::Op::allocate;
  if (wide && is_display) {
    learn(site, *wide);
    throw untyped_list(builder().location());
  }
  if (infer::conversion(*item, element) == infer::Conversion::none ||
      infer::conversion(*item, element) == infer::Conversion::unsafe)
    fail(
        builder().location(),
        describe(*item) + " cannot be put into " + describe(made->type),
        "Begin the list with elements of that type, or convert what is put into it.");
}

Value Walker::list_method(const Value& list, const std::string& name) {
  const auto extension = this->extension("method." + name);
  const auto self = std::make_shared<const Value>(grown(list));
  const bool fills = std::ranges::find(fillings, name, &Filling::method) != fillings.end();
  if (self->is<OpenList>()) {
    if (!fills)
      require_known(*self, builder().location());
    return Method{name, self, nullptr};
  }
  const auto type = type_of(*self);
  if (!type || !ir::is_list(*type) || !extension || !extension->overloads->takes(*type))
    emitter_.fail("Unknown attribute '" + name + "' of type " + describe(*self));
  return Method{name, self, extension->overloads};
}

// Before the method of a list is called.
Call Walker::list_arguments(const Method& method, Call call) {
  for (Value& argument : call.arguments) argument = grown(argument);
  const auto row = std::ranges::find(fillings, method.name, &Filling::method);
  if (row != fillings.end() && row->argument < call.arguments.size())
    fill_list(*method.self, call.arguments[row->argument], method.name == "extend");
  return call;
}

namespace {

bool may_be_list(const Value& value) { return is_list(value) || is_display(value); }

}  // namespace

// The library's function for lists.
Value Walker::call_list(std::string_view name, std::vector<Value> arguments) {
  return call_overloaded(
      extension("list." + std::string(name)).value(),
      {.arguments = std::move(arguments), .keywords = {}});
}

// a + b and a * n; nothing where neither is a list.
std::optional<Value> Walker::list_operator(ir::Op op, const Value& left, const Value& right) {
  require_known(left, builder().location());
  require_known(right, builder().location());
  const bool is_function = session_->options().is_function;
  if (!is_function || (!may_be_list(left) && !may_be_list(right)))
    return std::nullopt;
  const bool is_sum = op == ir::Op::add && may_be_list(left) && may_be_list(right);
  const bool is_product =
      op == ir::Op::multiply && (emitter_.is_scalar(left) || emitter_.is_scalar(right));
  if (!is_sum && !is_product)
    return std::nullopt;
  const Value first = grown(left);
  const Value second = grown(right);
  if (is_product) {
    const bool is_first = is_list(first);
    if (!is_first && !is_list(second))
      return std::nullopt;
    return call_list("repeat", {is_first ? first : second, is_first ? second : first});
  }
  require_known(first, builder().location());
  require_known(second, builder().location());
  if (!is_list(first) || !is_list(second))
    return std::nullopt;
  const auto element =
      infer::unify(ir::list_element(*type_of(first)), ir::list_element(*type_of(second)));
  if (!element)
    emitter_.fail(
        "a list cannot hold the elements of " + describe(first) + " and " + describe(second));
  const Value sum = new_list(emitter_, *learnt_element(builder().location(), element));
  call_list("append_all", {sum, first});
  call_list("append_all", {sum, second});
  return sum;
}

std::optional<Value> Walker::list_compare(
    tree::Comparison comparison, const Value& left, const Value& right) {
  using tree::Comparison;
  const bool is_membership = comparison == Comparison::in || comparison == Comparison::not_in;
  if (comparison == Comparison::is || comparison == Comparison::is_not) {
    if (!is_list(left) || type_of(left) != type_of(right))
      return std::nullopt;
    const auto address = [&](const Value& list) {
      return builder().bitcast(emitter_.materialize(list), DType::int64);
    };
    const bool asks_same = comparison == Comparison::is;
    return emitter_.compare(
        asks_same ? Comparison::equal : Comparison::not_equal, address(left), address(right));
  }
  if (is_membership && is_list(right)) {
    const Value found = call_list("contains", {right, left});
    return comparison == Comparison::in ? found : emitter_.logical_not(found);
  }
  if (is_membership || (!is_list(left) && !is_list(right)))
    return std::nullopt;
  const Value first = grown(left);
  const Value second = grown(right);
  if (!is_list(first) || !is_list(second))
    return std::nullopt;
  switch (comparison) {
    case Comparison::equal:
      return call_list("equal", {first, second});
    case Comparison::not_equal:
      return emitter_.logical_not(call_list("equal", {first, second}));
    case Comparison::less:
      return call_list("less", {first, second});
    case Comparison::greater:
      return call_list("less", {second, first});
    case Comparison::less_equal:
      return emitter_.logical_not(call_list("less", {second, first}));
    default:
      return emitter_.logical_not(call_list("less", {first, second}));
  }
}

// list[a:b:c]; nothing for other values.
std::optional<Value> Walker::list_slice(const Value& owner, const Value& index) {
  const auto* slice = index.as<SliceValue>();
  if (slice == nullptr || !is_list(owner))
    return std::nullopt;
  const auto& [first, last, step] = *slice->parts;
  return call_list("slice", {owner, first, last, step});
}

bool Walker::set_list_slice(const Value& owner, const Value& index, const Value& value) {
  const auto* slice = index.as<SliceValue>();
  if (slice == nullptr || !is_list(owner))
    return false;
  const auto& [first, last, step] = *slice->parts;
  // Nothing tells the type of an empty display, and nothing needs it.
  const auto* display = value.as<TupleValue>();
  const bool is_empty = display != nullptr && display->elements->empty();
  call_list("set_slice", {owner, first, last, step, is_empty ? tuple_value({}) : grown(value)});
  return true;
}

}  // namespace phalanx::frontend::python
