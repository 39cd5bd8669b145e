// The same elements under another shape, order or type, and copies.
#include <algorithm>
#include <array>
#include <functional>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/spaces.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {
namespace {

bool is_integer_part(const Value& part) {
  const auto type = type_of(part);
  return type && type->is_scalar() && is_integer(type->dtype());
}

// The number, or 1 in place of 0: a divisor that raises nothing.
Value not_zero(Emitter& emitter, const Value& number) {
  const Value is_zero = emitter.compare(tree::Comparison::equal, number, integer_literal(0));
  return emitter.select(is_zero, integer_literal(1), number);
}

// Raises where the extents that are given do not make up the size.
void check_size(
    Emitter& emitter, const Value& size, const Value& given, const std::vector<Value>& is_rest) {
  Value has_rest = boolean_literal(false);
  for (const Value& each : is_rest) has_rest = emitter.select(has_rest, has_rest, each);
  const Value rest = emitter.binary(ir::Op::remainder, size, not_zero(emitter, given));
  const Value expected =
      emitter.select(has_rest, emitter.binary(ir::Op::subtract, size, rest), given);
  emitter.raise_where(
      emitter.compare(tree::Comparison::not_equal, size, expected),
      "ValueError",
      "total size of new array must be unchanged");
}

}  // namespace

namespace {

Value with_order(
    Emitter& emitter, ir::Operation* array, ir::Layout layout, const std::vector<unsigned>& order) {
  const ir::Type& from = array->type;
  const ir::Type type =
      ir::Type::array(from.element(), from.ndim(), layout, from.space(), from.is_mutable());
  ir::Builder::Values shape;
  ir::Builder::Values strides;
  for (const unsigned dimension : order) {
    shape.push_back(emitter.materialize(emitter.extent(array, dimension)));
    if (layout == ir::Layout::any)
      strides.push_back(emitter.materialize(stride_of(emitter, array, dimension)));
  }
  return emitter.builder().array_make(type, emitter.builder().array_data(array), shape, strides);
}

}  // namespace

Value transposed(Emitter& emitter, ir::Operation* array) {
  const ir::Type& from = array->type;
  if (from.ndim() < 2)
    return array;
  constexpr std::array layouts = {ir::Layout::f, ir::Layout::c, ir::Layout::any};
  std::vector<unsigned> order;
  for (unsigned dimension = from.ndim(); dimension-- > 0;) order.push_back(dimension);
  return with_order(emitter, array, layouts.at(static_cast<std::size_t>(from.layout())), order);
}

Value transposed(Emitter& emitter, ir::Operation* array, const std::vector<Value>& order) {
  const auto ndim = static_cast<std::int64_t>(array->type.ndim());
  std::vector<unsigned> dimensions;
  for (const Value& each : order) {
    const std::int64_t dimension = known_integer(each).value_or(ndim);
    const auto from_begin = static_cast<unsigned>(dimension < 0 ? dimension + ndim : dimension);
    if (dimension >= -ndim && dimension < ndim &&
        std::ranges::find(dimensions, from_begin) == dimensions.end())
      dimensions.push_back(from_begin);
  }
  if (dimensions.size() != array->type.ndim() || order.size() != dimensions.size())
    emitter.fail(
        "transpose() takes each dimension of " + describe(array->type) + " once",
        "Give constants, such as a.transpose(1, 0).");
  if (std::ranges::is_sorted(dimensions))
    return array;
  if (std::ranges::is_sorted(dimensions, std::ranges::greater()))
    return transposed(emitter, array);
  return with_order(emitter, array, ir::Layout::any, dimensions);
}

Value reshaped(Emitter& emitter, ir::Operation* array, const std::vector<Value>& shape) {
  if (array->type.layout() != ir::Layout::c)
    emitter.fail(
        "only C-contiguous arrays can be reshaped in a kernel, found " + describe(array->type));
  // An extent of -1, known or found at run time, is what the others leave.
  std::vector<Value> parts;
  std::vector<Value> is_rest;
  Value given = integer_literal(1);
  for (const Value& extent : shape) {
    if (!is_integer_part(extent))
      emitter.fail("a shape is made of integers, found " + describe(extent));
    const auto known = known_integer(extent);
    parts.push_back(emitter.cast(extent, DType::int64));
    is_rest.push_back(
        known ? boolean_literal(*known == -1)
              : emitter.compare(tree::Comparison::equal, parts.back(), integer_literal(-1)));
    const Value factor = emitter.select(is_rest.back(), integer_literal(1), parts.back());
    given = emitter.binary(ir::Op::multiply, given, factor);
  }
  const Value size = emitter.attribute(array, "size");
  if (emitter.session().options().is_function) {
    check_size(emitter, size, given, is_rest);
    given = not_zero(emitter, given);
  }
  const Value rest = emitter.binary(ir::Op::floor_divide, size, given);
  ir::Builder::Values extents;
  for (std::size_t i = 0; i < parts.size(); ++i)
    extents.push_back(emitter.materialize(emitter.select(is_rest[i], rest, parts[i])));
  const ir::Type type = ir::Type::array(
      array->type.element(),
      static_cast<unsigned>(shape.size()),
      ir::Layout::c,
      array->type.space(),
      array->type.is_mutable());
  return emitter.builder().array_make(type, emitter.builder().array_data(array), extents);
}

Value part_view(Emitter& emitter, ir::Operation* array, bool is_imaginary) {
  const ir::Type& from = array->type;
  ir::Builder& builder = emitter.builder();
  const DType part = real_part_of(from.element().dtype());
  const ir::Type type = ir::Type::array(
      part, from.ndim(), ir::Layout::any, space_of_parts(from.space()), from.is_mutable());
  ir::Builder::Values shape;
  ir::Builder::Values strides;
  for (unsigned dimension = 0; dimension < from.ndim(); ++dimension) {
    shape.push_back(emitter.materialize(emitter.extent(array, dimension)));
    strides.push_back(emitter.materialize(stride_of(emitter, array, dimension)));
  }
  const auto offset = is_imaginary ? static_cast<std::int64_t>(size_of(part)) : 0;
  ir::Operation* data = builder.pointer_offset(
      builder.array_data(array), builder.integer(offset), ir::Type::pointer(part, type.space()));
  return builder.array_make(type, data, shape, strides);
}

Value viewed_as(Emitter& emitter, ir::Operation* array, const ir::Type& element) {
  const ir::Type& from = array->type;
  const auto before = static_cast<std::int64_t>(ir::element_stride(from.element()));
  const auto after = static_cast<std::int64_t>(ir::element_stride(element));
  if (from.layout() != ir::Layout::c || (from.ndim() == 0 && before != after))
    emitter.fail(
        "only C-contiguous arrays can be viewed as another type in a kernel, found " +
        describe(from));
  ir::Builder& builder = emitter.builder();
  ir::Builder::Values shape;
  for (unsigned dimension = 0; dimension < from.ndim(); ++dimension) {
    Value extent = emitter.extent(array, dimension);
    if (dimension + 1 == from.ndim() && before != after)
      extent = emitter.binary(
          ir::Op::floor_divide,
          emitter.binary(ir::Op::multiply, extent, integer_literal(before)),
          integer_literal(after));
    shape.push_back(emitter.materialize(extent));
  }
  const ir::Space space = space_of_parts(from.space());
  ir::Operation* data = builder.pointer_offset(
      builder.array_data(array), builder.integer(0), ir::Type::pointer(element, space));
  const ir::Type type =
      ir::Type::array(element, from.ndim(), ir::Layout::c, space, from.is_mutable());
  return builder.array_make(type, data, shape);
}

Value local_copy(Emitter& emitter, ir::Operation* array) {
  std::vector<std::int64_t> shape;
  for (unsigned dimension = 0; dimension < array->type.ndim(); ++dimension) {
    const auto extent = known_integer(emitter.extent(array, dimension));
    if (!extent)
      emitter.fail(
          "the shape of an array that is copied in a kernel must be known at compile time",
          "Fill a local array whose shape is known, or an array that the kernel is given.");
    shape.push_back(*extent);
  }
  ir::Operation* copy = ir::local_array(emitter.builder(), array->type.element(), std::move(shape));
  fill_view(emitter, copy, Value(array));
  return copy;
}

}  // namespace phalanx::frontend::python
