#include "phalanx/codegen/cpu/grid_loops.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "phalanx/codegen/cpu/grid_loop_finder.h"
#include "phalanx/ir/clone.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

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

// True if a warp takes something along from one pass to the next: a variable, or what its block has
// in shared memory.
bool keeps_values(const ir::Function& kernel, const Operation& loop, ir::VariableId counter) {
  std::unordered_set<const Operation*> inside;
  std::unordered_set<ir::VariableId> set;
  bool touches_shared = false;
  for (const Region& region : loop.regions) {
    ir::for_each(region, [&](const Operation& operation) {
      inside.insert(&operation);
      if (operation.op == Op::set && operation.variable != counter)
        set.insert(operation.variable);
      touches_shared |= std::ranges::any_of(operation.operands, [](const Operation* operand) {
        const ir::Type& type = operand->type;
        return (type.is_array() || type.is_pointer()) && type.space() == ir::Space::shared;
      });
    });
  }
  bool keeps = touches_shared;
  ir::for_each(kernel.body, [&](const Operation& operation) {
    const bool is_touch = operation.op == Op::get || operation.op == Op::set;
    keeps |= is_touch && !inside.contains(&operation) && set.contains(operation.variable);
  });
  return keeps;
}

// Lets a loop count the passes of the grid, each thread's index made of the count:
//     loop first = 0, passes * stride, ... below end {
//       loop pass = 0, 1, ... below passes {
//         i = start + (first + pass * stride); if i < end { ... }
// The first thread of the grid, whose position is 0, has no element left in the pass in which no
// thread has one. With a barrier inside, each pass is for all warps, and there is no inner loop; so
// it is where a warp keeps nothing.
//
// All is counted in 64 bits. No thread lives to see 64 bits wrap around. An index of 32 bits does,
// where the end is less than a grid away from 2^32: there the loop stays what it was,
//     if end > 2^32 - stride { loop i = start, ... } else { loop first = 0, ... }
class PassCounter {
 public:
  PassCounter(ir::Function& kernel, const GridLoop& found, const ir::ModuleCopy& copy)
      : kernel_(kernel),
        loop_(*copy.of(*found.loop)),
        guard_(*copy.of(*found.guard)),
        advance_(*copy.of(*found.advance)),
        start_(copy.of(*found.start)),
        end_(copy.of(*found.end)),
        stride_(copy.of(*found.stride)),
        is_nested_(!holds_barrier(guard_) && keeps_values(kernel_, loop_, advance_.variable)) {}

  // Gives the structured operations that all of the grid's threads go through together.
  std::vector<const Operation*> run() {
    const bool may_wrap = end_->type == ir::Type(DType::uint32);
    Region original;
    if (may_wrap)
      original.push_back(ir::OperationCopies().copy(loop_));
    const auto at = std::ranges::find_if(
        kernel_.body, [&](const auto& operation) { return operation.get() == &loop_; });
    std::unique_ptr<Operation> loop = std::move(*at);
    Region result;
    ir::Builder builder(kernel_, result);
    start_ = in_64_bits(builder, start_);
    stride_ = in_64_bits(builder, stride_);
    std::vector<const Operation*> structure = {&loop_};
    if (may_wrap) {
      end_ = builder.cast(end_, index);
      Operation* const room =
          builder.elementwise(Op::subtract, {builder.integer(std::int64_t{1} << 32U), stride_});
      const auto branches = builder.if_(builder.elementwise(Op::less, {room, end_}));
      structure.push_back(result.back().get());
      branches.then = std::move(original);
      const auto inside = builder.enter(branches.otherwise);
      count_passes(builder, std::move(loop));
    } else {
      count_passes(builder, std::move(loop));
    }
    const auto next = kernel_.body.erase(at);
    kernel_.body.insert(
        next, std::make_move_iterator(result.begin()), std::make_move_iterator(result.end()));
    return structure;
  }

 private:
  static constexpr DType index = DType::int64;

  // A position in the grid and the number of its threads are the same number in all types that they
  // come in.
  static Operation* in_64_bits(ir::Builder& builder, Operation* value) {
    for (Operation* at = value; at->op == Op::cast; at = at->operands[0]) {
      if (at->operands[0]->type == ir::Type(index))
        return at->operands[0];
    }
    return builder.cast(value, index);
  }

  // first = 0, and the loop over what is before `end`.
  void count_passes(ir::Builder& builder, std::unique_ptr<Operation> loop) {
    guard_.regions[1].clear();  // the break
    Operation* const reach = builder.elementwise(
        Op::multiply, {stride_, builder.integer(is_nested_ ? passes_at_once : 1)});
    const ir::VariableId first = ir::start_counter(builder, "first", builder.integer(0));
    Region pass = std::move(loop_.regions[0]);
    append(pass, std::move(loop_.regions[1]));
    for (Region& region : loop_.regions) region.clear();
    builder.region().push_back(std::move(loop));
    const auto inside = builder.enter(loop_.regions[0]);
    Operation* const from = builder.get(first);
    ir::leave_unless(builder, is_before_end(builder, from));
    Operation* const next = builder.elementwise(Op::add, {from, reach});
    if (is_nested_)
      append_loop(builder, std::move(pass), from);
    else
      append_pass(builder, std::move(pass), from);
    builder.set(first, next);
  }

  // The passes from `from` on, for one warp: always as many, so that the loop is unrolled.
  void append_loop(ir::Builder& builder, Region pass, Operation* from) {
    Operation* const one = builder.integer(1);
    Operation* const all = builder.integer(passes_at_once);
    const ir::VariableId count = ir::start_counter(builder, "pass", builder.integer(0));
    const auto inside = builder.enter(builder.loop().body);
    Operation* const number = builder.get(count);
    ir::leave_unless(builder, ir::is_before_end(builder, number, all));
    Operation* const offset = builder.elementwise(Op::multiply, {number, stride_});
    append_pass(builder, std::move(pass), builder.elementwise(Op::add, {from, offset}));
    builder.set(count, builder.elementwise(Op::add, {number, one}));
  }

  // With start + `position` for the index.
  void append_pass(ir::Builder& builder, Region pass, Operation* position) {
    wide_ = builder.elementwise(Op::add, {start_, position});
    own_ = builder.cast(wide_, counter_type());
    wide_unsigned_ = builder.cast(wide_, DType::uint64);
    if (counter_type() == DType::uint32)
      guard_.operands[0] = is_before_end(builder, wide_);
    use_index(pass);
    remove_touches(pass);
    append(builder.region(), std::move(pass));
  }

  DType counter_type() const { return kernel_.variables.at(advance_.variable).type.dtype(); }

  // Compared as the kernel does.
  Operation* is_before_end(ir::Builder& builder, Operation* value) {
    return ir::is_before_end(builder, builder.cast(value, end_->type.dtype()), end_);
  }

  void use_index(const Region& region) {
    for (const auto& operation : region) {
      for (Operation*& operand : operation->operands) {
        if (is_counter(*operand))
          operand = own_;
        else if (operand->op == Op::cast && is_counter(*operand->operands[0]))
          operand = widened(operand);
      }
      for (const Region& nested : operation->regions) use_index(nested);
    }
  }

  bool is_counter(const Operation& value) const {
    return &value == own_ || (value.op == Op::get && value.variable == advance_.variable);
  }

  // The index in 64 bits, where that is what the cast makes of it.
  Operation* widened(Operation* cast) const {
    if (cast->type == ir::Type(index))
      return wide_;
    return cast->type == ir::Type(DType::uint64) ? wide_unsigned_ : cast;
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

  static void append(Region& region, Region more) {
    region.insert(
        region.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  ir::Function& kernel_;
  Operation& loop_;
  Operation& guard_;
  const Operation& advance_;
  Operation* start_;
  Operation* end_;
  Operation* stride_;
  bool is_nested_;
  // The index of a pass: counted, of the kernel's own type, and as u64.
  Operation* wide_ = nullptr;
  Operation* own_ = nullptr;
  Operation* wide_unsigned_ = nullptr;
};

}  // namespace

std::optional<GridLoops> find_grid_loops(const ir::Module& source, bool has_whole_warps) {
  if (source.functions.size() != 1 || source.kernel().kind != ir::FunctionKind::kernel)
    return std::nullopt;
  const FoundLoops found = find_loops(source.kernel());
  if (found.loops.empty() || (!found.has_barrier && !has_whole_warps))
    return std::nullopt;
  ir::ModuleCopy copy(source);
  GridLoops result;
  for (const GridLoop& one : found.loops) {
    const auto structure = PassCounter(*copy.module.functions[0], one, copy).run();
    result.loops.insert(structure.begin(), structure.end());
    result.guards.insert(copy.of(*one.guard));
  }
  result.module = std::move(copy.module);
  return result;
}

bool has_grid_loop_alone(const ir::Module& source) {
  if (source.functions.size() != 1 || source.kernel().kind != ir::FunctionKind::kernel)
    return false;
  const FoundLoops found = find_loops(source.kernel());
  return !found.has_barrier && !found.loops.empty();
}

}  // namespace phalanx::codegen::cpu
