#include "phalanx/numpy/overlap.h"

#include <algorithm>

#include "phalanx/ir/typing.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

// What an array's memory comes from, as far as the operations say.
const ir::Operation* root_of(const ir::Operation* value) {
  while (value->op == Op::array_make || value->op == Op::array_element ||
         value->op == Op::array_data || value->op == Op::pointer_offset)
    value = value->operands[0];
  return value;
}

// True if it is a piece of memory that no other such operation names.
bool is_origin(const ir::Operation* root) {
  return root->op == Op::allocate || root->op == Op::parameter || root->op == Op::constant_array;
}

Value address_of(ir::Builder& builder, Value array) {
  return builder.bitcast(builder.array_data(array), DType::int64);
}

// The bytes from the first to after the last, as addresses.
struct Bounds {
  Value first;
  Value end;
};
Bounds bounds_of(const Arithmetic& in, const ShapedArray& shaped) {
  ir::Builder& builder = in.builder();
  const ir::Type& type = shaped.array->type;
  const Value data = address_of(builder, shaped.array);
  const Value item = in.integer(static_cast<std::int64_t>(ir::element_stride(type.element())));
  if (type.layout() != ir::Layout::any) {
    Value bytes = item;
    for (const Value extent : shaped.extents) bytes = in(Op::multiply, bytes, extent);
    return {data, in(Op::add, data, bytes)};
  }
  Bounds bounds = {data, in(Op::add, data, item)};
  const Value zero = in.integer(0);
  for (std::size_t i = 0; i < shaped.extents.size(); ++i) {
    const Value steps = in(Op::subtract, shaped.extents[i], in.integer(1));
    const Value span = in(Op::multiply, steps, builder.array_stride(shaped.array, i));
    bounds.first = in(Op::add, bounds.first, in(Op::minimum, span, zero));
    bounds.end = in(Op::add, bounds.end, in(Op::maximum, span, zero));
  }
  return bounds;
}

Value ranges_meet(const Arithmetic& in, const ShapedArray& a, const ShapedArray& b) {
  const Bounds own = bounds_of(in, a);
  const Bounds other = bounds_of(in, b);
  const Value begins_before = in(Op::less, own.first, other.end);
  return in.both(begins_before, in(Op::less, other.first, own.end));
}

// True if the operations say that the arrays share no memory.
bool is_known_apart(Value written, Value read) {
  const ir::Operation* first = root_of(written);
  const ir::Operation* second = root_of(read);
  const bool is_one_new = first->op == Op::allocate || second->op == Op::allocate;
  return first != second && is_origin(first) && is_origin(second) && is_one_new;
}

}  // namespace

bool may_change(const StridedMemory& written, const StridedMemory& read) {
  const bool is_one_view = written.address == read.address &&
                           std::ranges::equal(written.shape, read.shape) &&
                           std::ranges::equal(written.strides, read.strides);
  return !is_one_view && may_share(written, read);
}

bool needs_no_copy(Value written, Value read) {
  return written == read || is_known_apart(written, read);
}

Value may_share(ir::Builder& builder, const ShapedArray& written, const ShapedArray& read) {
  if (is_known_apart(written.array, read.array))
    return builder.boolean(false);
  return ranges_meet(Arithmetic(builder, DType::int64), written, read);
}

Value may_change(ir::Builder& builder, const ShapedArray& written, const ShapedArray& read) {
  if (needs_no_copy(written.array, read.array))
    return builder.boolean(false);
  const Arithmetic in(builder, DType::int64);
  const Value shares = ranges_meet(in, written, read);
  if (written.extents.size() != read.extents.size())
    return shares;
  const Value address = address_of(builder, written.array);
  Value is_one_view = in(Op::equal, address, address_of(builder, read.array));
  for (std::size_t i = 0; i < written.extents.size(); ++i) {
    const Value stride = builder.array_stride(written.array, i);
    is_one_view = in.both(is_one_view, in(Op::equal, stride, builder.array_stride(read.array, i)));
  }
  return in.both(shares, in.negation(is_one_view));
}

}  // namespace phalanx::numpy
