#include "phalanx/codegen/cpu/grid_loop_finder.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "phalanx/codegen/grid_position.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

class Finder {
 public:
  explicit Finder(const ir::Function& kernel) : kernel_(kernel), position_(kernel.body) {}

  FoundLoops run() {
    FoundLoops found;
    bool may_wait = false;
    bool must_stay = false;
    ir::for_each(kernel_.body, [&](const Operation& operation) {
      found.has_barrier |= operation.op == Op::barrier;
      may_wait |= is_for_waiting(operation);
      must_stay |= operation.op == Op::return_ || operation.op == Op::dynamic_shared_array;
    });
    // Kernels with barriers are split anyway; others only if all of it can be.
    if (may_wait || (must_stay && !found.has_barrier) || ends_on_what_is_read())
      return {};
    for (const auto& operation : kernel_.body) {
      if (operation->op == Op::loop) {
        if (const auto loop = match(*operation))
          found.loops.push_back(*loop);
      }
      before_.insert(operation.get());
    }
    return found;
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
    std::vector<bool> is_read = {false};
    return leaves_on_read(kernel_.body, is_read);
  }

  // `is_read`: of each loop and block around, the innermost last, whether an `if` between it and
  // the next asks for what was read. A jump passes through those up to the one that it leaves.
  bool leaves_on_read(const Region& region, std::vector<bool>& is_read) const {
    return std::ranges::any_of(region, [&](const auto& operation) {
      if (operation->op == Op::break_ || operation->op == Op::continue_)
        return std::any_of(
            is_read.rbegin(), is_read.rbegin() + operation->index + 1, [](bool each) {
              return each;
            });
      if (operation->op != Op::if_)
        is_read.push_back(false);
      const bool before = is_read.back();
      is_read.back() = before || read_.contains(operation.get());
      const bool found = std::ranges::any_of(operation->regions, [&](const Region& nested) {
        return leaves_on_read(nested, is_read);
      });
      is_read.back() = before;
      if (operation->op != Op::if_)
        is_read.pop_back();
      return found;
    });
  }

  std::optional<GridLoop> match(const Operation& loop) {
    const auto test = ir::test_of_loop(loop);
    if (!test || !leaves_by_test_only(loop) || !is_of_index(test->end->type) ||
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

  static bool is_of_index(const ir::Type& type) {
    return type == ir::Type(DType::int64) || type == ir::Type(DType::uint64) ||
           type == ir::Type(DType::uint32);
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

}  // namespace

FoundLoops find_loops(const ir::Function& kernel) { return Finder(kernel).run(); }

}  // namespace phalanx::codegen::cpu
