#include "phalanx/frontend/python/item_calls.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/declared_calls.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/numpy/array_broadcast.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/overlap.h"

namespace phalanx::frontend::python {
namespace {

using Indices = std::vector<ir::Operation*>;

// A gufunc's arguments: arrays, whose stacks are broadcast to that of the outputs, and numbers.
class Stacks {
 public:
  Stacks(Emitter& emitter, const FunctionEntity& function, const ItemCalls& items)
      : emitter_(emitter), function_(function), items_(items) {}

  void add(const Value& argument) {
    const ItemCalls::Operand& operand = items_.operands.at(stacks_.size());
    ir::Operation* value = emitter_.materialize(argument);
    if (!value->type.is_array()) {
      arrays_.push_back({number(value, operand), {}});
      is_number_.push_back(true);
      stacks_.emplace_back();
      return;
    }
    const std::size_t ndim = value->type.ndim();
    if (ndim < operand.core.size())
      emitter_.fail(
          describe(value->type) + " has fewer dimensions than the core of argument " +
          std::to_string(stacks_.size() + 1));
    numpy::Values extents;
    for (unsigned axis = 0; axis < ndim; ++axis)
      extents.push_back(emitter_.materialize(emitter_.extent(value, axis)));
    stacks_.emplace_back(
        extents.begin(), extents.end() - static_cast<std::ptrdiff_t>(operand.core.size()));
    arrays_.push_back({value, std::move(extents)});
    is_number_.push_back(false);
  }

  // Raises where operands do not agree about an extent of their items.
  void check_cores() {
    numpy::Values known(items_.extents.size(), nullptr);
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (items_.extents[i] != 0)
        known[i] = emitter_.builder().integer(items_.extents[i]);
    }
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      for (std::size_t axis = 0; axis < items_.operands[i].core.size(); ++axis) {
        ir::Operation* extent = arrays_[i].extents[stacks_[i].size() + axis];
        ir::Operation*& whole = known.at(items_.operands[i].core[axis]);
        if (whole == nullptr)
          whole = extent;
        else if (whole != extent)
          raise_where_different(extent, whole, core_mismatch(i, axis));
      }
    }
  }

  // The extents of the outputs' stack; raises where an operand does not fit it.
  numpy::Values shape() {
    ir::Builder& builder = emitter_.builder();
    numpy::Values shape = numpy::broadcast_shape(builder, stacks_);
    const std::string misfit = numpy::misfit_message;
    numpy::raise_misfits(builder, stacks_, shape, emitter_.exception("ValueError", misfit));
    const auto outputs = std::span(stacks_).subspan(items_.inputs);
    if (const auto fits = numpy::has_extents(builder, outputs, shape))
      emitter_.raise_where(emitter_.logical_not(*fits), "ValueError", misfit);
    return shape;
  }

  // A bool: writing an item may change what is read for another one, or of its own. The constant
  // false where that is known.
  ir::Operation* overlaps() {
    const numpy::Arithmetic in(emitter_.builder(), DType::boolean);
    ir::Operation* any = in.builder().boolean(false);
    for (std::size_t written = 0; written < arrays_.size(); ++written) {
      if (!items_.operands[written].is_written || is_number_[written])
        continue;
      for (std::size_t read = 0; read < arrays_.size(); ++read) {
        if (is_read(read))
          any = in.either(any, numpy::may_share(in.builder(), arrays_[written], arrays_[read]));
      }
    }
    return any;
  }

  // The same arguments, with copies of the arrays that are only read.
  Stacks with_copies() {
    Stacks copies(emitter_, function_, items_);
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      ir::Operation* array = arrays_[i].array;
      if (is_read(i))
        array = emitter_.materialize(copied(emitter_, array));
      copies.arrays_.push_back({array, arrays_[i].extents});
    }
    copies.stacks_ = stacks_;
    copies.is_number_ = is_number_;
    return copies;
  }

  // What the function gets there.
  std::vector<Value> item(const Indices& at) {
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (is_number_[i]) {
        arguments.emplace_back(arrays_[i].array);
        continue;
      }
      const numpy::Values& stack = stacks_[i];
      Indices own(at.end() - static_cast<std::ptrdiff_t>(stack.size()), at.end());
      for (std::size_t axis = 0; axis < stack.size(); ++axis)
        own[axis] = numpy::stretched_index(emitter_.builder(), stack[axis], own[axis]);
      arguments.push_back(item_of(emitter_, arrays_[i].array, items_.operands[i], own));
    }
    return arguments;
  }

 private:
  bool is_read(std::size_t i) const { return !items_.operands[i].is_written && !is_number_[i]; }

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

  void raise_where_different(ir::Operation* a, ir::Operation* b, const std::string& message) {
    const Value differs = emitter_.compare(tree::Comparison::not_equal, a, b);
    emitter_.raise_where(differs, "ValueError", message);
  }

  // NumPy's words, as far as they are known here.
  std::string core_mismatch(std::size_t operand, std::size_t axis) const {
    const bool is_input = operand < items_.inputs;
    const std::size_t number = is_input ? operand : operand - items_.inputs;
    return function_.name() + ": " + (is_input ? "Input" : "Output") + " operand " +
           std::to_string(number) + " has a mismatch in its core dimension " +
           std::to_string(axis) + ", with gufunc signature " + items_.layout;
  }

  Emitter& emitter_;
  const FunctionEntity& function_;
  const ItemCalls& items_;
  std::vector<numpy::ShapedArray> arrays_;  // or the numbers, without extents
  std::vector<bool> is_number_;             // was one: the value is what the function gets
  std::vector<numpy::Values> stacks_;       // their extents but for those of an item
};

void for_each_index(
    Emitter& emitter,
    const numpy::Values& shape,
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
  if (!operand.core.empty()) {
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
  Stacks stacks(emitter, function, items);
  for (const Value& argument : arguments) stacks.add(argument);
  stacks.check_cores();
  const numpy::Values shape = stacks.shape();
  const auto call_each = [&](Stacks& each) {
    Indices indices;
    for_each_index(emitter, shape, indices, [&](const Indices& at) {
      call_declared(emitter, function, *source, each.item(at));
    });
  };
  ir::Operation* overlap = is_function ? stacks.overlaps() : nullptr;
  if (overlap == nullptr || overlap->op == ir::Op::constant) {
    call_each(stacks);
    return none_value();
  }
  const auto branches = emitter.builder().if_(overlap);
  {
    const auto inside = emitter.builder().enter(branches.then);
    Stacks copies = stacks.with_copies();
    call_each(copies);
  }
  const auto inside = emitter.builder().enter(branches.otherwise);
  call_each(stacks);
  return none_value();
}

}  // namespace phalanx::frontend::python
