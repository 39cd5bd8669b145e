#include "phalanx/numpy/elementwise_kernel.h"

#include <span>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

Value product(ir::Builder& builder, std::span<const Value> extents) {
  if (extents.empty())
    return builder.integer(1);
  Value all = extents[0];
  for (const Value extent : extents.subspan(1))
    all = builder.elementwise(Op::multiply, {all, extent});
  return all;
}

void for_each_in_rows(
    ir::Builder& builder, std::span<const Value> shape, const ItemVisitor& visit, bool is_narrow) {
  const auto outer = shape.first(shape.size() - 1);
  const Value x = ir::global_index(builder, 0);
  const auto guarded = builder.enter(ir::guard(builder, x, shape.back()));
  const auto query = [&](Op op) {
    return builder.cast(ir::thread_query(builder, op, 1), DType::int64);
  };
  const Value first = query(Op::block_index);
  const Value rows = product(builder, outer);
  const ir::CountedLoop loop = ir::begin_counted_loop(builder, "row", first, rows);
  {
    const auto inside = builder.enter(*loop.body);
    Values indices = indices_of(builder, loop.index, outer, is_narrow);
    indices.push_back(x);
    visit(indices);
  }
  const auto step = builder.enter(*loop.step);
  ir::step_counted_loop(builder, loop, query(Op::grid_extent));
}

Values shape_of(ir::Builder& builder, Value array) {
  Values shape;
  for (unsigned i = 0; i < array->type.ndim(); ++i) shape.push_back(builder.array_shape(array, i));
  return shape;
}

// An array without gaps as one of a single dimension.
Value flattened(ir::Builder& builder, Value array, Value size) {
  const ir::Type& type = array->type;
  if (type.ndim() == 1 && type.layout() != ir::Layout::any)
    return array;
  return builder.array_make(
      ir::Type::array(type.element(), 1, ir::Layout::c, type.space(), type.is_mutable()),
      builder.array_data(array),
      {size});
}

void store(ir::Builder& builder, Value array, const Values& indices, Value value) {
  const ir::Type& element = array->type.element();
  if (element.is_scalar())
    value = builder.cast(value, element.dtype());
  builder.array_store(array, indices, value);
}

}  // namespace

std::optional<Traversal> traversal_named(std::string_view name) {
  if (name == "flat")
    return Traversal::flat;
  if (name == "rows")
    return Traversal::rows;
  return name == "items" ? std::optional(Traversal::items) : std::nullopt;
}

Values indices_of(
    ir::Builder& builder, Value number, std::span<const Value> extents, bool is_narrow) {
  Values indices(extents.size());
  if (extents.size() == 1)  // without casts, after which no analysis sees that lanes are neighbours
    return {number};
  const auto narrow = [&](Value value) {
    return is_narrow ? builder.cast(value, DType::uint32) : value;
  };
  const auto wide = [&](Value value) { return builder.cast(value, DType::int64); };
  number = narrow(number);
  for (std::size_t i = extents.size(); i-- > 1;) {
    const Value extent = narrow(extents[i]);
    indices[i] = wide(builder.elementwise(Op::remainder, {number, extent}));
    number = builder.elementwise(Op::floor_divide, {number, extent});
  }
  if (!indices.empty())
    indices[0] = wide(number);
  return indices;
}

void for_each_item(
    ir::Builder& builder,
    Traversal traversal,
    const Values& shape,
    const ItemVisitor& visit,
    bool is_narrow) {
  if (traversal == Traversal::rows && !shape.empty()) {
    for_each_in_rows(builder, shape, visit, is_narrow);
    return;
  }
  const Value number = ir::global_index(builder, 0);
  const auto guarded = builder.enter(ir::guard(builder, number, product(builder, shape)));
  visit(
      traversal == Traversal::flat ? Values{number}
                                   : indices_of(builder, number, shape, is_narrow));
}

void emit_elementwise(
    ir::Builder& builder, Traversal traversal, std::size_t inputs, const ElementBody& body) {
  const std::size_t count = builder.function().parameters.size();
  PHX_ASSERT(inputs < count);
  Values operands;
  for (std::size_t i = 0; i < count; ++i) operands.push_back(builder.parameter(i));
  const Values shape = shape_of(builder, operands.back());
  for_each_item(builder, traversal, shape, [&](const Values& indices) {
    if (traversal == Traversal::flat) {
      const Value size = product(builder, shape);
      for (Value& operand : operands) {
        if (operand->type.is_array())
          operand = flattened(builder, operand, size);
      }
    }
    Values values;
    for (const Value input : std::span(operands).first(inputs))
      values.push_back(input->type.is_array() ? builder.array_load(input, indices) : input);
    const Values results = body(builder, values);
    PHX_ASSERT(results.size() == count - inputs);
    for (std::size_t i = 0; i < results.size(); ++i)
      store(builder, operands[inputs + i], indices, results[i]);
  });
}

}  // namespace phalanx::numpy
