#include "phalanx/passes/rewrite.h"

#include <iterator>

namespace phalanx::passes {

void become_constant(ir::Operation& operation, const ir::Constant& value) {
  operation.op = ir::Op::constant;
  operation.constant = value;
  operation.operands.clear();
  operation.index = 0;
}

void splice(ir::Region& into, std::size_t at, ir::Region&& from) {
  into.insert(
      into.begin() + static_cast<std::ptrdiff_t>(at),
      std::make_move_iterator(from.begin()),
      std::make_move_iterator(from.end()));
  from.clear();
}

bool holds(const ir::Region& region, ir::Op op) {
  bool found = false;
  ir::for_each(region, [&](const ir::Operation& operation) { found |= operation.op == op; });
  return found;
}

void mark_set(const ir::Region& region, std::vector<bool>& is_set) {
  ir::for_each(region, [&](const ir::Operation& operation) {
    if (operation.op == ir::Op::set)
      is_set[operation.variable] = true;
  });
}

}  // namespace phalanx::passes
