// What kernels that fold emit: a state in variables, loops over elements, threads that join.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "phalanx/arrays/kernel_code.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {

// A state in variables of the kernel.
class FoldState {
 public:
  FoldState(ir::Builder& builder, const numpy::Reduction& fold);

  void set(const Values& values);
  Values get() const;
  Value result() const { return fold_->result(*builder_, get()); }
  void set_identity();
  void step(Value element, Value index) { set(fold_->step(*builder_, get(), element, index)); }
  void join(const Values& later) { set(fold_->join(*builder_, get(), later)); }

 private:
  ir::Builder* builder_;
  const numpy::Reduction* fold_;
  std::vector<ir::VariableId> variables_;
};

// The indices first, first + by, ... below end. With `lane`, the thread's number in a block of `by`
// threads, the whole block counts from `first - lane` on: as long as all of its threads have an
// index, loops need no masks on the CPU device.
struct IndexRange {
  Value first = nullptr;
  Value end = nullptr;
  Value by = nullptr;
  Value lane = nullptr;
};

// Emits the body for each index; several times as code.
void emit_range(
    ir::Builder& builder, const IndexRange& range, const std::function<void(Value index)>& body);

// What a kernel computes for an index, at the point where the builder is: first what is loaded for
// it, then the element.
struct ElementAt {
  std::function<KnownValues(Value index)> load;
  std::function<Value(Value index, const KnownValues& loaded)> compute;

  Value operator()(Value index) const { return compute(index, load(index)); }
};

// A state, and the elements that it takes.
struct Fold {
  FoldState state;
  ElementAt element;
};

// Takes the elements into the states, in order. Those of `at_once` indices are loaded before the
// first of them is taken, so that the loads are under way together.
void emit_folds(
    ir::Builder& builder, std::span<Fold> folds, const IndexRange& range, unsigned at_once);

// What another thread of the warp has, as ir::shuffle finds it. All threads of the warp must come
// here. What is shorter than the 32 bits that a shuffle moves is a longer number on its way.
Value of_lane(ir::Builder& builder, ir::Shuffle kind, Value value, Value lane);

// Joins the states of a block's threads, of which there are `threads`, a multiple of a warp's: each
// thread has it all then. All threads of the block must come here.
void join_threads(
    ir::Builder& builder, const numpy::Reduction& fold, FoldState& state, std::uint32_t threads);

}  // namespace phalanx::arrays
