#include "phalanx/codegen/grid_position.h"

namespace phalanx::codegen {

using ir::Op;
using ir::Operation;

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
  const Part made = make_part(operation);
  parts_[&operation] = made;
  if (made.kind != PositionPart::none)
    uses_.at(made.dimension) = true;
  for (const Operation* operand : operation.operands) note_use(part_of(*operand), made);
}

// A part must not be seen but on its way into the whole.
void GridPosition::note_use(Part used, Part made) {
  if (made.kind != PositionPart::none)
    return;
  switch (used.kind) {
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

GridPosition::Part GridPosition::part_of(const Operation& operation) const {
  const auto known = parts_.find(&operation);
  return known == parts_.end() ? Part{} : known->second;
}

GridPosition::Part GridPosition::make_part(const Operation& operation) const {
  const auto index = [&](PositionPart kind) {
    return Part{kind, static_cast<unsigned>(operation.index)};
  };
  const auto of_both = [&](PositionPart one, PositionPart other, PositionPart whole) {
    const Part a = part_of(*operation.operands[0]);
    const Part b = part_of(*operation.operands[1]);
    const bool is_pair = (a.kind == one && b.kind == other) || (a.kind == other && b.kind == one);
    return is_pair && a.dimension == b.dimension ? Part{whole, a.dimension} : Part{};
  };
  switch (operation.op) {
    case Op::thread_index:
      return index(PositionPart::thread);
    case Op::block_index:
      return index(PositionPart::block);
    case Op::block_extent:
      return index(PositionPart::extent);
    case Op::grid_extent:
      return index(PositionPart::blocks);
    case Op::cast: {
      const DType to = operation.type.dtype();
      return is_integer(to) && bits_of(to) >= 32 ? part_of(*operation.operands[0]) : Part{};
    }
    case Op::multiply: {
      const Part origin = of_both(PositionPart::block, PositionPart::extent, PositionPart::origin);
      return origin.kind != PositionPart::none
                 ? origin
                 : of_both(PositionPart::blocks, PositionPart::extent, PositionPart::threads);
    }
    case Op::add:
      return of_both(PositionPart::origin, PositionPart::thread, PositionPart::position);
    default:
      return {};
  }
}

}  // namespace phalanx::codegen
