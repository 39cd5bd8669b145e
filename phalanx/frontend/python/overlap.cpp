#include "phalanx/frontend/python/overlap.h"

#include <utility>

#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {

namespace {

Value i64(Emitter& emitter, ir::Op op, const Value& a, const Value& b) {
  return emitter.same_type(op, DType::int64, {a, b});
}

// What an array's memory comes from, as far as the operations say.
const ir::Operation* root_of(const ir::Operation* value) {
  while (value->op == ir::Op::array_make || value->op == ir::Op::array_element ||
         value->op == ir::Op::array_data || value->op == ir::Op::pointer_offset)
    value = value->operands[0];
  return value;
}

bool is_known_apart(const ir::Operation* a, const ir::Operation* b) {
  const ir::Operation* first = root_of(a);
  const ir::Operation* second = root_of(b);
  const auto is_origin = [](const ir::Operation* root) {
    return root->op == ir::Op::allocate || root->op == ir::Op::parameter ||
           root->op == ir::Op::constant_array;
  };
  const bool is_one_new = first->op == ir::Op::allocate || second->op == ir::Op::allocate;
  return first != second && is_origin(first) && is_origin(second) && is_one_new;
}

Value address_of(Emitter& emitter, ir::Operation* array) {
  return emitter.builder().bitcast(emitter.builder().array_data(array), DType::int64);
}

// The bytes from the first to after the last, as addresses.
std::pair<Value, Value> bounds_of(Emitter& emitter, ir::Operation* array) {
  const Value data = address_of(emitter, array);
  const Value item =
      integer_literal(static_cast<std::int64_t>(ir::element_stride(array->type.element())));
  if (array->type.layout() != ir::Layout::any) {
    const Value bytes = i64(emitter, ir::Op::multiply, emitter.attribute(array, "size"), item);
    return {data, i64(emitter, ir::Op::add, data, bytes)};
  }
  Value low = data;
  Value high = i64(emitter, ir::Op::add, data, item);
  const Value zero = integer_literal(0);
  for (unsigned i = 0; i < array->type.ndim(); ++i) {
    const Value steps =
        i64(emitter, ir::Op::subtract, emitter.extent(array, i), integer_literal(1));
    const Value span =
        i64(emitter, ir::Op::multiply, steps, emitter.builder().array_stride(array, i));
    low = i64(emitter, ir::Op::add, low, i64(emitter, ir::Op::minimum, span, zero));
    high = i64(emitter, ir::Op::add, high, i64(emitter, ir::Op::maximum, span, zero));
  }
  return {low, high};
}

}  // namespace

Value overlaps(Emitter& emitter, ir::Operation* written, ir::Operation* read) {
  if (written == read || is_known_apart(written, read))
    return boolean_literal(false);
  const auto [first, end] = bounds_of(emitter, written);
  const auto [other_first, other_end] = bounds_of(emitter, read);
  const Value shares = emitter.all_of(
      {emitter.compare(tree::Comparison::less, first, other_end),
       emitter.compare(tree::Comparison::less, other_first, end)});
  if (written->type.ndim() != read->type.ndim())
    return shares;
  std::vector<Value> same = {emitter.compare(
      tree::Comparison::equal, address_of(emitter, written), address_of(emitter, read))};
  for (unsigned i = 0; i < written->type.ndim(); ++i)
    same.push_back(emitter.compare(
        tree::Comparison::equal,
        emitter.builder().array_stride(written, i),
        emitter.builder().array_stride(read, i)));
  return emitter.all_of({shares, emitter.logical_not(emitter.all_of(same))});
}

}  // namespace phalanx::frontend::python
