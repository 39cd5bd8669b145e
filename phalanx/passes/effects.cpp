#include "phalanx/passes/effects.h"

namespace phalanx::passes {

using ir::Op;
using ir::Rule;

bool is_removable(Op op) {
  switch (op) {
    case Op::get:
    case Op::array_load:
    case Op::load:
    case Op::hinted_load:
    case Op::texture_fetch:
    case Op::surface_load:
    case Op::shared_array:
    case Op::local_array:
      return true;
    default:
      return ir::is_pure(op);
  }
}

namespace {

bool is_cheap_elementwise(Op op, DType dtype) {
  if (is_complex(dtype))
    return false;
  switch (ir::info(op).rule) {
    case Rule::arithmetic:
    case Rule::sign:
    case Rule::absolute:
    case Rule::bitwise:
    case Rule::shift:
    case Rule::compare:
    case Rule::logical:
    case Rule::select:
    case Rule::predicate:
      return true;
    default:
      return op == Op::fma;
  }
}

}  // namespace

bool is_cheap(const ir::Operation& operation) {
  if (ir::is_elementwise(operation.op))
    return is_cheap_elementwise(operation.op, operation.operands.back()->type.dtype());
  switch (operation.op) {
    case Op::constant:
    case Op::undefined:
    case Op::cast:
    case Op::bitcast:
    case Op::tuple_get:
    case Op::array_shape:
    case Op::array_stride:
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::lane_index:
      return operation.type.is_scalar();
    default:
      return false;
  }
}

}  // namespace phalanx::passes
