// Forms of code that the analyses look for. What emits a form and what finds it are here together,
// so that the kernels of every front end take the fast paths.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/builder.h"

namespace phalanx::ir {

// A thread's index in the grid, along one dimension: blockIdx * blockDim + threadIdx. In 64 bits,
// as a grid may have more threads than an int32 counts; or as narrow as a caller knows to be
// enough.
PHX_API Builder::Value global_index(
    Builder& builder, unsigned dimension, DType type = DType::int64);
// gridDim * blockDim
PHX_API Builder::Value grid_threads(
    Builder& builder, unsigned dimension, DType type = DType::int64);
// A thread's index in its block, in 64 bits: of a row or a column of a tile in shared memory.
PHX_API Builder::Value thread_index(Builder& builder, unsigned dimension);
// The same in a matrix of which the tile is a part that begins there.
PHX_API Builder::Value index_of_tile(Builder& builder, unsigned dimension, Builder::Value first);

// What indices of arrays are: int64.
PHX_API bool is_index(const Operation& value);
// threadIdx of that dimension, whatever integers of 32 bits or more it is in.
PHX_API bool is_thread_index(const Operation& value, unsigned dimension);
// The same, or its sum with values of which `is_first` holds.
PHX_API bool is_index_of_tile(
    const Operation& value,
    unsigned dimension,
    const std::function<bool(const Operation&)>& is_first);

// How a value is made of the indices of one dimension.
enum class PositionPart : std::uint8_t {
  none,      // not at all, or of whole positions only
  thread,    // threadIdx
  block,     // blockIdx
  extent,    // blockDim
  blocks,    // gridDim
  origin,    // blockIdx * blockDim
  position,  // blockIdx * blockDim + threadIdx: global_index
  threads,   // gridDim * blockDim: grid_threads
};
struct Position {
  PositionPart part = PositionPart::none;
  unsigned dimension = 0;
};
// Of each value of a function, whose operations are added in order.
class PHX_API Positions {
 public:
  Position add(const Operation& operation);
  Position of(const Operation& value) const;

 private:
  Position made_of(const Operation& operation) const;
  Position of_both(
      const Operation& operation, PositionPart one, PositionPart other, PositionPart whole) const;

  std::unordered_map<const Operation*, Position> known_;
};

// The thread with which a thread exchanges, `stride` away: the passes over shared memory of sorting
// networks and Fourier transforms.
PHX_API Builder::Value partner_index(Builder& builder, Builder::Value index, Builder::Value stride);
// True of the operations that make such indices of a thread's index and a stride.
PHX_API bool makes_partner(Op op);

// x // 2^bits (the warp of a thread, the row of an element) and x % 2^bits (its lane, its column):
// the operation, and its second operand. For negative x too: rounding towards minus infinity is
// what a shift does, and what a mask leaves has the divisor's sign.
struct PowerDivision {
  Op op;
  std::int64_t operand;
};
PHX_API PowerDivision quotient_by_power(unsigned bits);
PHX_API PowerDivision remainder_by_power(unsigned bits);
PHX_API Builder::Value divide(Builder& builder, Builder::Value value, PowerDivision by);
// The bits, where it is such a quotient, or such a remainder by more than 1.
PHX_API std::optional<unsigned> bits_of_quotient(PowerDivision division);
PHX_API std::optional<unsigned> bits_of_remainder(PowerDivision division);

// `a and b`, `a or b` where both may be computed.
PHX_API Builder::Value both(Builder& builder, Builder::Value a, Builder::Value b);
PHX_API Builder::Value either(Builder& builder, Builder::Value a, Builder::Value b);
// What a condition's truth says of those that it is made of. Nothing where it is made of none, or
// where it does not say which of them holds.
struct Fact {
  const Operation* condition;
  bool is_true;
};
PHX_API std::vector<Fact> implied_by(const Operation& condition, bool is_true);

// A comparison of integers as index < end, or as its opposite: which operand is which.
struct BelowTest {
  std::size_t index;
  std::size_t end;
  bool is_below;
};
PHX_API std::optional<BelowTest> below_test(Op comparison);

// if index < end { the region }: what a kernel does that has more threads than elements.
PHX_API Region& guard(Builder& builder, Builder::Value index, Builder::Value end);
// if index == number { the region }: what one thread of a block or of a warp does.
PHX_API Region& guard_of_one(Builder& builder, Builder::Value index, Builder::Value number);
// The condition of an `if` that may be either; nullptr if there is an else.
PHX_API const Operation* condition_of_guard(const Operation& branch);
// True if it may be the latter's.
PHX_API bool is_test_of_one(const Operation& condition);

// `counter` goes from `first` in steps up to `end`. The step of a grid-stride loop, whose first is
// global_index, is grid_threads.
struct CountedLoop {
  VariableId counter = 0;
  Builder::Value index = nullptr;  // what the counter is in this pass
  Region* body = nullptr;
  Region* step = nullptr;
};
// The loop, as far as its test; the body goes to loop.body, and step_counted_loop comes last.
PHX_API CountedLoop
begin_counted_loop(Builder& builder, std::string name, Builder::Value first, Builder::Value end);
PHX_API void step_counted_loop(Builder& builder, const CountedLoop& loop, Builder::Value by);
PHX_API void step_counted_loop(Builder& builder, const CountedLoop& loop, std::int64_t by);

// Its parts, for those who make the loop themselves: the counter before it, the test that it goes
// on, which is the condition of an `if` with a break for an else, and the end of the step.
PHX_API VariableId start_counter(Builder& builder, std::string name, Builder::Value first);
PHX_API Builder::Value is_before_end(Builder& builder, Builder::Value index, Builder::Value end);
// The same of a counter that goes down.
PHX_API Builder::Value is_after_end(Builder& builder, Builder::Value index, Builder::Value end);
// The sign of a step that only the run knows. A counter whose step is 0 goes nowhere.
struct StepSign {
  Builder::Value is_up;
  Builder::Value is_down;
};
PHX_API StepSign sign_of_step(Builder& builder, Builder::Value step);
PHX_API Builder::Value has_not_ended(
    Builder& builder, const StepSign& sign, Builder::Value index, Builder::Value end);
// if condition {} else { break }; what is in the `if` is to be entered.
PHX_API Region& leave_unless(Builder& builder, Builder::Value condition);
PHX_API void step_counter(Builder& builder, VariableId counter, Builder::Value by);

// The test of such a loop as the passes leave it, which is the last operation of the body:
//     loop { ... if counter < end { body } else { break } } step { ... }
// The counter is a variable that the loop sets; nothing for loops that go down.
struct LoopTest {
  Operation* branch;
  VariableId counter;
  Operation* end;
};
PHX_API std::optional<LoopTest> test_of_loop(const Operation& loop);
// What `set` adds to the variable that it sets; nullptr if it does anything else.
PHX_API Operation* added_by(const Operation& set);

PHX_API bool is_load(Op op);
// True if the loop, which has none inside, reads shared memory and no other: it goes over what
// threads have put into a tile.
PHX_API bool is_over_tile(const Operation& loop);

}  // namespace phalanx::ir
