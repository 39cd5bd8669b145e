// Forms of code that the analyses look for. What emits a form and what finds it are here together,
// so that the kernels of every front end take the fast paths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "phalanx/base/export.h"
#include "phalanx/ir/builder.h"

namespace phalanx::ir {

// A thread's index in the grid, along one dimension: blockIdx * blockDim + threadIdx. In 64 bits,
// as a grid may have more threads than an int32 counts.
PHX_API Builder::Value global_index(Builder& builder, unsigned dimension);
// gridDim * blockDim
PHX_API Builder::Value grid_threads(Builder& builder, unsigned dimension);

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

// if index < end { the region }: what a kernel does that has more threads than elements.
PHX_API Region& guard(Builder& builder, Builder::Value index, Builder::Value end);

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

// The test of such a loop as the passes leave it, which is the last operation of the body:
//     loop { ... if counter < end { body } else { break } } step { ... }
struct LoopTest {
  Operation* branch;
  VariableId counter;
  Operation* end;
};
PHX_API std::optional<LoopTest> test_of_loop(const Operation& loop);
// What `set` adds to the variable that it sets; nullptr if it does anything else.
PHX_API Operation* added_by(const Operation& set);

}  // namespace phalanx::ir
