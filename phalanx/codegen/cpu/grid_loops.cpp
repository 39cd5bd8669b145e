#include "phalanx/codegen/cpu/grid_loops.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/grid_position.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// A copy of a kernel that calls nothing; knows the copy of each operation.
class KernelCopy {
 public:
  explicit KernelCopy(const ir::Module& source) {
    const ir::Function& original = source.kernel();
    auto function = std::make_unique<ir::Function>();
    function->name = original.name;
    function->kind = original.kind;
    function->result = original.result;
    function->returns_status = original.returns_status;
    function->variables = original.variables;
    function->source = original.source;
    for (const auto& parameter : original.parameters)
      function->parameters.push_back(copy(*parameter));
    function->body = copy(original.body);
    module.constants = source.constants;
    module.result = source.result;
    module.sources = source.sources;
    module.functions.push_back(std::move(function));
  }

  Operation* of(const Operation& original) const { return copies_.at(&original); }

  ir::Module module;

 private:
  Region copy(const Region& original) {
    Region result;
    result.reserve(original.size());
    for (const auto& operation : original) result.push_back(copy(*operation));
    return result;
  }

  std::unique_ptr<Operation> copy(const Operation& original) {
    auto result = std::make_unique<Operation>();
    result->op = original.op;
    result->type = original.type;
    for (const Operation* operand : original.operands)
      result->operands.push_back(copies_.at(operand));
    result->location = original.location;
    result->constant = original.constant;
    result->index = original.index;
    result->variable = original.variable;
    result->text = original.text;
    result->shape = original.shape;
    result->name = original.name;
    copies_[&original] = result.get();
    for (const Region& nested : original.regions) result->regions.push_back(copy(nested));
    return result;
  }

  std::unordered_map<const Operation*, Operation*> copies_;
};

// loop { ... if i < n { ... } else { break } } step { ... }, with i the thread's place in the grid
// at first and a grid farther on in each pass.
struct GridLoop {
  const Operation* loop = nullptr;
  const Operation* guard = nullptr;
  const Operation* end = nullptr;      // n
  const Operation* advance = nullptr;  // the only set of i in the loop
  const Operation* stride = nullptr;   // what it adds: the threads of the grid
};

class Finder {
 public:
  explicit Finder(const ir::Function& kernel) : kernel_(kernel), position_(kernel.body) {}

  std::vector<GridLoop> run() {
    bool has_barrier = false;
    bool may_wait = false;
    ir::for_each(kernel_.body, [&](const Operation& operation) {
      has_barrier |= operation.op == Op::barrier;
      may_wait |= is_for_waiting(operation);
    });
    if (!has_barrier || may_wait || ends_on_what_is_read())
      return {};
    std::vector<GridLoop> loops;
    for (const auto& operation : kernel_.body) {
      if (operation->op == Op::loop) {
        if (const auto loop = match(*operation))
          loops.push_back(*loop);
      }
      before_.insert(operation.get());
    }
    return loops;
  }

 private:
  static bool is_for_waiting(const Operation& operation) {
    switch (operation.op) {
      case Op::fence:
      case Op::atomic_cas:
      case Op::hinted_load:
      case Op::call:
      case Op::print:
      case Op::raise:
      case Op::cooperative:
      case Op::grid_barrier:
        return true;
      default:
        return false;
    }
  }

  // Whether a loop may end on what memory holds: its threads could wait for those of another block.
  bool ends_on_what_is_read() {
    bool has_grown = true;
    while (has_grown) {
      has_grown = false;
      ir::for_each(kernel_.body, [&](const Operation& operation) {
        bool is_read = operation.op == Op::array_load || operation.op == Op::load ||
                       operation.op == Op::atomic ||
                       (operation.op == Op::get && read_variables_.contains(operation.variable));
        for (const Operation* operand : operation.operands) is_read |= read_.contains(operand);
        if (is_read && operation.op == Op::set)
          has_grown |= read_variables_.insert(operation.variable).second;
        if (is_read)
          has_grown |= read_.insert(&operation).second;
      });
    }
    return leaves_on_read(kernel_.body, false);
  }

  bool leaves_on_read(const Region& region, bool is_read) const {
    return std::ranges::any_of(region, [&](const auto& operation) {
      if (operation->op == Op::break_ || operation->op == Op::continue_)
        return is_read;
      const bool is_below =
          is_read || (operation->op == Op::if_ && read_.contains(operation.get()));
      return std::ranges::any_of(operation->regions, [&](const Region& nested) {
        return leaves_on_read(nested, is_below);
      });
    });
  }

  std::optional<GridLoop> match(const Operation& loop) {
    const Region& body = loop.regions[0];
    if (body.empty() || body.back()->op != Op::if_ || !leaves_by_guard_only(loop))
      return std::nullopt;
    const Operation& guard = *body.back();
    const Operation& condition = *guard.operands[0];
    if (condition.op != Op::less && condition.op != Op::greater)
      return std::nullopt;
    const bool is_less = condition.op == Op::less;
    const Operation& index = *condition.operands[is_less ? 0 : 1];
    const Operation& end = *condition.operands[is_less ? 1 : 0];
    if (index.op != Op::get || index.type != ir::Type(DType::int64) || end.type != index.type ||
        !is_known_to_grid(end))
      return std::nullopt;
    const Operation* advance = advance_of(index.variable, loop);
    const Operation* stride = advance == nullptr ? nullptr : stride_of(*advance);
    if (stride == nullptr || !is_last_of_pass(*advance, loop))
      return std::nullopt;
    return GridLoop{
        .loop = &loop, .guard = &guard, .end = &end, .advance = advance, .stride = stride};
  }

  // Right in the step, or right in the guard with nothing that reads the variable after it.
  static bool is_last_of_pass(const Operation& advance, const Operation& loop) {
    const auto is_advance = [&](const auto& operation) { return operation.get() == &advance; };
    if (std::ranges::any_of(loop.regions[1], is_advance))
      return true;
    const Region& body = loop.regions[0].back()->regions[0];
    auto at = std::ranges::find_if(body, is_advance);
    if (at == body.end())
      return false;
    bool is_read = false;
    const auto note = [&](const Operation& operation) {
      is_read |= operation.op == Op::get && operation.variable == advance.variable;
    };
    for (; at != body.end(); ++at) {
      note(**at);
      for (const Region& nested : (*at)->regions) ir::for_each(nested, note);
    }
    return !is_read;
  }

  // The only departure out of the loop is the one in its guard's other branch.
  static bool leaves_by_guard_only(const Operation& loop) {
    const Operation& guard = *loop.regions[0].back();
    const Region& otherwise = guard.regions[1];
    return otherwise.size() == 1 && otherwise[0]->op == Op::break_ && otherwise[0]->index == 0 &&
           !departs(loop.regions[0], 0, otherwise[0].get()) &&
           !departs(loop.regions[1], 0, nullptr);
  }

  static bool departs(const Region& region, std::int64_t depth, const Operation* allowed) {
    return std::ranges::any_of(region, [&](const auto& operation) {
      if (operation.get() == allowed)
        return false;
      if (operation->op == Op::break_ || operation->op == Op::continue_)
        return operation->index >= depth;
      if (operation->op == Op::return_)
        return true;
      const std::int64_t inner = depth + (operation->op == Op::if_ ? 0 : 1);
      return std::ranges::any_of(operation->regions, [&](const Region& nested) {
        return departs(nested, inner, allowed);
      });
    });
  }

  // Made of what the launch gives to all threads alike, before the loop.
  bool is_known_to_grid(const Operation& value) const {
    if (value.op == Op::parameter)
      return true;
    if (!before_.contains(&value) || value.op == Op::thread_index || value.op == Op::block_index ||
        !(ir::is_pure(value.op)) || value.op == Op::lane_index)
      return false;
    return std::ranges::all_of(
        value.operands, [&](const Operation* operand) { return is_known_to_grid(*operand); });
  }

  // The one place in the loop that sets the variable, which is the thread's place in the grid
  // before the loop and is not read after it; else null.
  const Operation* advance_of(ir::VariableId variable, const Operation& loop) {
    std::vector<const Operation*> sets;
    std::unordered_set<const Operation*> inside;
    for (const Region& region : loop.regions)
      ir::for_each(region, [&](const Operation& operation) { inside.insert(&operation); });
    bool is_read_outside = false;
    const Operation* start = nullptr;
    ir::for_each(kernel_.body, [&](const Operation& operation) {
      const bool is_inside = inside.contains(&operation);
      if (operation.op == Op::get && operation.variable == variable)
        is_read_outside |= !is_inside;
      if (operation.op != Op::set || operation.variable != variable)
        return;
      if (is_inside)
        sets.push_back(&operation);
      else if (start == nullptr && before_.contains(&operation))
        start = operation.operands[0];
      else
        is_read_outside = true;
    });
    if (is_read_outside || start == nullptr || sets.size() != 1 ||
        position_.part_of(*start).kind != PositionPart::position)
      return nullptr;
    dimension_ = position_.part_of(*start).dimension;
    return sets[0];
  }

  // What is added to the variable, where that is the number of the grid's threads.
  const Operation* stride_of(const Operation& advance) const {
    const Operation& sum = *advance.operands[0];
    if (sum.op != Op::add)
      return nullptr;
    for (const std::size_t i : {0U, 1U}) {
      const Operation& old = *sum.operands[i];
      const Operation& step = *sum.operands[1 - i];
      if (old.op == Op::get && old.variable == advance.variable && is_known_to_grid(step) &&
          position_.part_of(step).kind == PositionPart::threads &&
          position_.part_of(step).dimension == dimension_)
        return &step;
    }
    return nullptr;
  }

  const ir::Function& kernel_;
  GridPosition position_;
  unsigned dimension_ = 0;                       // of the grid, that the loop at hand goes along
  std::unordered_set<const Operation*> before_;  // right in the body, before the loop at hand
  std::unordered_set<const Operation*> read_;
  std::unordered_set<ir::VariableId> read_variables_;
};

std::unique_ptr<Operation> make(Op op, const ir::Type& type, std::vector<Operation*> operands) {
  auto made = std::make_unique<Operation>();
  made->op = op;
  made->type = type;
  made->operands = std::move(operands);
  return made;
}

// The loop ends with the pass in which no thread has an element left: where the first thread of the
// grid, whose place is 0, has none.
void count_passes(ir::Function& kernel, const GridLoop& original, const KernelCopy& copy) {
  Operation& loop = *copy.of(*original.loop);
  Operation& guard = *copy.of(*original.guard);
  Operation* const stride = copy.of(*original.stride);
  const Operation* const advance = copy.of(*original.advance);
  const ir::VariableId index = advance->variable;
  const ir::Type type(DType::int64);
  const auto first = static_cast<ir::VariableId>(kernel.variables.size());
  kernel.variables.push_back({.name = "first", .type = type});
  const auto get = [&](ir::VariableId variable) {
    auto made = make(Op::get, type, {});
    made->variable = variable;
    return made;
  };
  const auto set = [&](ir::VariableId variable, Operation* value) {
    auto made = make(Op::set, {}, {value});
    made->variable = variable;
    return made;
  };
  const auto at = std::ranges::find_if(
      kernel.body, [&](const auto& operation) { return operation.get() == &loop; });
  auto zero = make(Op::constant, type, {});
  zero->constant = std::int64_t{0};
  Region before;
  auto start = set(first, zero.get());
  before.push_back(std::move(zero));
  before.push_back(std::move(start));
  kernel.body.insert(
      at, std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));

  Region test;
  test.push_back(get(first));
  test.push_back(
      make(Op::less, ir::Type(DType::boolean), {test.back().get(), copy.of(*original.end)}));
  auto branch = make(Op::if_, {}, {test.back().get()});
  branch->regions.resize(2);
  branch->regions[1] = std::move(guard.regions[1]);  // the break
  guard.regions[1].clear();
  test.push_back(std::move(branch));
  Region& body = loop.regions[0];
  body.insert(
      body.begin(), std::make_move_iterator(test.begin()), std::make_move_iterator(test.end()));

  // The step belongs to the body, so that each pass goes over the blocks once.
  body.insert(
      body.end(),
      std::make_move_iterator(loop.regions[1].begin()),
      std::make_move_iterator(loop.regions[1].end()));
  loop.regions[1].clear();
  const auto add_stride = [&](ir::VariableId variable) {
    body.push_back(get(variable));
    body.push_back(make(Op::add, type, {body.back().get(), stride}));
    body.push_back(set(variable, body.back().get()));
  };
  add_stride(first);
  // The indices of all threads advance, so that they stay in line; those at the end stay there.
  const auto is_advance = [&](const auto& operation) { return operation.get() == advance; };
  if (std::erase_if(guard.regions[0], is_advance) != 0)
    add_stride(index);
}

}  // namespace

std::optional<GridLoops> find_grid_loops(const ir::Module& source) {
  if (source.functions.size() != 1 || source.kernel().kind != ir::FunctionKind::kernel)
    return std::nullopt;
  const std::vector<GridLoop> found = Finder(source.kernel()).run();
  if (found.empty())
    return std::nullopt;
  KernelCopy copy(source);
  GridLoops result;
  for (const GridLoop& one : found) {
    count_passes(*copy.module.functions[0], one, copy);
    result.loops.insert(copy.of(*one.loop));
    result.guards.insert(copy.of(*one.guard));
  }
  result.module = std::move(copy.module);
  return result;
}

}  // namespace phalanx::codegen::cpu
