#include "phalanx/frontend/python/item_calls.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/declared_calls.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/views.h"

namespace phalanx::frontend::python {
namespace {

using Indices = std::vector<ir::Operation*>;

// A gufunc's arguments: arrays, whose stacks are broadcast to that of the outputs, and numbers.
class Stacks {
 public:
  Stacks(Emitter& emitter, const ItemCalls& items, const std::vector<Value>& arguments)
      : emitter_(emitter), items_(items) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const ItemCalls::Operand& operand = items.operands.at(i);
      ir::Operation* value = emitter.materialize(arguments[i]);
      if (!value->type.is_array())
        values_.push_back({number(value, operand), 0, true});
      else if (value->type.ndim() >= operand.core)
        values_.push_back({value, value->type.ndim() - operand.core, false});
      else
        emitter.fail(
            describe(value->type) + " has fewer dimensions than the core of argument " +
            std::to_string(i + 1));
      depth_ = std::max(depth_, values_.back().rank);
    }
  }

  // The extents of the outputs' stack; raises where an operand does not fit it.
  std::vector<Value> shape() {
    std::vector<Value> shape;
    for (unsigned axis = 0; axis < depth_; ++axis) shape.push_back(extent(axis));
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Stack& stack = values_[i];
      for (unsigned axis = 0; axis < stack.rank; ++axis)
        check(i, emitter_.extent(stack.value, axis), shape[depth_ - stack.rank + axis]);
    }
    return shape;
  }

  // What the function gets there.
  std::vector<Value> item(const Indices& at) {
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Stack& stack = values_[i];
      Indices own;
      for (unsigned axis = 0; axis < stack.rank; ++axis)
        own.push_back(index(stack.value, axis, at[depth_ - stack.rank + axis]));
      arguments.push_back(
          stack.is_number ? Value(stack.value)
                          : item_of(emitter_, stack.value, items_.operands[i], own));
    }
    return arguments;
  }

 private:
  struct Stack {
    ir::Operation* value;
    unsigned rank;   // dimensions of the stack
    bool is_number;  // was one: the value is what the function gets
  };

  // The number, or an array of it.
  ir::Operation* number(ir::Operation* value, const ItemCalls::Operand& operand) {
    ir::Builder& builder = emitter_.builder();
    value = emitter_.convert(value, operand.element, "an argument");
    if (!operand.is_array)
      return value;
    ir::Operation* array = new_array(emitter_, operand.element, {integer_literal(1)}, false);
    builder.array_store(array, {builder.integer(0)}, value);
    return array;
  }

  Value extent(unsigned axis) {
    Value whole;
    for (const Stack& stack : values_) {
      const unsigned missing = depth_ - stack.rank;
      if (axis < missing)
        continue;
      const Value own = emitter_.extent(stack.value, axis - missing);
      whole = whole.is<Unbound>() ? own
                                  : emitter_.same_type(ir::Op::maximum, DType::int64, {whole, own});
    }
    return whole;
  }

  void check(std::size_t i, const Value& extent, const Value& whole) {
    Value is_wrong = emitter_.compare(tree::Comparison::not_equal, extent, whole);
    if (i < items_.inputs)
      is_wrong = emitter_.all_of(
          {is_wrong, emitter_.compare(tree::Comparison::not_equal, extent, integer_literal(1))});
    emitter_.raise_where(is_wrong, "ValueError", "operands could not be broadcast together");
  }

  // An extent of 1 fits any index.
  ir::Operation* index(ir::Operation* array, unsigned axis, ir::Operation* whole) {
    const Value is_one =
        emitter_.compare(tree::Comparison::equal, emitter_.extent(array, axis), integer_literal(1));
    return emitter_.materialize(emitter_.select(is_one, integer_literal(0), whole));
  }

  Emitter& emitter_;
  const ItemCalls& items_;
  std::vector<Stack> values_;
  unsigned depth_ = 0;
};

void for_each_index(
    Emitter& emitter,
    const std::vector<Value>& shape,
    Indices& indices,
    const std::function<void(const Indices&)>& body) {
  if (indices.size() == shape.size()) {
    body(indices);
    return;
  }
  counted_loop(emitter, shape[indices.size()], [&](ir::Operation* index) {
    indices.push_back(index);
    for_each_index(emitter, shape, indices, body);
    indices.pop_back();
  });
}

}  // namespace

Value item_of(
    Emitter& emitter,
    ir::Operation* array,
    const ItemCalls::Operand& operand,
    const std::vector<ir::Operation*>& indices) {
  ir::Builder& builder = emitter.builder();
  if (operand.core != 0) {
    const std::vector<Value> parts(indices.begin(), indices.end());
    return parts.empty() ? array : make_view(emitter, array, parts, true);
  }
  if (!operand.is_array)
    return builder.array_load(array, indices);
  const ir::Type& type = array->type;
  ir::Operation* element = builder.array_element(array, indices);
  return builder.array_make(
      ir::Type::array(type.element(), 1, ir::Layout::c, type.space(), type.is_mutable()),
      element,
      {builder.integer(1)});
}

Value call_for_items(
    Emitter& emitter,
    const FunctionEntity& function,
    const ItemCalls& items,
    const std::shared_ptr<const FunctionSource>& source,
    const Call& call) {
  const std::vector<Value>& arguments = call.arguments;
  if (!call.keywords.empty())
    emitter.fail(function.name() + "() takes no keywords in compiled code");
  const bool is_function = emitter.session().options().is_function;
  if (items.operands.empty() && !is_function)
    emitter.fail(
        function.name() + "() cannot make an array in a kernel", "Call it with the elements.");
  if (items.operands.empty()) {
    const ir::Type result = function.signatures.at(0).result.value();
    if (!result.is_scalar())
      emitter.fail("arrays of " + describe(result) + " cannot be made here");
    return lazy_array(
        emitter,
        result.dtype(),
        arguments,
        [function, source](Emitter& inner, const std::vector<Value>& elements) {
          return call_declared(inner, function, *source, elements);
        });
  }
  Stacks stacks(emitter, items, arguments);
  Indices indices;
  for_each_index(emitter, stacks.shape(), indices, [&](const Indices& at) {
    call_declared(emitter, function, *source, stacks.item(at));
  });
  return none_value();
}

}  // namespace phalanx::frontend::python
