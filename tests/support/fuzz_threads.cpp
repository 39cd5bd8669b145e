// What the threads of random kernels do together: warp operations and atomics.
#include "fuzz_generator.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::test {

using ir::Builder;
using ir::Op;
using Value = Builder::Value;

namespace {

constexpr std::int64_t warp = 32;

struct Update {
  ir::Atomic kind;
  std::int64_t index;  // of those for atomics: one for what commutes
};
constexpr std::array integer_atomics = {
    Update{ir::Atomic::add, 0},
    Update{ir::Atomic::sub, 0},
    Update{ir::Atomic::bitwise_or, 1},
    Update{ir::Atomic::bitwise_xor, 2},
    Update{ir::Atomic::max, 3},
    Update{ir::Atomic::min, 4}};
constexpr std::array float_atomics = {
    Update{ir::Atomic::add, 0},
    Update{ir::Atomic::sub, 0},
    Update{ir::Atomic::max, 1},
    Update{ir::Atomic::min, 2},
    Update{ir::Atomic::nanmax, 3},
    Update{ir::Atomic::nanmin, 4}};

struct Counter {
  ir::Atomic kind;
  std::int64_t start;
  bool is_for_all_types = true;  // or uint32 only
};
constexpr std::array counters = {
    Counter{ir::Atomic::add, 7},
    Counter{ir::Atomic::sub, 0},
    Counter{ir::Atomic::bitwise_and, -1},
    Counter{ir::Atomic::bitwise_or, 0},
    Counter{ir::Atomic::bitwise_xor, 3},
    Counter{ir::Atomic::max, 0},
    Counter{ir::Atomic::min, 1000},
    Counter{ir::Atomic::inc, 0, false},
    Counter{ir::Atomic::dec, 0, false}};
// Of inc and dec: the same in all threads, so that only their number counts.
constexpr std::int64_t most_counted = 5;

}  // namespace

// All threads of the warp: the last one of a block may have fewer than 32.
void Generator::find_mask() {
  Builder& b = *builder_;
  const Value size = b.integer(warp);
  const Value lane = b.elementwise(Op::remainder, {thread_, size});
  const Value first = b.elementwise(Op::subtract, {thread_, lane});
  const Value left = b.elementwise(Op::subtract, {threads_in_block_, first});
  const Value count = b.elementwise(Op::minimum, {left, size});
  const Value one = b.integer(1);
  const Value bits = b.elementwise(Op::left_shift, {one, count});
  mask_ = b.cast(b.elementwise(Op::subtract, {bits, one}), DType::int32);
}

Value Generator::vote(Value group) {
  using enum ir::Vote;
  constexpr std::array kinds = {all, any, equal, ballot};
  const Value predicate = truth();
  return ir::vote(*builder_, random_.pick(kinds), group, predicate);
}

// Threads that a vote has sent one way are all there.
void Generator::block_vote(unsigned depth) {
  using enum ir::BlockVote;
  constexpr std::array kinds = {count, all, any};
  const ir::BlockVote kind = random_.pick(kinds);
  const Value outcome = remember(ir::block_vote(*builder_, kind, truth()));
  if (kind == count || depth >= options_.deepest || random_.chance(50))
    return;
  const auto branches = builder_->if_(outcome);
  inside(branches.then, depth + 1, 1 + static_cast<unsigned>(random_.below(4)));
  inside(branches.otherwise, depth + 1, 1 + static_cast<unsigned>(random_.below(4)));
}

// What a thread outside of the group would give is left open: the own value is used instead.
Value Generator::shuffle(Value group) {
  using enum ir::Shuffle;
  constexpr std::array modes = {index, up, down, bitwise_xor};
  constexpr std::array types = {
      DType::int32, DType::uint32, DType::int64, DType::float32, DType::float64};
  Builder& b = *builder_;
  const DType dtype = types.at(random_.below(options_.has_floats ? types.size() : 3));
  const Value own = known(dtype);
  const ir::Shuffle mode = random_.pick(modes);
  const Value last = b.integer(warp - 1, DType::int32);
  const Value amount = b.elementwise(Op::bitwise_and, {known(DType::int32), last});
  const Value lane = ir::lane_index(b);
  Value source = amount;
  if (mode != index) {
    const Op op = mode == up ? Op::subtract : mode == down ? Op::add : Op::bitwise_xor;
    source = b.elementwise(op, {lane, amount});
  }
  const Value inside = b.elementwise(Op::bitwise_and, {source, last});
  const Value is_beyond = b.elementwise(Op::not_equal, {inside, source});
  const Value one = b.integer(1, DType::int32);
  const Value bit =
      b.elementwise(Op::bitwise_and, {b.elementwise(Op::right_shift, {group, inside}), one});
  const Value is_named = b.elementwise(Op::equal, {bit, one});
  const Value is_defined = b.elementwise(Op::bitwise_or, {is_beyond, is_named});
  const Value given = ir::shuffle(b, mode, group, own, amount);
  return b.elementwise(Op::select, {is_defined, given, own});
}

void Generator::warp_operation() {
  Builder& b = *builder_;
  Value group = mask_;
  if (random_.chance(30)) {  // two groups in one operation
    const Value one = b.integer(1, DType::int32);
    const Value parity = b.elementwise(Op::bitwise_and, {ir::lane_index(b), one});
    const Value is_odd = b.elementwise(Op::equal, {parity, one});
    const Value odd = b.integer(static_cast<std::int32_t>(0xaaaaaaaa), DType::int32);
    const Value even = b.integer(0x55555555, DType::int32);
    const Value own = b.elementwise(Op::select, {is_odd, odd, even});
    group = b.elementwise(Op::bitwise_and, {group, own});
  }
  const std::size_t choice = random_.below(10);
  if (choice < 4) {
    remember(vote(group));
  } else if (choice < 7) {
    remember(shuffle(group));
  } else if (choice < 9) {
    constexpr std::array types = {DType::int32, DType::uint32, DType::int64};
    const ir::Match kind = random_.chance(60) ? ir::Match::any : ir::Match::all;
    remember(ir::match(b, kind, group, known(random_.pick(types))));
  } else {
    ir::warp_barrier(b, group);
  }
}

// Each thread goes round as often as a value of its own says; those that are left know each other.
void Generator::warp_loop(unsigned depth) {
  constexpr std::int64_t rounds = 5;
  Builder& b = *builder_;
  const Value mask = mask_;
  const Value bound =
      b.elementwise(Op::remainder, {known(DType::int32), b.integer(rounds, DType::int32)});
  const ir::VariableId counter = b.variable("i", DType::int32);
  const ir::VariableId left = b.variable("left", DType::int32);
  b.set(counter, b.integer(0, DType::int32));
  b.set(left, mask);
  const Known before = known_;
  const bool was_uniform = std::exchange(is_uniform_, false);
  const bool could_leave = std::exchange(may_leave_, false);
  const std::size_t jumps = jumps_.begin();
  const auto regions = b.loop();
  {
    const auto scope = b.enter(regions.body);
    const Value position = remember(b.get(counter));
    const Value goes_on = b.elementwise(Op::less, {position, bound});
    mask_ = ir::vote(b, ir::Vote::ballot, b.get(left), goes_on);
    const auto branches = b.if_(goes_on);
    {
      const auto leaving = b.enter(branches.otherwise);
      b.break_();
    }
    b.set(left, mask_);
    jumps_.enclosing.push_back({.is_loop = true, .may_leave = false});
    statements(2 + static_cast<unsigned>(random_.below(4)), depth + 1);
    jumps_.enclosing.pop_back();
  }
  {
    const auto scope = b.enter(regions.step);
    const Value one = b.integer(1, DType::int32);
    b.set(counter, b.elementwise(Op::add, {b.get(counter), one}));
  }
  known_ = before;
  mask_ = jumps_.end(jumps, jumps_.enclosing.size()) ? nullptr : mask;
  may_leave_ = could_leave;
  is_uniform_ = was_uniform;
}

// On an element of all threads, or of all those of the block, wherever a thread is: between
// barriers too, and first in a loop. Floats are small whole numbers, whose sums are exact.
void Generator::atomic() {
  Builder& b = *builder_;
  constexpr std::int64_t most = 1000;
  constexpr std::array types = {DType::int64, DType::float64, DType::float32};
  const DType dtype = types.at(random_.below(options_.has_floats ? types.size() : 1));
  const Update one =
      is_floating(dtype) ? random_.pick(float_atomics) : random_.pick(integer_atomics);
  const Value array = options_.has_barriers && random_.chance(50) ? arrays_.piles.at(dtype)
                                                                  : arrays_.outputs.at(dtype);
  const Value after = b.integer(static_cast<std::int64_t>(atomic_elements) - one.index);
  const Value index = b.elementwise(Op::subtract, {b.array_shape(array, 0), after});
  Value value = known(is_floating(dtype) ? DType::int32 : dtype);
  if (is_floating(dtype))
    value = b.cast(b.elementwise(Op::remainder, {value, b.integer(most, DType::int32)}), dtype);
  ir::atomic(b, one.kind, b.array_element(array, {index}), value);
}

void Generator::clear_piles() {
  Builder& b = *builder_;
  const auto branches = b.if_(b.elementwise(Op::equal, {thread_, b.integer(0)}));
  {
    const auto scope = b.enter(branches.then);
    for (const auto& [dtype, pile] : arrays_.piles) {
      for (std::size_t i = 0; i < atomic_elements; ++i)
        b.array_store(pile, {b.integer(static_cast<std::int64_t>(i))}, b.cast(b.integer(0), dtype));
    }
  }
  ir::barrier(b);
}

// What all threads of the block put there is part of each one's result.
void Generator::read_piles() {
  Builder& b = *builder_;
  ir::barrier(b);
  const Value index = b.elementwise(Op::add, {position_, b.integer(elements_per_thread - 1)});
  for (const auto& [dtype, pile] : arrays_.piles) {
    Value sum = b.array_load(pile, {b.integer(0)});
    for (std::size_t i = 1; i < atomic_elements; ++i)
      sum = b.elementwise(
          Op::add, {sum, b.array_load(pile, {b.integer(static_cast<std::int64_t>(i))})});
    b.array_store(arrays_.outputs.at(dtype), {index}, sum);
  }
}

// Counted in shared memory by the threads of the block that have a true value.
void Generator::shared_atomic() {
  Builder& b = *builder_;
  const Counter one = random_.pick(counters);
  const DType dtype = !one.is_for_all_types || random_.chance(50) ? DType::uint32 : DType::int64;
  const Value pointer = b.array_element(arrays_.counters.at(dtype), {b.integer(0)});
  const Value is_first = b.elementwise(Op::equal, {thread_, b.integer(0)});
  const Value start = b.integer(one.start, dtype);
  const Value value = one.is_for_all_types ? known(dtype) : b.integer(most_counted, dtype);
  const Value takes_part = truth();
  ir::barrier(b);
  {
    const auto branches = b.if_(is_first);
    const auto scope = b.enter(branches.then);
    b.store(pointer, start);
  }
  ir::barrier(b);
  {
    const auto branches = b.if_(takes_part);
    const auto scope = b.enter(branches.then);
    ir::atomic(b, one.kind, pointer, value);
  }
  ir::barrier(b);
  remember(b.load(pointer));
}

}  // namespace phalanx::test
