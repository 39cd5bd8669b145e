// Arrays as C++ programs use them, and what explain() tells of them.
#include "phalanx/arrays/operations.h"

#include <gtest/gtest.h>

#include <complex>
#include <numeric>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

using Numbers = std::vector<double>;

class OperationsTest : public testing::Test {
 protected:
  // 0, 1, 2, ... as float64
  Array numbers(const Extents& shape) {
    Numbers values(static_cast<std::size_t>(element_count(shape)));
    std::iota(values.begin(), values.end(), 0.0);
    return from_host(in.graph, shape, std::span<const double>(values));
  }

  Harness in;
};

TEST_F(OperationsTest, NumbersTakeThePrecisionOfTheArray) {
  const std::vector<float> floats = {1, 2, 3};
  const Array x = from_host(in.graph, {3}, std::span<const float>(floats));
  EXPECT_EQ((x * 2.5).dtype(), DType::float32);
  EXPECT_EQ((1 + x).dtype(), DType::float32);
  EXPECT_EQ((arange(in.graph, 3) + 1).dtype(), DType::int64);
  EXPECT_EQ((arange(in.graph, 3) / 2).dtype(), DType::float64);
  EXPECT_EQ((x + std::complex<double>(0, 1)).dtype(), DType::complex64);
  EXPECT_EQ((x < 2).dtype(), DType::boolean);
  EXPECT_EQ(to_host<float>(x * 2.5), (std::vector<float>{2.5, 5, 7.5}));
}

TEST_F(OperationsTest, ReductionsAndMeans) {
  const Array x = numbers({2, 3});
  EXPECT_EQ(item<double>(sum(x)), 15);
  EXPECT_EQ(to_host<double>(sum(x, {{0}})), (Numbers{3, 5, 7}));
  EXPECT_EQ(to_host<double>(max(x, {{-1}})), (Numbers{2, 5}));
  EXPECT_EQ(to_host<double>(mean(x, {{1}})), (Numbers{1, 4}));
  EXPECT_EQ(item<double>(mean(arange(in.graph, 4))), 1.5);
  EXPECT_EQ(item<std::int64_t>(reduce(x, "argmax")), 5);
  EXPECT_EQ(item<std::int64_t>(sum(arange(in.graph, 4) < 2)), 2);
}

TEST_F(OperationsTest, ViewsShareElements) {
  const Array x = numbers({3, 4});
  EXPECT_EQ(to_host<double>(slice(x, 1, 1, 4, 2)), (Numbers{1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(to_host<double>(slice(x, 0, -1, 10)), (Numbers{8, 9, 10, 11}));
  EXPECT_EQ(slice(x, 0, 2, 1).size(), 0);
  EXPECT_EQ(transpose(x).shape(), (Extents{4, 3}));
  EXPECT_EQ(expand_dims(x, -1).shape(), (Extents{3, 4, 1}));
  Array corner = slice(slice(transpose(x), 0, 0, 1), 1, 0, 1);
  corner.assign(in.graph.number(DType::float64, 9.0));
  EXPECT_EQ(to_host<double>(x).front(), 9);
  EXPECT_EQ(
      to_host<double>(expand_dims(slice(x, 0, 0, 1), 0) + expand_dims(slice(x, 0, 1, 2), 0)),
      (Numbers{13, 6, 8, 10}));
}

TEST_F(OperationsTest, ChoicesAndConversions) {
  const Array x = numbers({4});
  EXPECT_EQ(to_host<double>(where(x < 2, x, -x)), (Numbers{0, 1, -2, -3}));
  EXPECT_EQ(
      to_host<std::int64_t>(astype(x, DType::int64)), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(to_host<double>(full(in.graph, {2}, DType::float64, 7.0)), (Numbers{7, 7}));
}

TEST_F(OperationsTest, WrongInputIsRefusedWhereItIsWritten) {
  const Array x = numbers({3});
  EXPECT_THROW(x + numbers({4}), ShapeError);
  EXPECT_THROW(sum(x, {{1}}), ValueError);
  EXPECT_THROW(slice(x, 0, 0, 3, 0), ValueError);
  EXPECT_THROW(slice(x, 1, 0, 3), ValueError);
  EXPECT_THROW(to_host<float>(x), TypeError);
  EXPECT_THROW(item<double>(x), ShapeError);
  EXPECT_THROW(call("no such function", {x}), TypeError);
  EXPECT_THROW(call("add", {1, 2}), ValueError);
  EXPECT_THROW(from_host(in.graph, {4}, std::span<const double>(Numbers{1, 2})), ShapeError);
}

TEST_F(OperationsTest, WhatWouldRunIsToldAndStaysRecorded) {
  const Array x = numbers({200, 200});
  const Array y = x + transpose(x) - mean(x, {{0}});
  const auto plan = in.graph.explain(y.value());
  EXPECT_EQ(in.kernels(), 0U);
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[0].code, "sum(a, axis=0)");
  EXPECT_EQ(plan[0].why, Reason::reduction);
  EXPECT_EQ(plan[0].work.bytes_read, 200 * 200 * 8);
  EXPECT_EQ(plan[1].code, "(a + b) - (c / 200)");
  EXPECT_EQ(plan[1].inputs.size(), 2U);  // x and its transpose are one
  EXPECT_EQ(plan[1].inputs[1].kernel, 0U);
  to_host<double>(y);
  const auto ran = in.graph.explain(y.value());
  EXPECT_EQ(in.kernels(), 2U);
  ASSERT_EQ(ran.size(), 2U);
  EXPECT_TRUE(ran[0].has_run && ran[1].has_run);
  EXPECT_EQ(ran[1].inputs[1].kernel, 0U);
}

TEST_F(OperationsTest, ValuesThatAreComputedTogetherAreOneKernel) {
  const Array x = numbers({300, 300});
  const Array shared = exp(x * 0.001);
  const Array a = shared + 1;
  const Array b = shared * 2;
  ASSERT_EQ(in.graph.explain(a.value()).size(), 1U);
  EXPECT_EQ(in.graph.explain(a.value())[0].outputs, 3U);  // `shared` has a name: it is kept too
  to_host<double>(a);
  EXPECT_EQ(in.graph.explain(b.value()).size(), 1U);
  EXPECT_TRUE(in.graph.explain(b.value())[0].has_run);
}

}  // namespace
}  // namespace phalanx::arrays
