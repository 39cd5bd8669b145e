// Each form of ir/idioms.h, emitted by it, goes through the passes and is found by every analysis
// that looks for it.
#include "phalanx/ir/idioms.h"

#include <gtest/gtest.h>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/codegen/cpu/grid_loops.h"
#include "phalanx/codegen/grid_position.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/passes/pipeline.h"

namespace phalanx::ir {
namespace {

class Idioms : public ::testing::Test {
 protected:
  using Value = Builder::Value;

  static Type floats(bool is_writable) {
    return Type::array(DType::float32, 1, Layout::c, Space::global, is_writable);
  }

  void run_passes(Checks checks = {}) {
    verify(module_);
    passes::run_standard(module_, checks);
  }
  unsigned count(Op op) const {
    unsigned found = 0;
    for_each(std::as_const(kernel_.body), [&](const Operation& operation) {
      found += operation.op == op ? 1 : 0;
    });
    return found;
  }
  const Operation* first(Op op) const {
    const Operation* found = nullptr;
    for_each(std::as_const(kernel_.body), [&](const Operation& operation) {
      if (found == nullptr && operation.op == op)
        found = &operation;
    });
    return found;
  }
  Value in() { return builder_.parameter(0); }
  Value out() { return builder_.parameter(1); }
  Value n() { return builder_.parameter(2); }
  void copy_element(Value index) {
    builder_.array_store(out(), {index}, builder_.array_load(in(), {index}));
  }
  // if i < out.size { out[i] = 1 }, or without the guard
  void store_one(bool is_guarded) {
    Value index = global_index(builder_, 0);
    Region& body =
        is_guarded ? guard(builder_, index, builder_.array_shape(out(), 0)) : builder_.region();
    const auto scope = builder_.enter(body);
    builder_.array_store(out(), {index}, builder_.constant(DType::float32, 1.0));
  }

  Module module_;
  Function& kernel_ = add_function(
      module_,
      "k",
      FunctionKind::kernel,
      {{"x", floats(false)}, {"out", floats(true)}, {"n", DType::int64}});
  Builder builder_{kernel_};
};

TEST_F(Idioms, IndexAndThreadsOfTheGridArePositions) {
  std::array<Value, 3> indices = {};
  std::array<Value, 3> threads = {};
  for (unsigned d = 0; d < 3; ++d) {
    indices.at(d) = global_index(builder_, d);
    threads.at(d) = grid_threads(builder_, d);
  }
  Value mixed = builder_.elementwise(Op::add, {indices[0], threads[1]});
  Positions positions;
  for (const auto& operation : kernel_.body) positions.add(*operation);
  for (unsigned d = 0; d < 3; ++d) {
    EXPECT_EQ(positions.of(*indices.at(d)).part, PositionPart::position);
    EXPECT_EQ(positions.of(*indices.at(d)).dimension, d);
    EXPECT_EQ(positions.of(*threads.at(d)).part, PositionPart::threads);
    EXPECT_EQ(positions.of(*threads.at(d)).dimension, d);
  }
  EXPECT_EQ(positions.of(*mixed).part, PositionPart::none);
}

TEST_F(Idioms, ThreadsOfAGlobalIndexMayRunInAnyBlock) {
  copy_element(global_index(builder_, 1));
  run_passes();
  const codegen::GridPosition position(kernel_.body);
  EXPECT_TRUE(position.is_independent());
  EXPECT_TRUE(position.uses(1));
  EXPECT_TRUE(position.can_divide(1));
  EXPECT_EQ(codegen::find_lane_axis(module_, 0b111), 1U);
}

TEST_F(Idioms, AGuardBoundsItsIndex) {
  store_one(true);
  run_passes({Check::bounds});
  EXPECT_EQ(count(Op::checked_element), 0U) << print(module_);
}

TEST_F(Idioms, WithoutAGuardTheIndexIsChecked) {
  store_one(false);
  run_passes({Check::bounds});
  EXPECT_EQ(count(Op::checked_element), 1U) << print(module_);
}

TEST_F(Idioms, AGuardHasCodeWithoutMasks) {
  store_one(true);
  run_passes();
  const Target target = {
      .kind = DeviceKind::cpu,
      .cpu = "x86-64-v4",
      .features = {},
      .vector_bits = 512,
      .compute_capability = 0};
  const std::string code = codegen::cpu::backend.llvm_text(
      module_,
      target,
      {},
      {.lanes = 16, .shape = codegen::BlockShape::one_dimensional},
      /*is_optimized=*/false);
  EXPECT_NE(code.find("guard.all:"), std::string::npos);
}

TEST_F(Idioms, ACountedLoopHasATestAndAStep) {
  const CountedLoop loop = begin_counted_loop(builder_, "i", builder_.integer(2), n());
  {
    const auto scope = builder_.enter(*loop.body);
    copy_element(loop.index);
  }
  step_counted_loop(builder_, loop, 3);
  run_passes();
  const Operation* found = first(Op::loop);
  ASSERT_NE(found, nullptr);
  const auto test = test_of_loop(*found);
  ASSERT_TRUE(test) << print(module_);
  EXPECT_EQ(test->end, n());
  EXPECT_EQ(test->branch, found->regions[0].back().get());
  const Operation* by = nullptr;
  for (const auto& operation : found->regions[1]) {
    if (operation->op == Op::set && operation->variable == test->counter)
      by = added_by(*operation);
  }
  ASSERT_NE(by, nullptr) << print(module_);
  EXPECT_EQ(by->constant, Constant(std::int64_t{3}));
}

TEST_F(Idioms, ReadsOfARowInACountedLoopAreTrackedAtOnce) {
  Value tile = shared_array(builder_, DType::float32, {16, 16});
  Value row = builder_.cast(thread_query(builder_, Op::thread_index, 1), DType::int64);
  Value column = builder_.cast(thread_query(builder_, Op::thread_index, 0), DType::int64);
  builder_.array_store(tile, {row, column}, builder_.array_load(in(), {column}));
  barrier(builder_);
  const VariableId sum = builder_.variable("sum", DType::float32);
  builder_.set(sum, builder_.constant(DType::float32, 0.0));
  const CountedLoop loop =
      begin_counted_loop(builder_, "k", builder_.integer(0), builder_.integer(16));
  {
    const auto scope = builder_.enter(*loop.body);
    Value element = builder_.array_load(tile, {row, loop.index});
    builder_.set(sum, builder_.elementwise(Op::add, {builder_.get(sum), element}));
  }
  step_counted_loop(builder_, loop, 1);
  builder_.array_store(out(), {column}, builder_.get(sum));
  run_passes({Check::races});
  EXPECT_EQ(count(Op::track_row), 1U) << print(module_);
}

TEST_F(Idioms, BlocksRunAGridStrideLoopTogether) {
  Value start = global_index(builder_, 0);
  Value threads = grid_threads(builder_, 0);
  const CountedLoop loop = begin_counted_loop(builder_, "i", start, n());
  {
    const auto scope = builder_.enter(*loop.body);
    copy_element(loop.index);
  }
  step_counted_loop(builder_, loop, threads);
  barrier(builder_);
  run_passes();
  const auto loops = codegen::cpu::find_grid_loops(module_);
  ASSERT_TRUE(loops) << print(module_);
  EXPECT_EQ(loops->loops.size(), 1U);
  EXPECT_EQ(loops->guards.size(), 1U);
}

TEST_F(Idioms, ArgumentsOfAParallelLoopBeginWhereItsConstantSays) {
  Function& body =
      add_function(module_, "body", FunctionKind::parallel_body, {{"a", DType::int64}});
  Value argument = builder_.integer(7);
  parallel(builder_, body, n(), n(), {argument});
  EXPECT_EQ(kernel_.body.back()->operands.at(first_parallel_argument), argument);
}

}  // namespace
}  // namespace phalanx::ir
