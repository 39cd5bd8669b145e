#include "phalanx/numpy/array_broadcast.h"

#include <algorithm>

namespace phalanx::numpy {
namespace {

using ir::Op;

bool is_constant(Value value) { return value->op == Op::constant; }

bool is_same(Value a, Value b) {
  return a == b || (is_constant(a) && is_constant(b) && a->constant == b->constant);
}

// Each extent with the dimension of the shape that it is for.
template <typename Visitor>
void for_each_extent(std::span<const Values> shapes, std::size_t ndim, const Visitor& visit) {
  for (const Values& extents : shapes) {
    const std::size_t missing = ndim - extents.size();
    for (std::size_t i = 0; i < extents.size(); ++i) visit(missing + i, extents[i]);
  }
}

}  // namespace

Values broadcast_shape(ir::Builder& builder, std::span<const Values> shapes) {
  std::size_t ndim = 0;
  for (const Values& extents : shapes) ndim = std::max(ndim, extents.size());
  Values shape(ndim, nullptr);
  const Arithmetic in(builder, DType::int64);
  for_each_extent(shapes, ndim, [&](std::size_t dimension, Value extent) {
    Value& known = shape[dimension];
    known =
        known == nullptr ? extent : in.select(in(Op::equal, known, in.integer(1)), extent, known);
  });
  return shape;
}

std::optional<Value> has_extents(
    ir::Builder& builder, std::span<const Values> shapes, const Values& shape) {
  const Arithmetic in(builder, DType::int64);
  std::optional<Value> fits;
  for_each_extent(shapes, shape.size(), [&](std::size_t dimension, Value extent) {
    if (is_same(extent, shape[dimension]))
      return;
    const Value is_equal = in(Op::equal, extent, shape[dimension]);
    fits = fits ? in.both(*fits, is_equal) : is_equal;
  });
  return fits;
}

void raise_misfits(
    ir::Builder& builder, std::span<const Values> shapes, const Values& shape, const Raise& raise) {
  const Arithmetic in(builder, DType::int64);
  for_each_extent(shapes, shape.size(), [&](std::size_t dimension, Value extent) {
    if (is_same(extent, shape[dimension]))
      return;
    const Value differs = in(Op::not_equal, extent, shape[dimension]);
    const Value misfits = in.both(differs, in(Op::not_equal, extent, in.integer(1)));
    if (is_constant(misfits) && !std::get<bool>(misfits->constant))
      return;
    const auto branches = builder.if_(misfits);
    const auto inside = builder.enter(branches.then);
    builder.raise(raise);
  });
}

Value stretched_index(ir::Builder& builder, Value extent, Value index) {
  const Arithmetic in(builder, DType::int64);
  const Value is_one = in(Op::equal, extent, in.integer(1));
  return in.select(is_one, in.integer(0), index);
}

}  // namespace phalanx::numpy
