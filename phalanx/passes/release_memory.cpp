// Region-based memory management (Tofte and Talpin, 1997), a region for each iteration: its end
// frees what the iteration allocated and the next does not see.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/builder.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Memory that is resized belongs to its owner, which is freed where it was made.
bool makes_memory(const Operation& operation) {
  return operation.op == Op::allocate && operation.operands.size() == 1;
}

// What is put into a list of arrays or lists outlives the iteration, and no variable points to it.
bool stores_pointer(const Operation& operation) {
  return operation.op == Op::store && operation.operands[1]->type.is_pointer();
}

using Functions = std::set<const Function*>;
using Does = bool (*)(const Operation& operation);

// The functions that do it, or call one that does.
Functions functions_that(const ir::Module& module, Does does) {
  Functions found;
  for (std::size_t before = module.functions.size() + 1; before != found.size();) {
    before = found.size();
    for (const auto& function : module.functions)
      ir::for_each(std::as_const(function->body), [&](const Operation& one) {
        if (does(one) || found.contains(one.callee))
          found.insert(function.get());
      });
  }
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
  Releaser(Function& function, const Functions& making, const Functions& storing)
      : function_(function), making_(making), storing_(storing), builder_(function) {}

  void visit(Region& region) {
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (Region& nested : region[i]->regions) visit(nested);
      Operation& loop = *region[i];
      if (loop.op != Op::loop || !does(loop, makes_memory, making_) ||
          does(loop, stores_pointer, storing_))
        continue;
      release_in(loop, mark_before(region, i));
      ++i;  // the mark is before the loop now
    }
  }

 private:
  // True if the loop does it, or calls one of the functions that do.
  static bool does(const Operation& loop, Does itself, const Functions& functions) {
    bool found = false;
    for (const Region& region : loop.regions)
      ir::for_each(region, [&](const Operation& one) {
        found |= itself(one) || functions.contains(one.callee);
      });
    return found;
  }

  Operation* mark_before(Region& region, std::size_t at) {
    Region made;
    Operation* mark = nullptr;
    {
      const auto inside = builder_.enter(made);
      mark = ir::memory_mark(builder_);
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
  const Functions& making_;
  const Functions& storing_;
  ir::Builder builder_;
};

}  // namespace

void release_memory(ir::Module& module) {
  if (!has_allocation(module))
    return;
  const Functions making = functions_that(module, makes_memory);
  const Functions storing = functions_that(module, stores_pointer);
  for_each_function(module, [&](Function& function) {
    Releaser(function, making, storing).visit(function.body);
  });
}

}  // namespace phalanx::passes
