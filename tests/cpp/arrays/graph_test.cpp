// What is recorded, what becomes one kernel, and that the kernels compute it.
#include "phalanx/arrays/graph.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program.h"
#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

class GraphTest : public testing::Test {
 protected:
  Harness in;
};

TEST_F(GraphTest, AChainIsOneKernelThatRunsWhenItIsLookedAt) {
  const Array x = in.counted({100});
  NodePtr y = in.apply("add", {x.value(), in.number(1)});
  y = in.apply("multiply", {y, x.value()});
  y = in.apply("subtract", {y, in.number(0.5)});
  EXPECT_EQ(in.kernels(), 0U);
  EXPECT_TRUE(y->is_pending());
  const std::vector<double> values = in.values(y);
  EXPECT_EQ(in.kernels(), 1U);
  EXPECT_FALSE(y->is_pending());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<double>(i);
    EXPECT_EQ(values[i], (number + 1) * number - 0.5);
  }
  in.values(y);
  EXPECT_EQ(in.kernels(), 1U);
}

TEST_F(GraphTest, WhatIsComputedTwiceIsOneStep) {
  const Array x = in.counted({4});
  const NodePtr a = in.apply("add", {x.value(), x.value()});
  const NodePtr b = in.apply("add", {x.value(), x.value()});
  ProgramBuilder builder({4});
  builder.add_result(in.apply("multiply", {a, b}));
  EXPECT_EQ(builder.take().steps.size(), 3U);  // load, add, multiply
}

TEST_F(GraphTest, ShapesAreCheckedWhereTheyMeet) {
  const Array x = in.counted({3, 4});
  const Array y = in.counted({3});
  try {
    in.apply("add", {x.value(), y.value()});
    FAIL() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("(3,4) (3,)"), std::string::npos) << error.what();
  }
}

TEST_F(GraphTest, OperandsAreBroadcast) {
  const Array rows = in.counted({3, 1});
  const Array columns = in.counted({4});
  const std::vector<double> values = in.values(in.apply("add", {rows.value(), columns.value()}));
  ASSERT_EQ(values.size(), 12U);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<double>(i / 4 + i % 4));
}

TEST_F(GraphTest, AMillionRecordedOperationsNeedNoDeepStack) {
  const Array x = in.counted({2});
  NodePtr y = x.value();
  const NodePtr one = in.number(1);
  for (int i = 0; i < 1'000'000; ++i) y = in.apply("add", {y, one});
  EXPECT_EQ(in.values(y), (std::vector<double>{1'000'000, 1'000'001}));
}

TEST_F(GraphTest, ATransposeIsAnOperand) {
  const Array x = in.counted({3, 3});
  const Array transposed = x.view(
      {3, 3}, {{.dimension = 1, .start = 0, .step = 1}, {.dimension = 0, .start = 0, .step = 1}});
  const std::vector<double> values = in.values(in.apply("add", {x.value(), transposed.value()}));
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_EQ(values[i], static_cast<double>(i + i % 3 * 3 + i / 3));
  EXPECT_EQ(in.kernels(), 1U);
}

TEST_F(GraphTest, AMeanInTheMiddleIsOneKernelMore) {
  for (const std::int64_t columns : {5, 20000}) {
    const Array x = in.counted({4, columns});
    const NodePtr sum = in.graph.reduce(x.value(), "sum", DType::float64, {true, false});
    const NodePtr mean = in.apply("divide", {sum, in.number(4)});
    const auto before = in.kernels();
    const std::vector<double> values = in.values(in.apply("subtract", {x.value(), mean}));
    EXPECT_EQ(in.kernels(), before + (columns == 5 ? 1 : 2));  // few are folded on the way
    const auto width = static_cast<double>(columns);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto column = static_cast<double>(i % static_cast<std::size_t>(columns));
      EXPECT_EQ(values[i], static_cast<double>(i) - (column + 1.5 * width));
    }
  }
}

TEST_F(GraphTest, ArraysThatShareAValueAreOneKernel) {
  const Extents shape = {RecentArrays::least_size};
  const Array x = in.counted(shape);
  const NodePtr shared = in.apply("sqrt", {in.apply("add", {x.value(), in.number(1)})});
  const Array a(in.graph, in.apply("multiply", {shared, in.number(2)}));
  const Array b(in.graph, in.apply("subtract", {shared, x.value()}));
  const Array apart(in.graph, in.apply("negative", {x.value()}));
  in.graph.evaluate(a.value());
  EXPECT_EQ(in.kernels(), 1U);
  EXPECT_FALSE(b.value()->is_pending());
  EXPECT_TRUE(apart.value()->is_pending());
  const std::vector<double> values = in.values(b);
  EXPECT_EQ(values[3], 2.0 - 3.0);
  EXPECT_EQ(in.values(a)[8], 6.0);
  EXPECT_EQ(in.kernels(), 1U);
}

TEST_F(GraphTest, PositionsAreComputedInTheKernel) {
  const auto shape = std::make_shared<const Extents>(Extents{3, 4});
  const NodePtr i = in.graph.positions(shape, {.dimension = 0, .start = 10, .step = -2});
  const NodePtr j = in.graph.positions(shape, {.dimension = 1, .start = 0, .step = 1});
  const std::vector<double> values = in.values(in.apply("add", {i, j}));
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_EQ(values[k], 10 - 2 * static_cast<double>(k / 4) + static_cast<double>(k % 4));
}

// Every reduction, over every choice of dimensions, of shapes that take each of the kernels.
TEST_F(GraphTest, WhatIsNowhereComesToADeviceWhenItIsComputed) {
  const auto shape = std::make_shared<const Extents>(Extents{3});
  const NodePtr positions = in.graph.positions(shape, {.start = 5, .step = 2});
  EXPECT_EQ(positions->device, nullptr);
  in.graph.evaluate(positions);
  EXPECT_EQ(positions->device.load(), &in.engine.runtime().cpu());
}

TEST_F(GraphTest, ReductionsOverAnyDimensions) {
  const std::vector<Extents> shapes = {
      {1},
      {7},
      {5000},
      {3, 4},
      {100, 3},
      {3, 100},
      {70, 80},
      {2, 3, 4},
      {5, 1, 40},
      {40, 33, 2},
      {2, 300, 17}};
  for (const Extents& shape : shapes) {
    const Array x = in.counted(shape);
    const std::vector<double> all = in.values(x);
    for (unsigned mask = 0; mask < 1U << shape.size(); ++mask) {
      std::vector<bool> is_reduced;
      Extents kept;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        is_reduced.push_back((mask >> d & 1U) != 0);
        if (!is_reduced.back())
          kept.push_back(shape[d]);
      }
      std::vector<double> sums(static_cast<std::size_t>(element_count(kept)), 0);
      std::vector<double> largest(sums.size(), -1);
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::int64_t rest = static_cast<std::int64_t>(i);
        std::int64_t where = 0;
        std::int64_t unit = 1;
        for (std::size_t d = shape.size(); d-- > 0;) {
          if (!is_reduced[d]) {
            where += rest % shape[d] * unit;
            unit *= shape[d];
          }
          rest /= shape[d];
        }
        sums[static_cast<std::size_t>(where)] += all[i];
        double& most = largest[static_cast<std::size_t>(where)];
        most = std::max(most, all[i]);
      }
      SCOPED_TRACE(to_string(shape) + " over " + std::to_string(mask));
      const auto of = [&](const char* name) {
        return in.values(in.graph.reduce(x.value(), name, DType::float64, is_reduced));
      };
      EXPECT_EQ(of("sum"), sums);
      EXPECT_EQ(of("max"), largest);
    }
  }
}

// What only a reduction reads is part of its kernel, also where more follows the reduction.
TEST_F(GraphTest, AVarianceAlongColumnsIsThreeKernels) {
  const Array x = in.counted({6, 10000});
  const auto sum = [&](const NodePtr& node) {
    return in.graph.reduce(node, "sum", DType::float64, {true, false});
  };
  const NodePtr variance = [&] {
    const NodePtr centered = in.apply("subtract", {x.value(), sum(x.value())});
    return in.apply("sqrt", {sum(in.apply("multiply", {centered, centered}))});
  }();
  const auto before = in.graph.statistics().kernels;
  in.values(variance);
  EXPECT_EQ(in.graph.statistics().kernels, before + 3);
}

TEST_F(GraphTest, RowsAreFoldedInTheKernelThatNeedsTheirSums) {
  const std::int64_t rows = 4096;
  const Array x = in.counted({rows, 40});
  const auto fold = [&](const NodePtr& node, const char* name) {
    return in.graph.view(
        in.graph.reduce(node, name, DType::float64, {false, true}),
        {rows, 1},
        {{.dimension = 0, .start = 0, .step = 1}});
  };
  const NodePtr above = in.apply("subtract", {x.value(), fold(x.value(), "min")});
  const NodePtr share = in.apply("divide", {above, fold(above, "sum")});
  const std::vector<double> values = in.values(share);
  EXPECT_EQ(in.kernels(), 1U);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<double>(i % 40) / 780);
}

TEST_F(GraphTest, NothingHasASumAndNoMaximum) {
  const Array x = in.counted({0, 3});
  EXPECT_EQ(
      in.values(in.graph.reduce(x.value(), "sum", DType::float64, {true, false})),
      std::vector<double>(3, 0));
  EXPECT_THROW(in.graph.reduce(x.value(), "max", DType::float64, {true, false}), ValueError);
}

TEST(NestTest, LoopsThatGoOnAreOne) {
  const Nest one = collapse({.extents = {2, 3, 4}, .strides = {{96, 32, 8}, {48, 16, 4}}});
  EXPECT_EQ(one.extents, (Strides{24}));
  EXPECT_EQ(one.strides, (std::vector<Strides>{{8}, {4}}));
  const Nest two = collapse({.extents = {2, 1, 4}, .strides = {{96, 32, 8}, {0, 0, 8}}});
  EXPECT_EQ(two.extents, (Strides{2, 4}));
  EXPECT_EQ(two.strides, (std::vector<Strides>{{96, 8}, {0, 8}}));
}

}  // namespace
}  // namespace phalanx::arrays
