#include <algorithm>
#include <memory>
#include <vector>

#include "phalanx/ir/builder.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

bool allocates(const Operation& loop) {
  bool found = false;
  for (const Region& region : loop.regions)
    ir::for_each(region, [&](const Operation& one) {
      found |= one.op == Op::allocate || one.op == Op::call;
    });
  return found;
}

bool has_allocation(const ir::Module& module) {
  return std::ranges::any_of(
      module.functions, [](const auto& function) { return holds(function->body, Op::allocate); });
}

// The pointers in a value.
void add_pointers(ir::Builder& builder, Operation* value, std::vector<Operation*>& pointers) {
  const ir::Type type = value->type;
  if (type.is_array()) {
    pointers.push_back(builder.array_data(value));
  } else if (type.is_pointer()) {
    pointers.push_back(value);
  } else if (type.is_tuple()) {
    for (std::size_t i = 0; i < type.fields().size(); ++i) {
      const ir::Type& field = type.fields()[i].type;
      if (field.is_array() || field.is_pointer() || field.is_tuple())
        add_pointers(builder, builder.tuple_get(value, i), pointers);
    }
  }
}

class Releaser {
 public:
  explicit Releaser(Function& function) : function_(function), builder_(function) {}

  void visit(Region& region) {
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (Region& nested : region[i]->regions) visit(nested);
      Operation& loop = *region[i];
      if (loop.op != Op::loop || !allocates(loop))
        continue;
      release_in(loop, mark_before(region, i));
      ++i;  // the mark stands before the loop now
    }
  }

 private:
  Operation* mark_before(Region& region, std::size_t at) {
    Region made;
    Operation* mark = nullptr;
    {
      const auto inside = builder_.enter(made);
      mark = builder_.memory_mark();
    }
    splice(region, at, std::move(made));
    return mark;
  }

  // What outlives an iteration is in variables that the loop sets.
  void release_in(Operation& loop, Operation* mark) {
    std::vector<bool> is_set(function_.variables.size());
    for (const Region& region : loop.regions) mark_set(region, is_set);
    const auto inside = builder_.enter(loop.regions[1]);
    std::vector<Operation*> operands = {mark};
    for (std::size_t i = 0; i < is_set.size(); ++i) {
      const ir::Type& type = function_.variables[i].type;
      if (is_set[i] && (type.is_array() || type.is_pointer() || type.is_tuple()))
        add_pointers(builder_, builder_.get(static_cast<ir::VariableId>(i)), operands);
    }
    builder_.append(Op::memory_release, {}, std::move(operands));
  }

  Function& function_;
  ir::Builder builder_;
};

}  // namespace

void release_memory(ir::Module& module) {
  if (!has_allocation(module))
    return;
  for_each_function(module, [](Function& function) { Releaser(function).visit(function.body); });
}

}  // namespace phalanx::passes
