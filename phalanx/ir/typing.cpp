#include "phalanx/ir/typing.h"

#include "phalanx/base/errors.h"

namespace phalanx::ir {

namespace {

template <typename TypeAt>
Type elementwise_type(Op op, const TypeAt& type_at) {
  PHX_ASSERT(is_elementwise(op));
  switch (info(op).rule) {
    case Rule::compare:
    case Rule::logical:
    case Rule::predicate:
      return DType::boolean;
    case Rule::select:
      return type_at(1);
    case Rule::bits:
      return op == Op::reverse_bits ? type_at(0) : Type(DType::int32);
    default:
      return type_at(0);
  }
}

}  // namespace

Type result_type(Op op, std::span<const Type> operands) {
  return elementwise_type(op, [&](std::size_t i) -> const Type& { return operands[i]; });
}

Type result_type(Op op, std::span<Operation* const> operands) {
  return elementwise_type(op, [&](std::size_t i) -> const Type& { return operands[i]->type; });
}

std::size_t element_stride(const Type& element) {
  const std::size_t alignment = alignment_of(element);
  return (size_of(element) + alignment - 1) / alignment * alignment;
}

}  // namespace phalanx::ir
