// Each form of ir/idioms.h, emitted by it, goes through the passes and is found by every analysis
// that looks for it.
#include "phalanx/ir/idioms.h"

#include <gtest/gtest.h>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/codegen/cpu/forwarded_tiles.h"
#include "phalanx/codegen/cpu/grid_loops.h"
#include "phalanx/codegen/cpu/stride_versions.h"
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
  // out[i] = 1, in a region
  void store_one(Region& region, Value index) {
    const auto scope = builder_.enter(region);
    builder_.array_store(out(), {index}, builder_.constant(DType::float32, 1.0));
  }
  // if i < out.size { out[i] = 1 }, or without the guard
  void store_one(bool is_guarded) {
    Value index = global_index(builder_, 0);
    store_one(
        is_guarded ? guard(builder_, index, builder_.array_shape(out(), 0)) : builder_.region(),
        index);
  }
  // i >= 0 and i < out.size, with another operation that joins the two
  void store_one(Value (*joined)(Builder&, Value, Value)) {
    Value index = builder_.elementwise(Op::subtract, {global_index(builder_, 0), n()});
    Value is_natural = builder_.elementwise(Op::greater_equal, {index, builder_.integer(0)});
    Value is_below = is_before_end(builder_, index, builder_.array_shape(out(), 0));
    store_one(builder_.if_(joined(builder_, is_natural, is_below)).then, index);
  }
  std::string code() const {
    const Target target = {
        .kind = DeviceKind::cpu,
        .cpu = "x86-64-v4",
        .features = {},
        .vector_bits = 512,
        .compute_capability = 0};
    return codegen::cpu::backend.llvm_text(
        module_,
        target,
        {},
        {.lanes = 16, .shape = codegen::BlockShape::one_dimensional},
        /*is_optimized=*/false);
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
  EXPECT_NE(code().find("guard.all:"), std::string::npos);
}

TEST_F(Idioms, WhatOneThreadDoesIsMasked) {
  Value index = global_index(builder_, 0);
  store_one(guard_of_one(builder_, index, n()), index);
  run_passes();
  EXPECT_EQ(code().find("guard.all:"), std::string::npos);
}

TEST_F(Idioms, BothConditionsBoundAnIndex) {
  store_one(both);
  run_passes({Check::bounds});
  EXPECT_EQ(count(Op::checked_element), 0U) << print(module_);
}

TEST_F(Idioms, OneOfTwoConditionsBoundsNothing) {
  store_one(either);
  run_passes({Check::bounds});
  EXPECT_EQ(count(Op::checked_element), 1U) << print(module_);
}

TEST_F(Idioms, ThreadsDividedByAPowerOfTwoHaveShapes) {
  constexpr unsigned bits = 4;
  Value thread = thread_index(builder_, 0);
  Value warp = divide(builder_, thread, quotient_by_power(bits));
  Value lane = divide(builder_, thread, remainder_by_power(bits));
  Value of_three = builder_.elementwise(Op::remainder, {thread, builder_.integer(3)});
  const codegen::cpu::FunctionShapes shapes(
      kernel_,
      {.lanes = 1U << bits, .shape = codegen::BlockShape::one_dimensional},
      {.has_whole_starts = true});
  EXPECT_EQ(shapes.of(*warp, 0).uniformity, codegen::cpu::Uniformity::warp);
  EXPECT_EQ(shapes.of(*lane, 0).uniformity, codegen::cpu::Uniformity::affine);
  EXPECT_EQ(shapes.of(*of_three, 0).uniformity, codegen::cpu::Uniformity::varying);
}

TEST_F(Idioms, DivisionsBecomeQuotientsAndRemaindersByPowers) {
  Value quotient = builder_.elementwise(Op::floor_divide, {n(), builder_.integer(32)});
  Value remainder = builder_.elementwise(Op::remainder, {n(), builder_.integer(32)});
  copy_element(builder_.elementwise(Op::add, {quotient, remainder}));
  run_passes();
  const auto division = [&](Op op) {
    const Operation* found = first(op);
    const bool is_there = found != nullptr && found->operands[1]->op == Op::constant;
    return PowerDivision{
        .op = op, .operand = is_there ? std::get<std::int64_t>(found->operands[1]->constant) : -1};
  };
  EXPECT_EQ(bits_of_quotient(division(Op::right_shift)), 5U) << print(module_);
  EXPECT_EQ(bits_of_remainder(division(Op::bitwise_and)), 5U) << print(module_);
}

// The threads of a block exchange elements, `stride` apart.
TEST_F(Idioms, IndicesOfPartnersHaveCodeForEachStride) {
  Value tile = shared_array(builder_, DType::float32, {64});
  Value thread = thread_index(builder_, 0);
  builder_.array_store(tile, {thread}, builder_.array_load(in(), {thread}));
  barrier(builder_);
  const CountedLoop loop = begin_counted_loop(builder_, "stride", builder_.integer(1), n());
  {
    const auto scope = builder_.enter(*loop.body);
    Value other = builder_.array_load(tile, {partner_index(builder_, thread, loop.index)});
    builder_.array_store(out(), {thread}, other);
    barrier(builder_);
  }
  step_counted_loop(builder_, loop, n());
  run_passes();
  const auto versions = codegen::cpu::make_stride_versions(module_, 4);
  ASSERT_TRUE(versions) << print(module_);
  unsigned branches = 0;
  for_each(std::as_const(*versions->functions[0]).body, [&](const Operation& operation) {
    branches += operation.op == Op::if_ ? 1 : 0;
  });
  EXPECT_EQ(branches, count(Op::if_) + 2) << "strides of 1 and 2";
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
  const auto loops = codegen::cpu::find_grid_loops(module_, false);
  ASSERT_TRUE(loops) << print(module_);
  EXPECT_EQ(loops->loops.size(), 1U);
  EXPECT_EQ(loops->guards.size(), 1U);
  EXPECT_FALSE(codegen::cpu::has_grid_loop_alone(module_));
}

TEST_F(Idioms, BlocksOfWholeWarpsRunAGridStrideLoopTogetherWithoutABarrier) {
  Value start = global_index(builder_, 0);
  Value threads = grid_threads(builder_, 0);
  const CountedLoop loop = begin_counted_loop(builder_, "i", start, n());
  {
    const auto scope = builder_.enter(*loop.body);
    copy_element(loop.index);
  }
  step_counted_loop(builder_, loop, threads);
  run_passes();
  EXPECT_TRUE(codegen::cpu::has_grid_loop_alone(module_)) << print(module_);
  EXPECT_FALSE(codegen::cpu::find_grid_loops(module_, false));
  EXPECT_TRUE(codegen::cpu::find_grid_loops(module_, true));
}

// Indices as C has them: unsigned ones may wrap around, where the loop stays what it was.
TEST_F(Idioms, GridStrideLoopsMayCountUnsigned) {
  for (const DType type : {DType::uint32, DType::uint64}) {
    Module module;
    Function& kernel = add_function(
        module,
        "k",
        FunctionKind::kernel,
        {{"out", Type::pointer(DType::float32, Space::global)}, {"n", type}});
    Builder builder(kernel);
    Value position = builder.cast(global_index(builder, 0), DType::int32);
    position->no_wrap = true;
    Value stride = builder.cast(grid_threads(builder, 0, DType::uint32), type);
    const CountedLoop loop =
        begin_counted_loop(builder, "i", builder.cast(position, type), builder.parameter(1));
    {
      const auto scope = builder.enter(*loop.body);
      Value bytes = builder.elementwise(
          Op::multiply, {builder.cast(loop.index, DType::int64), builder.integer(4)});
      Value pointer =
          builder.pointer_offset(builder.parameter(0), bytes, builder.parameter(0)->type);
      builder.store(pointer, builder.constant(DType::float32, 1.0));
    }
    step_counted_loop(builder, loop, stride);
    verify(module);
    passes::run_standard(module, {});
    const auto loops = codegen::cpu::find_grid_loops(module, true);
    ASSERT_TRUE(loops) << print(module);
    verify(loops->module);
    // With the choice between the loop and what it was.
    EXPECT_EQ(loops->loops.size(), type == DType::uint32 ? 2U : 1U) << print(loops->module);
    EXPECT_EQ(loops->guards.size(), 1U);
  }
}

// Elements through a pointer follow each other along the dimension that counts whole elements.
TEST_F(Idioms, LanesFollowThePointersOfCudaC) {
  for (const unsigned along_row : {0U, 1U}) {
    Module module;
    Function& kernel = add_function(
        module,
        "k",
        FunctionKind::kernel,
        {{"out", Type::pointer(DType::float32, Space::global)}, {"columns", DType::int64}});
    Builder builder(kernel);
    Value column = global_index(builder, along_row);
    Value row = global_index(builder, 1 - along_row);
    Value start = builder.elementwise(Op::multiply, {row, builder.parameter(1)});
    Value element = builder.elementwise(Op::add, {start, column});
    Value bytes = builder.elementwise(Op::multiply, {element, builder.integer(4)});
    Value to = builder.pointer_offset(builder.parameter(0), bytes, builder.parameter(0)->type);
    builder.store(to, builder.constant(DType::float32, 1.0));
    verify(module);
    passes::run_standard(module, {});
    EXPECT_EQ(codegen::find_lane_axis(module, 0b11), along_row) << print(module);
  }
}

TEST_F(Idioms, ArgumentsOfAParallelLoopBeginWhereItsConstantSays) {
  Function& body =
      add_function(module_, "body", FunctionKind::parallel_body, {{"a", DType::int64}});
  Value argument = builder_.integer(7);
  parallel(builder_, body, n(), n(), {argument});
  EXPECT_EQ(kernel_.body.back()->operands.at(first_parallel_argument), argument);
}

// out[y, x] = sum over k of tile[k, x], with the tile copied out of a matrix.
class TileIdioms : public ::testing::Test {
 protected:
  using Value = Builder::Value;
  static constexpr std::int64_t size = 16;
  static constexpr codegen::CpuVariant variant = {
      .lanes = size, .shape = codegen::BlockShape::exact_rows, .block = {size, size, 1}};

  static Type matrix(bool is_writable) {
    return Type::array(DType::float32, 2, Layout::c, Space::global, is_writable);
  }

  void make_kernel(Value first_row) {
    Value tile = shared_array(builder_, DType::float32, {size, size});
    Value y = thread_index(builder_, 1);
    Value x = thread_index(builder_, 0);
    Value column = index_of_tile(builder_, 0, builder_.parameter(2));
    const VariableId sum = builder_.variable("sum", DType::float32);
    builder_.set(sum, builder_.constant(DType::float32, 0.0));
    const CountedLoop tiles =
        begin_counted_loop(builder_, "t", builder_.integer(0), builder_.parameter(2));
    {
      const auto scope = builder_.enter(*tiles.body);
      Value row = index_of_tile(builder_, 1, first_row == nullptr ? tiles.index : first_row);
      Value copied = builder_.array_load(builder_.parameter(0), {row, column});
      builder_.array_store(tile, {y, x}, copied);
      barrier(builder_);
      add_rows(tile, x, sum);
      barrier(builder_);
    }
    step_counted_loop(builder_, tiles, size);
    builder_.array_store(builder_.parameter(1), {y, x}, builder_.get(sum));
    verify(module_);
    passes::run_standard(module_, {});
  }

  void add_rows(Value tile, Value column, VariableId sum) {
    const CountedLoop rows =
        begin_counted_loop(builder_, "k", builder_.integer(0), builder_.integer(size));
    {
      const auto scope = builder_.enter(*rows.body);
      Value element = builder_.array_load(tile, {rows.index, column});
      builder_.set(sum, builder_.elementwise(Op::add, {builder_.get(sum), element}));
    }
    step_counted_loop(builder_, rows, 1);
  }

  Module module_;
  Function& kernel_ = add_function(
      module_,
      "k",
      FunctionKind::kernel,
      {{"x", matrix(false)}, {"out", matrix(true)}, {"n", DType::int64}});
  Builder builder_{kernel_};
};

TEST_F(TileIdioms, TheBlockRunsALoopOverATileAsOne) {
  make_kernel(nullptr);
  const codegen::cpu::FunctionShapes shapes(kernel_, variant, {.has_block = true});
  const auto plan = codegen::cpu::plan_fission(kernel_, shapes, /*interchanges=*/true);
  ASSERT_TRUE(plan) << print(module_);
  ASSERT_EQ(plan->interchanged.size(), 1U) << print(module_);
  EXPECT_TRUE(is_over_tile(**plan->interchanged.begin()));
}

TEST_F(TileIdioms, ATileIsReadWhereItWasCopiedFrom) {
  make_kernel(nullptr);
  const codegen::cpu::FunctionShapes shapes(kernel_, variant, {.has_block = true});
  const auto plan = codegen::cpu::plan_fission(kernel_, shapes, /*interchanges=*/true);
  ASSERT_TRUE(plan) << print(module_);
  const auto tiles = codegen::cpu::find_forwarded_tiles(*plan, shapes, variant);
  ASSERT_EQ(tiles.size(), 1U) << print(module_);
  EXPECT_EQ(tiles[0].tile->op, Op::shared_array);
}

TEST_F(TileIdioms, NotWhereThreadsTakeRowsOfTheirOwn) {
  make_kernel(thread_index(builder_, 0));
  const codegen::cpu::FunctionShapes shapes(kernel_, variant, {.has_block = true});
  const auto plan = codegen::cpu::plan_fission(kernel_, shapes, /*interchanges=*/true);
  ASSERT_TRUE(plan) << print(module_);
  EXPECT_TRUE(codegen::cpu::find_forwarded_tiles(*plan, shapes, variant).empty());
}

}  // namespace
}  // namespace phalanx::ir
