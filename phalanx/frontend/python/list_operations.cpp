#include "phalanx/frontend/python/list_operations.h"

#include <algorithm>
#include <array>

#include "phalanx/frontend/python/extensions.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/lists.h"

namespace phalanx::frontend::python {
namespace {

// The methods by which a list gets elements, and the argument that is one or, of extend, has them.
struct Filling {
  std::string_view method;
  std::size_t argument;
};
constexpr std::array fillings = {Filling{"append", 0}, Filling{"insert", 1}, Filling{"extend", 0}};

bool may_be_list(const Value& value) { return is_list(value) || is_display(value); }

}  // namespace

Value ListOperations::method(const Value& list, const std::string& name) {
  const auto extension = extensions_.find("method." + name);
  const auto self = std::make_shared<const Value>(types_.grown(list));
  const bool fills = std::ranges::find(fillings, name, &Filling::method) != fillings.end();
  if (self->is<OpenList>()) {
    if (!fills)
      types_.require_known(*self, walk_.builder().location());
    return Method{name, self, nullptr};
  }
  const auto type = type_of(*self);
  if (!type || !ir::is_list(*type) || !extension || !extension->overloads->takes(*type))
    walk_.emitter.fail("Unknown attribute '" + name + "' of type " + describe(*self));
  return Method{name, self, extension->overloads};
}

Call ListOperations::arguments(const Method& method, Call call) {
  for (Value& argument : call.arguments) argument = types_.grown(argument);
  const auto row = std::ranges::find(fillings, method.name, &Filling::method);
  if (row != fillings.end() && row->argument < call.arguments.size())
    types_.fill(*method.self, call.arguments[row->argument], method.name == "extend");
  return call;
}

// The library's function for lists.
Value ListOperations::call(std::string_view name, std::vector<Value> arguments) {
  return extensions_.call(
      extensions_.find("list." + std::string(name)).value(),
      {.arguments = std::move(arguments), .keywords = {}});
}

std::optional<Value> ListOperations::binary(ir::Op op, const Value& left, const Value& right) {
  types_.require_known(left, walk_.builder().location());
  types_.require_known(right, walk_.builder().location());
  const bool is_function = walk_.options().is_function;
  if (!is_function || (!may_be_list(left) && !may_be_list(right)))
    return std::nullopt;
  const bool is_sum = op == ir::Op::add && may_be_list(left) && may_be_list(right);
  const bool is_product =
      op == ir::Op::multiply && (walk_.emitter.is_scalar(left) || walk_.emitter.is_scalar(right));
  if (!is_sum && !is_product)
    return std::nullopt;
  const Value first = types_.grown(left);
  const Value second = types_.grown(right);
  if (is_product) {
    const bool is_first = is_list(first);
    if (!is_first && !is_list(second))
      return std::nullopt;
    return call("repeat", {is_first ? first : second, is_first ? second : first});
  }
  types_.require_known(first, walk_.builder().location());
  types_.require_known(second, walk_.builder().location());
  if (!is_list(first) || !is_list(second))
    return std::nullopt;
  const auto element =
      infer::unify(ir::list_element(*type_of(first)), ir::list_element(*type_of(second)));
  if (!element)
    walk_.emitter.fail(
        "a list cannot hold the elements of " + describe(first) + " and " + describe(second));
  const Value sum =
      new_list(walk_.emitter, *types_.learnt_element(walk_.builder().location(), element));
  call("append_all", {sum, first});
  call("append_all", {sum, second});
  return sum;
}

std::optional<Value> ListOperations::compare(
    tree::Comparison comparison, const Value& left, const Value& right) {
  using tree::Comparison;
  const bool is_membership = comparison == Comparison::in || comparison == Comparison::not_in;
  if (comparison == Comparison::is || comparison == Comparison::is_not) {
    if (!is_list(left) || type_of(left) != type_of(right))
      return std::nullopt;
    const auto address = [&](const Value& list) {
      return walk_.builder().bitcast(walk_.emitter.materialize(list), DType::int64);
    };
    const bool asks_same = comparison == Comparison::is;
    return walk_.emitter.compare(
        asks_same ? Comparison::equal : Comparison::not_equal, address(left), address(right));
  }
  if (is_membership && is_list(right)) {
    const Value found = call("contains", {right, left});
    return comparison == Comparison::in ? found : walk_.emitter.logical_not(found);
  }
  if (is_membership || (!is_list(left) && !is_list(right)))
    return std::nullopt;
  const Value first = types_.grown(left);
  const Value second = types_.grown(right);
  if (!is_list(first) || !is_list(second))
    return std::nullopt;
  switch (comparison) {
    case Comparison::equal:
      return call("equal", {first, second});
    case Comparison::not_equal:
      return walk_.emitter.logical_not(call("equal", {first, second}));
    case Comparison::less:
      return call("less", {first, second});
    case Comparison::greater:
      return call("less", {second, first});
    case Comparison::less_equal:
      return walk_.emitter.logical_not(call("less", {second, first}));
    default:
      return walk_.emitter.logical_not(call("less", {first, second}));
  }
}

// list[a:b:c]; nothing for other values.
std::optional<Value> ListOperations::slice(const Value& owner, const Value& index) {
  const auto* slice = index.as<SliceValue>();
  if (slice == nullptr || !is_list(owner))
    return std::nullopt;
  const auto& [first, last, step] = *slice->parts;
  return call("slice", {owner, first, last, step});
}

bool ListOperations::set_slice(const Value& owner, const Value& index, const Value& value) {
  const auto* slice = index.as<SliceValue>();
  if (slice == nullptr || !is_list(owner))
    return false;
  const auto& [first, last, step] = *slice->parts;
  // Nothing tells the type of an empty display, and nothing needs it.
  const auto* display = value.as<TupleValue>();
  const bool is_empty = display != nullptr && display->elements->empty();
  call("set_slice", {owner, first, last, step, is_empty ? tuple_value({}) : types_.grown(value)});
  return true;
}

}  // namespace phalanx::frontend::python
