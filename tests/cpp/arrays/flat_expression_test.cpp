// Which values take the short way, and that it leads to the kernels and the decisions of the other.
#include "phalanx/arrays/flat_expression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "phalanx/arrays/siblings.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

class FlatExpressionTest : public testing::Test {
 protected:
  static std::string key(const NodePtr& node) {
    FlatExpression expression;
    return expression.read(node) ? std::string(expression.key()) : "";
  }
  // x * (x + number)
  NodePtr product(const Array& x, double number) {
    return in.apply("multiply", {x.value(), in.apply("add", {x.value(), in.number(number)})});
  }

  Harness in;
};

TEST_F(FlatExpressionTest, KeysTellProgramsApartAndNotValues) {
  const Array x = in.counted({8});
  const Array y = in.counted({2, 3});
  EXPECT_NE(key(product(x, 1)), "");
  EXPECT_EQ(key(product(x, 1)), key(product(y, 2)));
  const NodePtr sum = in.apply("add", {x.value(), x.value()});
  EXPECT_NE(key(sum), key(in.apply("subtract", {x.value(), x.value()})));
  EXPECT_NE(key(sum), key(in.apply("add", {x.value(), in.counted({8}).value()})));
  EXPECT_NE(key(sum), key(in.apply("add", {x.value(), in.number(1)})));
}

TEST_F(FlatExpressionTest, ArraysOfOneMemoryAreOne) {
  const Array x = in.counted({8});
  const NodePtr again = in.graph.memory(*in.graph.evaluate(x.value()));
  FlatExpression expression;
  const NodePtr sum = in.apply("add", {x.value(), again});
  ASSERT_TRUE(expression.read(sum));
  EXPECT_EQ(expression.arrays().size(), 1U);
  EXPECT_EQ(in.values(sum)[3], 6.0);
}

TEST_F(FlatExpressionTest, OthersAreLeftToTheGeneralWay) {
  const Array x = in.counted({4, 4});
  const Array turned = x.view(
      {4, 4}, {{.dimension = 1, .start = 0, .step = 1}, {.dimension = 0, .start = 0, .step = 1}});
  const NodePtr sum = in.graph.reduce(x.value(), "sum", DType::float64, {true, false});
  for (const NodePtr& other : {turned.value(), in.counted({4}).value(), sum})
    EXPECT_EQ(key(in.apply("add", {x.value(), other})), "");
  const Array large = in.counted({RecentArrays::least_size});
  EXPECT_EQ(key(product(large, 1)), "");
  EXPECT_EQ(key(product(in.counted({1}), 1)), "");
  NodePtr long_chain = x.value();
  for (std::size_t i = 0; i < FlatExpression::most_nodes; ++i)
    long_chain = in.apply("add", {long_chain, x.value()});
  EXPECT_EQ(key(long_chain), "");
  EXPECT_EQ(in.values(long_chain)[1], 33.0);
}

TEST_F(FlatExpressionTest, TheKernelIsThatOfLargeArrays) {
  in.graph.evaluate(product(in.counted({RecentArrays::least_size}), 1));
  const std::vector<double> values = in.values(product(in.counted({3, 5}), 2));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<double>(i);
    EXPECT_EQ(values[i], number * (number + 2));
  }
  EXPECT_EQ(in.graph.kernels().size(), 1U);
  EXPECT_EQ(in.kernels(), 2U);
}

TEST_F(FlatExpressionTest, ArgumentsAreInTheOrderOfTheProgram) {
  const auto value = [&](const Extents& shape, double first, double second) {
    const NodePtr x = in.apply("add", {in.counted(shape).value(), in.number(first)});
    const NodePtr y = in.apply("multiply", {in.counted(shape).value(), in.number(second)});
    for (const NodePtr& each : {x, y}) in.graph.evaluate(each);
    const NodePtr left = in.apply("subtract", {in.number(second), y});
    const NodePtr right = in.apply("divide", {in.apply("add", {y, in.number(first)}), x});
    return in.apply("subtract", {right, in.apply("multiply", {left, x})});
  };
  for (const double first : {1.0, 5.0}) {  // with a kernel that is made, and with a known one
    const std::vector<double> values = in.values(value({2, 3}, first, 7));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = static_cast<double>(i) + first;
      const double y = static_cast<double>(i) * 7;
      EXPECT_EQ(values[i], (y + first) / x - (7 - y) * x);
    }
  }
  EXPECT_NE(key(value({4}, 1, 2)), "");
}

TEST_F(FlatExpressionTest, ExplainTellsTheSameBeforeAndAfter) {
  for (int i = 0; i < 2; ++i) {  // with a kernel that is made, and with a known one
    const NodePtr node = product(in.counted({3, 5}), 2);
    const auto expected = in.graph.explain(node);
    in.graph.evaluate(node);
    const auto ran = in.graph.explain(node);
    ASSERT_EQ(expected.size(), 1U);
    ASSERT_EQ(ran.size(), 1U);
    EXPECT_TRUE(ran[0].has_run);
    EXPECT_EQ(ran[0].code, "a * (a + n0)");
    EXPECT_EQ(ran[0].shape, expected[0].shape);
    EXPECT_EQ(ran[0].work.bytes_read, expected[0].work.bytes_read);
    EXPECT_EQ(ran[0].work.arithmetic, expected[0].work.arithmetic);
    EXPECT_EQ(ran[0].bytes_written, expected[0].bytes_written);
    EXPECT_EQ(ran[0].inputs.size(), 1U);
  }
}

TEST_F(FlatExpressionTest, WhatWasComputedOnTheWayIsKeptTheSecondTime) {
  const Array x = in.counted({8});
  const NodePtr shared = product(x, 1);
  in.graph.evaluate(in.apply("negative", {shared}));
  EXPECT_TRUE(shared->is_pending());
  in.graph.evaluate(in.apply("absolute", {shared}));
  EXPECT_FALSE(shared->is_pending());
  EXPECT_EQ(in.kernels(), 3U);
}

}  // namespace
}  // namespace phalanx::arrays
