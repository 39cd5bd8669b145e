#include "phalanx/ir/typing.h"

#include "phalanx/base/errors.h"

namespace phalanx::ir {

Type result_type(Op op, std::span<Operation* const> operands) {
  PHX_ASSERT(is_elementwise(op));
  switch (info(op).rule) {
    case Rule::compare:
    case Rule::logical:
    case Rule::predicate:
      return DType::boolean;
    case Rule::select:
      return operands[1]->type;
    case Rule::bits:
      return op == Op::reverse_bits ? operands[0]->type : Type(DType::int32);
    default:
      return operands[0]->type;
  }
}

std::size_t element_stride(const Type& element) {
  const std::size_t alignment = alignment_of(element);
  return (size_of(element) + alignment - 1) / alignment * alignment;
}

}  // namespace phalanx::ir
