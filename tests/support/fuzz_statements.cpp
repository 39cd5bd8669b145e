// The statements of random kernels.
#include "fuzz_generator.h"

#include <algorithm>
#include <utility>
#include "phalanx/ir/build_threads.h"

namespace phalanx::test {

using ir::Builder;
using ir::Op;
using Value = Builder::Value;

namespace {

constexpr std::int64_t most_rounds = 5;

}  // namespace

void Generator::set_variable() {
  const ir::VariableId variable = random_.pick(variables_);
  const DType dtype = builder_->function().variables[variable].type.dtype();
  if (random_.chance(50))
    remember(builder_->get(variable));
  builder_->set(variable, random_.chance(60) ? expression(dtype) : known(dtype));
  if (random_.chance(30))
    remember(builder_->get(variable));
}

void Generator::inside(ir::Region& region, unsigned depth, unsigned count) {
  const Known before = known_;
  const auto scope = builder_->enter(region);
  statements(count, depth);
  known_ = before;
}

void Generator::branch(unsigned depth) {
  const bool was_uniform = std::exchange(is_uniform_, false);
  const Value condition = truth();
  const Value mask = std::exchange(mask_, nullptr);
  Value others = nullptr;
  if (mask != nullptr && random_.chance(70)) {
    mask_ = ir::vote(*builder_, ir::Vote::ballot, mask, condition);
    const Value rest = builder_->elementwise(Op::invert, {mask_});
    others = builder_->elementwise(Op::bitwise_and, {mask, rest});
  }
  const std::size_t jumps = jumps_.begin();
  const auto branches = builder_->if_(condition);
  inside(branches.then, depth + 1, 1 + static_cast<unsigned>(random_.below(4)));
  mask_ = others;
  if (random_.chance(60))
    inside(branches.otherwise, depth + 1, 1 + static_cast<unsigned>(random_.below(4)));
  mask_ = jumps_.end(jumps, FuzzJumps::nowhere) ? nullptr : mask;
  is_uniform_ = was_uniform;
}

// True if threads went farther than the `inside`th loop or block.
bool FuzzJumps::end(std::size_t before, std::size_t inside) {
  const bool has_left = farthest != nowhere && (inside == nowhere || farthest < inside);
  farthest = std::min(before, has_left ? farthest : nowhere);
  return has_left;
}

// Runs a few rounds, counted by a variable that nothing else sets.
void Generator::loop(unsigned depth) {
  const std::int64_t rounds = 1 + static_cast<std::int64_t>(random_.below(most_rounds));
  const DType dtype = random_.chance(50) ? DType::int32 : DType::int64;
  const bool is_down = random_.chance(30);
  const ir::VariableId counter = builder_->variable("i", dtype);
  builder_->set(counter, builder_->integer(is_down ? rounds - 1 : 0, dtype));
  const Known before = known_;
  // With a jump in the body, threads may part; a barrier in it would not be met by all.
  const bool was_uniform = is_uniform_;
  is_uniform_ = is_uniform_ && random_.chance(40);
  const bool could_leave = std::exchange(may_leave_, may_leave_ || !is_uniform_);
  const Value mask = mask_;
  if (may_leave_)
    mask_ = nullptr;  // each round may have fewer threads
  const std::size_t jumps = jumps_.begin();
  const auto regions = builder_->loop();
  {
    const auto scope = builder_->enter(regions.body);
    const Value position = remember(builder_->get(counter));
    const Value bound = builder_->integer(is_down ? -1 : rounds, dtype);
    const auto branches = builder_->if_(
        is_down ? builder_->elementwise(Op::less, {bound, position})
                : builder_->elementwise(Op::less, {position, bound}));
    {
      const auto leaving = builder_->enter(branches.otherwise);
      builder_->break_();
    }
    jumps_.enclosing.push_back({.is_loop = true, .may_leave = may_leave_});
    statements(2 + static_cast<unsigned>(random_.below(5)), depth + 1);
    jumps_.enclosing.pop_back();
  }
  {
    const auto scope = builder_->enter(regions.step);
    const Value step = builder_->integer(is_down ? -1 : 1, dtype);
    builder_->set(counter, builder_->elementwise(Op::add, {builder_->get(counter), step}));
  }
  known_ = before;
  mask_ = jumps_.end(jumps, jumps_.enclosing.size()) ? nullptr : mask;
  may_leave_ = could_leave;
  is_uniform_ = was_uniform;
}

void Generator::block(unsigned depth) {
  const bool was_uniform = std::exchange(is_uniform_, false);
  const bool could_leave = std::exchange(may_leave_, true);
  const Value mask = mask_;
  const std::size_t jumps = jumps_.begin();
  jumps_.enclosing.push_back({.is_loop = false, .may_leave = true});
  inside(builder_->block(), depth + 1, 2 + static_cast<unsigned>(random_.below(4)));
  jumps_.enclosing.pop_back();
  mask_ = jumps_.end(jumps, jumps_.enclosing.size()) ? nullptr : mask;
  may_leave_ = could_leave;
  is_uniform_ = was_uniform;
}

// Out of a loop or block that no barrier needs.
void Generator::jump() {
  std::size_t leavable = 0;
  while (leavable < jumps_.enclosing.size() &&
         jumps_.enclosing[jumps_.enclosing.size() - 1 - leavable].may_leave)
    ++leavable;
  if (leavable == 0)
    return;
  const std::size_t levels = random_.below(leavable);
  const std::size_t target = jumps_.enclosing.size() - 1 - levels;
  jumps_.farthest = std::min(jumps_.farthest, target);
  const bool is_loop = jumps_.enclosing[target].is_loop;
  if (is_loop && random_.chance(50))
    builder_->continue_(static_cast<std::int64_t>(levels));
  else
    builder_->break_(static_cast<std::int64_t>(levels));
}

// To a wider type, or as a truth where a float might be out of range.
Value Generator::converted(Value value, DType dtype) {
  if (is_floating(value->type.dtype()) && !is_floating(dtype))
    value = builder_->elementwise(Op::less, {value, known(value->type.dtype())});
  return builder_->cast(value, dtype);
}

void Generator::output() {
  const DType dtype = random_.pick(std::array{DType::int64, DType::float64, DType::float32});
  const auto own = static_cast<std::int64_t>(random_.below(elements_per_thread));
  const Value array = arrays_.outputs.at(dtype);
  const Value index = builder_->elementwise(Op::add, {position_, builder_->integer(own)});
  // Several values at once, so that little of what was computed is lost.
  Value value = converted(known(scalar_type()), dtype);
  for (std::size_t i = random_.below(3); i > 0; --i)
    value = builder_->elementwise(Op::add, {value, converted(known(scalar_type()), dtype)});
  if (random_.chance(50))
    value = builder_->elementwise(Op::subtract, {builder_->array_load(array, {index}), value});
  builder_->array_store(array, {index}, value);
}

// Through shared memory: each thread writes its own element and reads another's.
void Generator::exchange() {
  const DType dtype = random_.pick(std::array{DType::int64, DType::float64});
  Value& array = arrays_.shared[dtype];
  if (array == nullptr)
    return;
  ir::barrier(*builder_);
  builder_->array_store(array, {thread_}, known(dtype));
  ir::barrier(*builder_);
  const Value offset = builder_->cast(known(DType::uint16), DType::int64);
  const Value other = builder_->elementwise(
      Op::remainder, {builder_->elementwise(Op::add, {thread_, offset}), threads_in_block_});
  remember(builder_->array_load(array, {other}));
}

void Generator::call() {
  if (callees_.empty())
    return;
  ir::Function& callee = *random_.pick(callees_);
  Builder::Values arguments;
  for (const auto& parameter : callee.parameters)
    arguments.push_back(known(parameter->type.dtype()));
  remember(builder_->call(callee, std::move(arguments)));
}

void Generator::statement(unsigned depth) {
  const std::size_t choice = random_.below(100);
  const bool is_deep = depth >= options_.deepest;
  if (options_.has_block_votes && is_kernel_ && is_uniform_ && random_.chance(10))
    return block_vote(depth);
  if (mask_ != nullptr && random_.chance(20))
    return is_deep || random_.chance(75) ? warp_operation() : warp_loop(depth);
  if (is_kernel_ && options_.has_atomics && random_.chance(8)) {
    const bool may_wait = is_uniform_ && options_.has_barriers;
    return may_wait && random_.chance(40) ? shared_atomic() : atomic();
  }
  if (choice < 30)
    expression(scalar_type());
  else if (choice < 50)
    set_variable();
  else if (choice < 62 && !is_deep)
    branch(depth);
  else if (choice < 69 && !is_deep)
    loop(depth);
  else if (choice < 74 && !is_deep)
    block(depth);
  else if (choice < 80)
    call();
  else if (choice < 86 && is_kernel_ && is_uniform_ && options_.has_barriers)
    exchange();
  else if (is_kernel_)
    output();
  else
    set_variable();
}

void Generator::statements(unsigned count, unsigned depth) {
  for (unsigned i = 0; i < count && budget_ > 0 && !builder_->is_ended(); ++i) {
    --budget_;
    statement(depth);
  }
  if (builder_->is_ended())
    return;
  if (!is_uniform_ && may_leave_ && !jumps_.enclosing.empty() && random_.chance(25)) {
    jump();
  } else if (!is_uniform_ && depth > 0 && may_return() && random_.chance(8)) {
    if (is_kernel_)
      builder_->return_();
    else
      builder_->return_(known(builder_->function().result.dtype()));
  }
}

}  // namespace phalanx::test
