#include "phalanx/codegen/grid_position.h"

namespace phalanx::codegen {

using ir::Op;
using ir::Operation;
using ir::PositionPart;

namespace {

// What threads that may run in any block can do. Not: what the block's threads share, and what
// tells the user where a thread is.
bool is_allowed(Op op) {
  if (ir::is_pure(op))
    return op != Op::lane_index && op != Op::dynamic_shared_array;
  switch (op) {
    case Op::parameter:
    case Op::get:
    case Op::set:
    case Op::array_load:
    case Op::array_store:
    case Op::load:
    case Op::store:
    case Op::local_array:
    case Op::atomic:
    case Op::atomic_cas:
    case Op::fence:
    case Op::hinted_load:
    case Op::hinted_store:
    case Op::if_:
    case Op::loop:
    case Op::block:
    case Op::break_:
    case Op::continue_:
    case Op::return_:
      return true;
    default:
      return false;
  }
}

}  // namespace

GridPosition::GridPosition(const ir::Region& body) {
  ir::for_each(body, [&](const Operation& operation) { visit(operation); });
}

void GridPosition::visit(const Operation& operation) {
  is_independent_ = is_independent_ && is_allowed(operation.op);
  const ir::Position made = parts_.add(operation);
  if (made.part != PositionPart::none)
    uses_.at(made.dimension) = true;
  for (const Operation* operand : operation.operands) note_use(part_of(*operand), made);
}

// A part must not be seen but on its way into the whole.
void GridPosition::note_use(ir::Position used, ir::Position made) {
  if (made.part != PositionPart::none)
    return;
  switch (used.part) {
    case PositionPart::none:
    case PositionPart::position:
    case PositionPart::threads:
      return;
    case PositionPart::extent:
    case PositionPart::blocks:
      sees_extents_.at(used.dimension) = true;
      return;
    case PositionPart::thread:
    case PositionPart::block:
    case PositionPart::origin:
      sees_indices_.at(used.dimension) = true;
  }
}

}  // namespace phalanx::codegen
