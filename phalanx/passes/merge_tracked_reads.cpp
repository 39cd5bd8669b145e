// Check mode: coalescing of race checks (BigFoot: Rhodes, Flanagan and Freund, 2017): reads of a
// row of a shared array, in a loop over its elements, are tracked at once.
//
// for k in range(16): total += tile[ty, k] * ...   looks at 16 words one by one; they are one
// vector for a warp that reads the same element.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "phalanx/ir/builder.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::VariableId;

namespace {

constexpr std::int64_t longest_row = 64;

// A loop that counts from 0 to a number, all of its rounds with the same threads, and that writes
// nothing: it makes no difference whether its reads are noted as they come or ahead.
struct CountedLoop {
  VariableId counter = 0;
  std::int64_t rounds = 0;
  Region* body = nullptr;  // runs in each round
};

bool is_constant(const Operation& operation, std::int64_t value) {
  const auto* number = std::get_if<std::int64_t>(&operation.constant);
  return operation.op == Op::constant && number != nullptr && *number == value;
}

bool is_read_of(const Operation& operation, VariableId variable) {
  return operation.op == Op::get && operation.variable == variable;
}

std::optional<CountedLoop> short_loop(const Operation& loop) {
  const auto test = ir::test_of_loop(loop);
  if (!test || test->end->op != Op::constant)
    return std::nullopt;
  const auto* rounds = std::get_if<std::int64_t>(&test->end->constant);
  if (rounds == nullptr || *rounds < 2 || *rounds > longest_row)
    return std::nullopt;
  return CountedLoop{test->counter, *rounds, &test->branch->regions[0]};
}

bool is_harmless(const Operation& operation) {
  switch (operation.op) {
    case Op::get:
    case Op::set:
    case Op::load:
    case Op::array_load:
    case Op::checked_element:
    case Op::report_if:
    case Op::track_access:
    case Op::if_:
      return true;
    default:
      return ir::is_pure(operation.op);
  }
}

bool writes_nothing(const Operation& loop, const Region& body) {
  bool holds = true;
  const auto look = [&](const Operation& operation) { holds = holds && is_harmless(operation); };
  for (const auto& operation : loop.regions[0]) {
    if (operation != loop.regions[0].back())
      look(*operation);
  }
  ir::for_each(body, look);
  ir::for_each(loop.regions[1], look);
  return holds;
}

// The step adds 1 to the counter, which nothing else sets.
bool counts_by_one(const Operation& loop, const CountedLoop& found) {
  const Operation* step = nullptr;
  unsigned sets = 0;
  for (const Region& region : loop.regions) {
    ir::for_each(region, [&](const Operation& operation) {
      if (operation.op == Op::set && operation.variable == found.counter) {
        ++sets;
        step = &operation;
      }
    });
  }
  const bool is_in_step = std::ranges::any_of(
      loop.regions[1], [&](const auto& operation) { return operation.get() == step; });
  if (sets != 1 || !is_in_step)
    return false;
  const Operation* added = ir::added_by(*step);
  return added != nullptr && is_constant(*added, 1);
}

// region[at] is the loop: the counter was set to 0 before it.
bool begins_at_zero(const Region& region, std::size_t at, VariableId counter) {
  for (std::size_t i = at; i-- > 0;) {
    const Operation& operation = *region[i];
    if (operation.op == Op::set && operation.variable == counter)
      return is_constant(*operation.operands[0], 0);
    if (!operation.regions.empty())
      return false;
  }
  return false;
}

std::optional<CountedLoop> counted(const Region& region, std::size_t at) {
  const Operation& loop = *region[at];
  if (loop.op != Op::loop)
    return std::nullopt;
  std::optional<CountedLoop> found = short_loop(loop);
  if (!found || !writes_nothing(loop, *found->body) || !counts_by_one(loop, *found) ||
      !begins_at_zero(region, at, found->counter))
    return std::nullopt;
  return found;
}

class Joiner {
 public:
  explicit Joiner(Function& function) : function_(function) {}

  void walk(Region& region) {
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (Region& nested : region[i]->regions) walk(nested);
      if (const auto loop = counted(region, i))
        i += join(region, i, *loop);
    }
  }

 private:
  // Moves what is of a row before the loop; yields how many operations came there.
  std::size_t join(Region& region, std::size_t at, const CountedLoop& loop) {
    std::unordered_set<const Operation*> inside;
    for (const Region& part : region[at]->regions)
      ir::for_each(part, [&](const Operation& operation) { inside.insert(&operation); });
    Region ahead;
    ir::Builder builder(function_, ahead);
    std::erase_if(*loop.body, [&](auto& tracked) {
      if (!is_of_row(*tracked, loop, inside))
        return false;
      append_row(builder, *tracked, loop.rounds);
      return true;
    });
    const std::size_t count = ahead.size();
    splice(region, at, std::move(ahead));
    return count;
  }

  // A read of tile[..., counter] whose other indices the loop does not change.
  static bool is_of_row(
      const Operation& tracked,
      const CountedLoop& loop,
      const std::unordered_set<const Operation*>& inside) {
    if (tracked.op != Op::track_access || std::get<Report>(tracked.detail).verb != Verb::read)
      return false;
    const Operation& element = *tracked.operands[0];
    if (element.op != Op::array_element || element.operands[0]->op != Op::shared_array ||
        !is_read_of(*element.operands.back(), loop.counter))
      return false;
    return std::all_of(
        element.operands.begin(), element.operands.end() - 1, [&](const Operation* operand) {
          return !inside.contains(operand);
        });
  }

  static void append_row(ir::Builder& builder, const Operation& tracked, std::int64_t count) {
    builder.at(tracked.location);
    std::vector<Operation*> indices(
        tracked.operands[0]->operands.begin() + 1, tracked.operands[0]->operands.end());
    indices.back() = builder.integer(0);
    Operation* first = builder.array_element(tracked.operands[0]->operands[0], indices);
    std::vector<Operation*> operands = {first, builder.integer(count)};
    operands.insert(operands.end(), indices.begin(), indices.end());
    builder.append(Op::track_row, {}, std::move(operands)).detail = tracked.detail;
  }

  Function& function_;
};

}  // namespace

void merge_tracked_reads(ir::Module& module) {
  for_each_function(module, [](Function& function) { Joiner(function).walk(function.body); });
}

}  // namespace phalanx::passes
