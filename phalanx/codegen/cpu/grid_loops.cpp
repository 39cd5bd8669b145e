#include "phalanx/codegen/cpu/grid_loops.h"

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/grid_position.h"
#include "phalanx/ir/clone.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// loop { ... if i < n { ... } else { break } } step { ... }, with i the thread's position in the
// grid at first and a grid farther on in each pass.
struct GridLoop {
  const Operation* loop = nullptr;
  const Operation* guard = nullptr;
  const Operation* start = nullptr;    // the thread's position in the grid
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

  // True if a loop may end on what memory holds: its threads could wait for those of another block.
  bool ends_on_what_is_read() {
    bool has_grown = true;
    while (has_grown) {
      has_grown = false;
      ir::for_each(kernel_.body, [&](const Operation& operation) {
        bool is_read = operation.op == Op::array_load || operation.op == Op::load ||
                       operation.op == Op::surface_load || operation.op == Op::atomic ||
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
    const auto test = ir::test_of_loop(loop);
    if (!test || !leaves_by_test_only(loop) || test->end->type != ir::Type(DType::int64) ||
        !is_known_to_grid(*test->end))
      return std::nullopt;
    const Operation* advance = advance_of(test->counter, loop);
    const Operation* stride = advance == nullptr ? nullptr : stride_of(*advance);
    if (stride == nullptr || !is_last_of_pass(*advance, loop))
      return std::nullopt;
    return GridLoop{
        .loop = &loop,
        .guard = test->branch,
        .start = start_,
        .end = test->end,
        .advance = advance,
        .stride = stride};
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

  // The only jump out of the loop is the one of its test.
  static bool leaves_by_test_only(const Operation& loop) {
    const Operation* leave = loop.regions[0].back()->regions[1].back().get();
    return !jumps(loop.regions[0], 0, leave) && !jumps(loop.regions[1], 0, nullptr);
  }

  static bool jumps(const Region& region, std::int64_t depth, const Operation* allowed) {
    return std::ranges::any_of(region, [&](const auto& operation) {
      if (operation.get() == allowed)
        return false;
      if (operation->op == Op::break_ || operation->op == Op::continue_)
        return operation->index >= depth;
      if (operation->op == Op::return_)
        return true;
      const std::int64_t inner = depth + (operation->op == Op::if_ ? 0 : 1);
      return std::ranges::any_of(
          operation->regions, [&](const Region& nested) { return jumps(nested, inner, allowed); });
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

  // The one operation in the loop that sets the variable, which is the thread's position in the
  // grid before the loop and is not read after it; else null.
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
        position_.part_of(*start).part != ir::PositionPart::position)
      return nullptr;
    dimension_ = position_.part_of(*start).dimension;
    start_ = start;
    return sets[0];
  }

  // What is added to the variable, where that is the number of the grid's threads.
  const Operation* stride_of(const Operation& advance) const {
    const Operation* step = ir::added_by(advance);
    if (step == nullptr || !is_known_to_grid(*step))
      return nullptr;
    const ir::Position made = position_.part_of(*step);
    const bool is_stride = made.part == ir::PositionPart::threads && made.dimension == dimension_;
    return is_stride ? step : nullptr;
  }

  const ir::Function& kernel_;
  GridPosition position_;
  unsigned dimension_ = 0;                       // of the grid, that the loop at hand goes along
  const Operation* start_ = nullptr;             // where a thread begins with it
  std::unordered_set<const Operation*> before_;  // right in the body, before the loop at hand
  std::unordered_set<const Operation*> read_;
  std::unordered_set<ir::VariableId> read_variables_;
};

// How many passes of the grid a warp makes before the next warp makes them: what it keeps from pass
// to pass is loaded and stored once for all of them, and what the warps read still are few runs of
// elements that follow each other. docs/decisions/0030 has the figures.
constexpr std::int64_t passes_at_once = 4;

bool holds_barrier(const Operation& operation) {
  bool found = false;
  for (const Region& nested : operation.regions)
    ir::for_each(nested, [&](const Operation& inner) { found |= inner.op == Op::barrier; });
  return found;
}

// Lets a loop count the passes of the grid, each thread's index made of the count:
//     loop first = 0, passes * stride, ... below end {
//       loop pass = 0, 1, ... below passes {
//         i = start + (first + pass * stride); if i < end { ... }
// The first thread of the grid, whose position is 0, has no element left in the pass in which no
// thread has one. With a barrier inside, each pass is for all warps, and there is no inner loop.
class PassCounter {
 public:
  PassCounter(ir::Function& kernel, const GridLoop& found, const ir::ModuleCopy& copy)
      : kernel_(kernel),
        loop_(*copy.of(*found.loop)),
        guard_(*copy.of(*found.guard)),
        advance_(*copy.of(*found.advance)),
        start_(copy.of(*found.start)),
        end_(copy.of(*found.end)),
        stride_(copy.of(*found.stride)) {}

  void run() {
    guard_.regions[1].clear();  // the break
    const ir::VariableId first = add_variable("first");
    const bool is_nested = !holds_barrier(guard_);
    Operation* const reach = start_counting(first, is_nested ? passes_at_once : 1);
    Region pass = std::move(loop_.regions[0]);
    append(pass, std::move(loop_.regions[1]));
    for (Region& region : loop_.regions) region.clear();
    Region& body = loop_.regions[0];
    Operation* const from = open_loop(body, first, end_);
    Operation* const next = add(body, Op::add, {from, reach});
    if (is_nested)
      append_loop(body, std::move(pass), from);
    else
      append_pass(body, std::move(pass), from);
    body.push_back(set(first, next));
  }

 private:
  // Before the loop: first = 0, and what it grows by.
  Operation* start_counting(ir::VariableId first, std::int64_t passes) {
    Region before;
    Operation* const zero = constant(before, 0);
    before.push_back(set(first, zero));
    Operation* const reach = add(before, Op::multiply, {stride_, constant(before, passes)});
    const auto at = std::ranges::find_if(
        kernel_.body, [&](const auto& operation) { return operation.get() == &loop_; });
    kernel_.body.insert(
        at, std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));
    return reach;
  }

  // The passes from `from` on, for one warp: always as many, so that the loop is unrolled.
  void append_loop(Region& region, Region pass, Operation* from) {
    const ir::VariableId count = add_variable("pass");
    Operation* const one = constant(region, 1);
    Operation* const all = constant(region, passes_at_once);
    region.push_back(set(count, constant(region, 0)));
    Operation* const loop = push(region, ir::make_operation(Op::loop, {}, {}));
    loop->regions.resize(2);
    Region& body = loop->regions[0];
    Operation* const number = open_loop(body, count, all);
    Operation* const offset = add(body, Op::multiply, {number, stride_});
    append_pass(body, std::move(pass), add(body, Op::add, {from, offset}));
    body.push_back(set(count, add(body, Op::add, {number, one})));
  }

  // With start + `position` for the index.
  void append_pass(Region& region, Region pass, Operation* position) {
    use_index(pass, *add(region, Op::add, {start_, position}));
    remove_touches(pass);
    append(region, std::move(pass));
  }

  void use_index(const Region& region, Operation& index) {
    for (const auto& operation : region) {
      for (Operation*& operand : operation->operands) {
        if (operand->op == Op::get && operand->variable == advance_.variable)
          operand = &index;
      }
      for (const Region& nested : operation->regions) use_index(nested, index);
    }
  }

  void remove_touches(Region& region) {
    std::erase_if(region, [&](const auto& operation) {
      return (operation->op == Op::get || operation->op == Op::set) &&
             operation->variable == advance_.variable;
    });
    for (const auto& operation : region) {
      for (Region& nested : operation->regions) remove_touches(nested);
    }
  }

  // The start of a loop that is left where the variable has come to `end`; gives the variable.
  Operation* open_loop(Region& body, ir::VariableId variable, Operation* end) {
    ir::Builder builder(kernel_, body);
    Operation* const value = builder.get(variable);
    ir::leave_unless(builder, ir::is_before_end(builder, value, end));
    return value;
  }

  ir::VariableId add_variable(const char* name) {
    kernel_.variables.push_back({.name = name, .type = index_type});
    return static_cast<ir::VariableId>(kernel_.variables.size() - 1);
  }

  Operation* constant(Region& region, std::int64_t value) {
    Operation* const made = push(region, ir::make_operation(Op::constant, index_type, {}));
    made->constant = value;
    return made;
  }

  Operation* add(Region& region, Op op, std::vector<Operation*> operands) {
    return push(region, ir::make_operation(op, index_type, std::move(operands)));
  }

  static std::unique_ptr<Operation> set(ir::VariableId variable, Operation* value) {
    auto made = ir::make_operation(Op::set, {}, {value});
    made->variable = variable;
    return made;
  }

  static Operation* push(Region& region, std::unique_ptr<Operation> operation) {
    region.push_back(std::move(operation));
    return region.back().get();
  }

  static void append(Region& region, Region more) {
    region.insert(
        region.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  const ir::Type index_type = ir::Type(DType::int64);
  ir::Function& kernel_;
  Operation& loop_;
  Operation& guard_;
  const Operation& advance_;
  Operation* start_;
  Operation* end_;
  Operation* stride_;
};

}  // namespace

std::optional<GridLoops> find_grid_loops(const ir::Module& source) {
  if (source.functions.size() != 1 || source.kernel().kind != ir::FunctionKind::kernel)
    return std::nullopt;
  const std::vector<GridLoop> found = Finder(source.kernel()).run();
  if (found.empty())
    return std::nullopt;
  ir::ModuleCopy copy(source);
  GridLoops result;
  for (const GridLoop& one : found) {
    PassCounter(*copy.module.functions[0], one, copy).run();
    result.loops.insert(copy.of(*one.loop));
    result.guards.insert(copy.of(*one.guard));
  }
  result.module = std::move(copy.module);
  return result;
}

}  // namespace phalanx::codegen::cpu
