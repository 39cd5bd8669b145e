#include "phalanx/passes/rewrite.h"

#include <iterator>

#include "phalanx/ir/builder.h"
#include "phalanx/ir/idioms.h"

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

void append_loop(
    ir::Builder& builder, std::int64_t count, const std::function<void(ir::Operation*)>& body) {
  const ir::VariableId counter = ir::start_counter(builder, "", builder.integer(0));
  const ir::Builder::Loop loop = builder.loop();
  {
    const auto scope = builder.enter(loop.body);
    ir::Operation* position = builder.get(counter);
    ir::Operation* is_before_end = ir::is_before_end(builder, position, builder.integer(count));
    const auto inside = builder.enter(ir::leave_unless(builder, is_before_end));
    body(position);
  }
  const auto step = builder.enter(loop.step);
  ir::step_counter(builder, counter, builder.integer(1));
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
