#include <algorithm>
#include <array>
#include <bit>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/memory_plan.h"
#include "phalanx/codegen/cpu/shapes.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

unsigned components_of(const ir::Type& type) {
  switch (type.kind()) {
    case ir::TypeKind::none:
      return 0;
    case ir::TypeKind::scalar:
    case ir::TypeKind::pointer:
    case ir::TypeKind::record:
      return 1;
    case ir::TypeKind::array:
      return 1 + type.ndim() * (type.layout() == ir::Layout::any ? 2 : 1);
    case ir::TypeKind::vector:
      return type.lanes();
    case ir::TypeKind::tuple:
      break;
  }
  unsigned count = 0;
  for (const ir::Field& field : type.fields()) count += components_of(field.type);
  return count;
}

namespace {

constexpr std::int64_t largest_stride = std::int64_t{1} << 40;  // beyond it: varying

std::optional<std::int64_t> combined(const Shape& a, const Shape& b, Op op) {
  if (!a.constant || !b.constant)
    return std::nullopt;
  std::int64_t result = 0;
  const bool has_overflow = op == Op::multiply
                                ? __builtin_mul_overflow(*a.constant, *b.constant, &result)
                                : __builtin_add_overflow(*a.constant, *b.constant, &result);
  return has_overflow ? std::nullopt : std::optional(result);
}

Shape uniform_of(const Shape& a, const Shape& b) {
  return Shape::of(std::max(a.uniformity, b.uniformity));
}

}  // namespace

Shape sum_of(const Shape& a, const Shape& b, int sign) {
  const std::int64_t multiple = std::min(a.multiple, b.multiple);
  if (a.is_uniform() && b.is_uniform()) {
    Shape result = uniform_of(a, b).with_multiple(multiple);
    if (sign > 0)
      result.constant = combined(a, b, Op::add);
    return result;
  }
  if (a.uniformity == Uniformity::varying || b.uniformity == Uniformity::varying)
    return Shape::of(Uniformity::varying);
  const std::int64_t stride = a.stride + sign * b.stride;
  if (stride > largest_stride || stride < -largest_stride)
    return Shape::of(Uniformity::varying);
  return Shape::affine(stride, false).with_multiple(multiple);
}

Shape product_of(const Shape& a, const Shape& b) {
  const std::int64_t multiple = a.multiple * b.multiple;
  if (a.is_uniform() && b.is_uniform()) {
    Shape result = uniform_of(a, b).with_multiple(multiple);
    result.constant = combined(a, b, Op::multiply);
    return result;
  }
  const Shape& affine = a.uniformity == Uniformity::affine ? a : b;
  const Shape& factor = a.uniformity == Uniformity::affine ? b : a;
  std::int64_t stride = 0;
  if (affine.uniformity != Uniformity::affine || !factor.constant ||
      __builtin_mul_overflow(affine.stride, *factor.constant, &stride) || stride > largest_stride ||
      stride < -largest_stride)
    return Shape::of(Uniformity::varying);
  return Shape::affine(stride, false).with_multiple(multiple);
}

namespace {

using Operands = std::vector<const Shapes*>;

Shape all_of(const Operands& operands) {
  Shape result;
  for (const Shapes* operand : operands) {
    for (const Shape& shape : *operand) {
      const bool is_uniform = shape.is_uniform();
      result = is_uniform ? uniform_of(result, shape) : Shape::of(Uniformity::varying);
      if (!is_uniform)
        return result;
    }
  }
  return result;
}

// True if the lanes' values lie in one group of 2^bits numbers that follow each other: where the
// first lane's is a multiple of a power of two that the lanes stay below. Nothing is carried then.
bool is_in_group(const Shape& affine, std::int64_t bits, unsigned lanes) {
  const std::int64_t group = std::min(affine.multiple, std::int64_t{1} << bits);
  return affine.uniformity == Uniformity::affine && affine.stride > 0 &&
         (lanes - 1) * affine.stride < group;
}

// The warp of a thread, the row of an element.
std::optional<Shape> quotient(const Shape& value, unsigned bits, unsigned lanes) {
  constexpr unsigned most_bits = 30;
  if (bits > most_bits)
    return std::nullopt;
  const std::int64_t multiple = value.multiple >> bits;
  if (value.is_uniform())
    return Shape::of(value.uniformity).with_multiple(multiple);
  if (!is_in_group(value, bits, lanes))
    return std::nullopt;
  return Shape::of(Uniformity::warp).with_multiple(multiple);
}

// The lane of a thread, the column of an element.
std::optional<Shape> remainder(const Shape& value, unsigned bits, unsigned lanes) {
  const std::int64_t size = std::int64_t{1} << bits;
  if (size > largest_multiple)
    return std::nullopt;
  const std::int64_t multiple = value.multiple >= size ? largest_multiple : value.multiple;
  if (value.is_uniform())
    return Shape::of(value.uniformity).with_multiple(multiple);
  if (!is_in_group(value, bits, lanes))
    return std::nullopt;
  return Shape::affine(value.stride, true).with_multiple(multiple);
}

// Division by a power of two that is known now, though its operand may be no constant.
std::optional<Shape> divided(Op op, const Shape& value, const Shape& by, unsigned lanes) {
  if (!by.constant)
    return std::nullopt;
  const ir::PowerDivision division = {.op = op, .operand = *by.constant};
  if (const auto bits = ir::bits_of_quotient(division))
    return quotient(value, *bits, lanes);
  if (const auto bits = ir::bits_of_remainder(division))
    return remainder(value, *bits, lanes);
  return std::nullopt;
}

// x < limit and x >= limit, where the lanes' values lie in one group between two multiples of a
// power of two, and the limit is such a multiple: all are below it, or none.
std::optional<Shape> ordered(Op op, const Operands& operands, unsigned lanes) {
  const auto test = ir::below_test(op);
  if (!test)
    return std::nullopt;
  const Shape& affine = (*operands[test->index])[0];
  const Shape& limit = (*operands[test->end])[0];
  const std::int64_t group = std::min(affine.multiple, limit.multiple);
  if (affine.uniformity != Uniformity::affine || !limit.is_uniform() || affine.stride <= 0 ||
      (lanes - 1) * affine.stride >= group)
    return std::nullopt;
  return Shape::of(Uniformity::warp);
}

bool is_of_wide_integers(const Operation& operation) {
  return std::ranges::all_of(operation.operands, [](const Operation* operand) {
    return operand->type.is_scalar() && is_integer(operand->type.dtype()) &&
           bits_of(operand->type.dtype()) >= 32;
  });
}

Shape elementwise(const Operation& operation, const Operands& operands, unsigned lanes) {
  if (operands.size() == 2 && is_of_wide_integers(operation)) {
    if (const auto shape = ordered(operation.op, operands, lanes))
      return *shape;
  }
  const ir::Type& type = operation.type;
  if (type.is_scalar() && is_integer(type.dtype()) && bits_of(type.dtype()) >= 32) {
    switch (operation.op) {
      case Op::add:
        return sum_of((*operands[0])[0], (*operands[1])[0]);
      case Op::subtract:
        return sum_of((*operands[0])[0], (*operands[1])[0], -1);
      case Op::multiply:
        return product_of((*operands[0])[0], (*operands[1])[0]);
      case Op::negative:
        return sum_of(Shape::known(0), (*operands[0])[0], -1);
      case Op::left_shift: {
        const std::optional<std::int64_t> amount = (*operands[1])[0].constant;
        if (amount && *amount >= 0 && *amount < 31)
          return product_of((*operands[0])[0], Shape::known(std::int64_t{1} << *amount));
        break;
      }
      default:
        break;
    }
    if (operands.size() == 2) {
      if (const auto shape = divided(operation.op, (*operands[0])[0], (*operands[1])[0], lanes))
        return *shape;
    }
  }
  return all_of(operands);
}

// An affine integer stays affine where the cast cannot tear it: to the same or fewer bits always,
// to more bits if it does not wrap.
Shape cast(const Operation& operation, const Shape& from) {
  const DType to_dtype = operation.type.dtype();
  const DType from_dtype = operation.operands[0]->type.dtype();
  const std::int64_t multiple = is_integer(to_dtype) && is_integer(from_dtype) ? from.multiple : 1;
  if (from.is_uniform()) {
    Shape result = Shape::of(from.uniformity).with_multiple(multiple);
    if (from.constant && is_integer(to_dtype) && size_of(to_dtype) == 8)
      result.constant = from.constant;
    return result;
  }
  if (from.uniformity != Uniformity::affine || !is_integer(to_dtype) || bits_of(to_dtype) < 32)
    return Shape::of(Uniformity::varying);
  if (size_of(to_dtype) <= size_of(from_dtype))
    return Shape::affine(from.stride, from.exact && size_of(to_dtype) == size_of(from_dtype))
        .with_multiple(multiple);
  return from.exact ? from : Shape::of(Uniformity::varying);
}

Shapes constant_shape(const Operation& operation) {
  Shapes shapes(components_of(operation.type));
  if (const auto* value = std::get_if<std::int64_t>(&operation.constant))
    shapes[0] = Shape::known(*value);
  return shapes;
}

Shape thread_index(
    const Operation& operation, const CpuVariant& variant, const LaunchFacts& facts) {
  const unsigned dimension = launch_dimension(variant, operation.index);
  if (variant.shape == BlockShape::single ||
      (variant.shape == BlockShape::one_dimensional && dimension != 0))
    return Shape::known(0);
  if (variant.lanes == 1)
    return Shape::of(Uniformity::warp);
  if (variant.shape == BlockShape::general)
    return Shape::of(Uniformity::varying);
  if (dimension != 0)
    return Shape::of(Uniformity::warp);
  if (variant.shape == BlockShape::exact_rows)
    return Shape::affine(1, true).with_multiple(largest_multiple);
  const bool is_whole = facts.has_whole_starts || variant.shape == BlockShape::rows;
  return Shape::affine(1, true).with_multiple(is_whole ? variant.lanes : 1);
}

Shape block_extent(
    const Operation& operation, const CpuVariant& variant, const LaunchFacts& facts) {
  if (!facts.has_block)
    return {};
  return Shape::known(variant.block.at(launch_dimension(variant, operation.index)));
}

Shape thread_query(
    const Operation& operation, const CpuVariant& variant, const LaunchFacts& facts) {
  if (operation.op == Op::thread_index)
    return thread_index(operation, variant, facts);
  if (operation.op == Op::block_extent)
    return block_extent(operation, variant, facts);
  return variant.lanes == 1 ? Shape::of(Uniformity::warp)
                            : Shape::affine(1, true).with_multiple(largest_multiple);
}

// The byte stride of each dimension, from the view's own components.
Shapes strides_of(const ir::Type& type, const Shapes& view) {
  const unsigned ndim = type.ndim();
  Shapes strides(ndim);
  if (type.layout() == ir::Layout::any) {
    std::copy_n(view.begin() + 1 + ndim, ndim, strides.begin());
    return strides;
  }
  Shape stride = Shape::known(static_cast<std::int64_t>(ir::size_of(type.element())));
  for (unsigned i = 0; i < ndim; ++i) {
    const unsigned dimension = type.layout() == ir::Layout::c ? ndim - 1 - i : i;
    strides[dimension] = stride;
    stride = product_of(stride, view[1 + dimension]);
  }
  return strides;
}

// Offsets in local memory count `lanes` times: element after element, each for all lanes.
Shape scaled(const Shape& offset, ir::Space space, const CpuVariant& variant) {
  return space == ir::Space::local ? product_of(offset, Shape::known(variant.lanes)) : offset;
}

Shape address(const Operation& operation, const Operands& operands, const CpuVariant& variant) {
  const ir::Type& type = operation.operands[0]->type;
  const Shapes& view = *operands[0];
  const Shapes strides = strides_of(type, view);
  Shape offset = Shape::known(0);
  for (unsigned d = 0; d < type.ndim(); ++d)
    offset = sum_of(offset, product_of((*operands[1 + d])[0], strides[d]));
  Shape result = sum_of(view[0], scaled(offset, type.space(), variant));
  result.constant.reset();
  return result;
}

Shape loaded(const Shape& from) {
  return from.is_uniform() ? Shape::of(from.uniformity) : Shape::of(Uniformity::varying);
}

// Views of memory whose extents the IR knows.
Shapes static_view(const Operation& operation, const Shape& pointer) {
  Shapes shapes(components_of(operation.type), pointer);
  for (unsigned d = 0; d < operation.type.ndim() && d < operation.shape.size(); ++d)
    shapes[1 + d] = Shape::known(operation.shape[d]);
  if (operation.shape.empty())
    std::fill(shapes.begin() + 1, shapes.end(), Shape{});
  return shapes;
}

Shapes slice(const Shapes& from, unsigned first, unsigned count) {
  return {from.begin() + first, from.begin() + first + count};
}

Shapes tuple_get(const Operation& operation, const Shapes& tuple) {
  const auto& fields = operation.operands[0]->type.fields();
  unsigned first = 0;
  for (std::int64_t i = 0; i < operation.index; ++i)
    first += components_of(fields.at(static_cast<std::size_t>(i)).type);
  return slice(tuple, first, components_of(operation.type));
}

Shapes concatenated(const Operands& operands) {
  Shapes shapes;
  for (const Shapes* operand : operands)
    shapes.insert(shapes.end(), operand->begin(), operand->end());
  return shapes;
}

Shape array_stride(const Operation& operation, const Shapes& view) {
  return strides_of(operation.operands[0]->type, view)
      .at(static_cast<std::size_t>(operation.index));
}

Shapes memory_value(
    const Operation& operation, const Operands& operands, const CpuVariant& variant) {
  const unsigned count = components_of(operation.type);
  switch (operation.op) {
    case Op::array_element:
      return {address(operation, operands, variant)};
    case Op::checked_element: {
      // Where lanes may part, some may be led elsewhere.
      const bool is_one = std::all_of(operands.begin() + 1, operands.end(), [](const auto* index) {
        return (*index)[0].is_uniform();
      });
      const bool is_whole =
          std::all_of(operands[0]->begin() + 1, operands[0]->end(), [](const Shape& extent) {
            return extent.is_uniform();
          });
      if (!is_one || !is_whole)
        return {Shape::of(Uniformity::varying)};
      return {address(operation, operands, variant)};
    }
    case Op::array_load:
      return Shapes(count, loaded(address(operation, operands, variant)));
    case Op::load:
    case Op::hinted_load:
      return Shapes(count, loaded((*operands[0])[0]));
    case Op::pointer_offset: {
      const ir::Space space = operation.operands[0]->type.space();
      return {sum_of((*operands[0])[0], scaled((*operands[1])[0], space, variant))};
    }
    case Op::shared_array:
    case Op::dynamic_shared_array:
    case Op::constant_array:
    case Op::global_array:
      return static_view(operation, Shape{});
    case Op::local_array: {
      const Shape lanes = Shape::affine(local_lane_stride(operation), true);
      return static_view(operation, variant.lanes == 1 ? Shape::of(Uniformity::warp) : lanes);
    }
    default:
      break;
  }
  PHX_ASSERT(false && "not an operation on memory");
  return {};
}

Shape free_shape(const CpuVariant& variant) {
  return Shape::of(variant.lanes == 1 ? Uniformity::warp : Uniformity::varying);
}

// Operations whose result does not follow from their operands.
bool is_opaque(Op op) {
  constexpr std::array opaque = {
      Op::atomic, Op::atomic_cas, Op::call, Op::allocate, Op::memory_mark, Op::random_state};
  return std::ranges::find(opaque, op) != opaque.end();
}

}  // namespace

Shapes transfer(
    const Operation& operation,
    const std::vector<const Shapes*>& operands,
    const CpuVariant& variant,
    const LaunchFacts& facts) {
  if (ir::is_elementwise(operation.op))
    return Shapes(components_of(operation.type), elementwise(operation, operands, variant.lanes));
  if (is_opaque(operation.op))
    return Shapes(components_of(operation.type), free_shape(variant));
  if (ir::is_of(ir::OpFamily::warp, operation.op))
    return Shapes(components_of(operation.type), shape_of_warp(operation, operands));
  switch (operation.op) {
    case Op::constant:
      return constant_shape(operation);
    case Op::cast:
      return {cast(operation, (*operands[0])[0])};
    case Op::tuple_make:
    case Op::vector_make:
    case Op::array_make:
      return concatenated(operands);
    case Op::tuple_get:
      return tuple_get(operation, *operands[0]);
    case Op::vector_get:
      return slice(*operands[0], static_cast<unsigned>(operation.index), 1);
    case Op::array_data:
      return slice(*operands[0], 0, 1);
    case Op::array_shape:
      return slice(*operands[0], 1 + static_cast<unsigned>(operation.index), 1);
    case Op::array_stride:
      return {array_stride(operation, *operands[0])};
    case Op::pointer_field:
      return {sum_of((*operands[0])[0], Shape::known(0))};
    case Op::thread_index:
    case Op::block_extent:
    case Op::lane_index:
      return {thread_query(operation, variant, facts)};
    case Op::array_element:
    case Op::checked_element:
    case Op::array_load:
    case Op::load:
    case Op::hinted_load:
    case Op::pointer_offset:
    case Op::shared_array:
    case Op::dynamic_shared_array:
    case Op::constant_array:
    case Op::global_array:
    case Op::local_array:
      return memory_value(operation, operands, variant);
    case Op::read_clock:  // once for all lanes
      return {Shape::of(Uniformity::warp)};
    case Op::undefined:
    case Op::block_index:
    case Op::grid_extent:
    case Op::parallel_lanes:
      return Shapes(components_of(operation.type));
    default:  // bitcast, complex parts, wrap_index, and what yields nothing
      return Shapes(components_of(operation.type), all_of(operands));
  }
}

}  // namespace phalanx::codegen::cpu
