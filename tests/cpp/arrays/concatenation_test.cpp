// Concatenations: how many kernels they take, and where those are cut.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/arrays/regions.h"
#include "phalanx/arrays/residency.h"
#include "tests/cpp/arrays/fake_gpu.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

using Numbers = std::vector<double>;

// Along the first dimension.
Array joined(Graph& graph, const std::vector<Array>& arrays) {
  Concatenation made;
  Extents shape = arrays.front().shape();
  shape[0] = 0;
  for (const Array& array : arrays) {
    Extents start(shape.size());
    start[0] = shape[0];
    shape[0] += array.shape()[0];
    made.parts.push_back({array.value(), start});
  }
  NodePtr node = graph.concatenation(
      std::move(made), DType::float64, std::make_shared<const Extents>(std::move(shape)));
  return {graph, std::move(node)};
}

struct ConcatenationTest : testing::Test {
  Harness in;

  std::uint64_t kernels_of(const Array& array) {
    const std::uint64_t before = in.kernels();
    array.evaluate();
    return in.kernels() - before;
  }
};

TEST_F(ConcatenationTest, PartsAreComputedInTheirPlaces) {
  const Array x = in.counted({3});
  const Array both = joined(in.graph, {x + 1.0, x * 2.0, x});
  EXPECT_EQ(kernels_of(both), 3U);
  EXPECT_EQ(in.values(both), (Numbers{1, 2, 3, 0, 2, 4, 0, 1, 2}));
}

TEST_F(ConcatenationTest, WhatIsComputedOfOneTakesAKernelForEachPart) {
  const Array x = in.counted({3});
  const Array value = joined(in.graph, {x + 1.0, x}) * 2.0 + 1.0;
  EXPECT_EQ(in.graph.explain(value.value()).size(), 2U);
  EXPECT_EQ(kernels_of(value), 2U);
  EXPECT_EQ(in.values(value), (Numbers{3, 5, 7, 1, 3, 5}));
}

TEST_F(ConcatenationTest, AnAxisThatIsNotCutTakesOneKernel) {
  const Array x = in.counted({4});
  const Array whole = joined(in.graph, {x, x + 1.0});
  EXPECT_EQ(kernels_of(in.slice(whole, 4, 4) * 2.0), 1U);
}

TEST_F(ConcatenationTest, SmallArraysAreNotCutIntoMorePiecesThanThatSaves) {
  const Array x = in.counted({100});
  const Array whole = joined(in.graph, {x, x});
  Array sum = in.slice(whole, 0, 150);
  for (int i = 1; i < 6; ++i) sum = sum + in.slice(whole, 7 * i, 150);
  EXPECT_EQ(kernels_of(sum), 3U);  // both parts, and the sum
}

TEST_F(ConcatenationTest, LargeArraysAre) {
  const Array x = in.counted({100'000});
  const Array whole = joined(in.graph, {x, x + 1.0});
  const Array sum = in.slice(whole, 0, 150'000) + in.slice(whole, 7, 150'000);
  EXPECT_EQ(kernels_of(sum), 4U);  // `x + 1`, which several views show, and three regions
  const Numbers values = in.values(sum);
  EXPECT_EQ(values[0], 7);
  EXPECT_EQ(values[99'992], 99'992 + 99'999);
  EXPECT_EQ(values[99'993], 99'993 + 1);
  EXPECT_EQ(values[100'000], 1 + 8);
}

TEST_F(ConcatenationTest, ReductionsReadItInMemory) {
  const Array x = in.counted({3});
  EXPECT_EQ(in.values(sum(joined(in.graph, {x, x + 1.0}))), (Numbers{9}));
  const Array all = joined(in.graph, {x, x});
  EXPECT_EQ(in.values(all - sum(all)), (Numbers{-6, -5, -4, -6, -5, -4}));
}

TEST_F(ConcatenationTest, ConcatenationsOfConcatenationsAreWrittenOnce) {
  const Array x = in.counted({2});
  const Array whole = joined(in.graph, {joined(in.graph, {x, x + 1.0}), x});
  EXPECT_EQ(kernels_of(whole), 3U);
  EXPECT_EQ(in.values(whole), (Numbers{0, 1, 1, 2, 0, 1}));
}

// Where regions of a view begin, of a concatenation of 5 and 3 elements.
std::vector<std::int64_t> cuts_of(Harness& in, std::int64_t start, std::int64_t count, int step) {
  const Array whole = joined(in.graph, {in.counted({5}), in.counted({3})});
  const Regions regions = regions_of(*in.slice(whole, start, count, step).value());
  std::vector<std::int64_t> starts;
  for (const Region& region : regions.all.value()) starts.push_back(region.start[0]);
  return starts;
}

TEST_F(ConcatenationTest, CutsAreWhereViewsLeadFromPartToPart) {
  using Starts = std::vector<std::int64_t>;
  EXPECT_EQ(cuts_of(in, 0, 8, 1), (Starts{0, 5}));
  EXPECT_EQ(cuts_of(in, 4, 4, 1), (Starts{0, 1}));
  EXPECT_EQ(cuts_of(in, 5, 3, 1), (Starts{0}));
  EXPECT_EQ(cuts_of(in, 0, 5, 1), (Starts{0}));
  EXPECT_EQ(cuts_of(in, 0, 4, 2), (Starts{0, 3}));
  EXPECT_EQ(cuts_of(in, 1, 4, 2), (Starts{0, 2}));
  EXPECT_EQ(cuts_of(in, 7, 8, -1), (Starts{0, 3}));
  EXPECT_EQ(cuts_of(in, 7, 4, -2), (Starts{0, 2}));
  EXPECT_EQ(cuts_of(in, 6, 4, -2), (Starts{0, 1}));
}

TEST_F(ConcatenationTest, AnEmptySpaceHasNoRegionsAndTooManyAreNone) {
  const Array whole = joined(in.graph, {in.counted({20}), in.counted({20})});
  EXPECT_EQ(regions_of(*in.slice(whole, 0, 0).value()).all->size(), 0U);
  Array sum = in.slice(whole, 0, 20);
  for (std::int64_t i = 1; i < 20; ++i) {
    const auto regions = regions_of(*sum.value()).all;
    EXPECT_EQ(regions.has_value(), i <= 16) << i;
    EXPECT_EQ(regions ? regions->size() : 0, i <= 16 ? i : 0);
    sum = sum + in.slice(whole, i, 20);
  }
}

TEST_F(ConcatenationTest, ExplainTellsAllKernelsThatRan) {
  const Array x = in.counted({4});
  const Array value = joined(in.graph, {x, x + 1.0}) * 2.0;
  value.evaluate();
  const auto check = [&](const NodePtr& node, std::size_t count) {
    const auto records = in.graph.explain(node);
    ASSERT_EQ(records.size(), count);
    EXPECT_EQ(records[0].why, Reason::wanted);
    EXPECT_EQ(records[1].why, Reason::part);
    EXPECT_TRUE(records[0].has_run && records[1].has_run);
  };
  check(value.value(), 2);
  check((value + 1.0).value(), 3);
  const Array whole = joined(in.graph, {x * 2.0, x, x});
  whole.evaluate();
  check(whole.value(), 3);
}

struct ConcatenationGpuTest : FakeGpuTest {};

TEST_F(ConcatenationGpuTest, SpilledPartsComeBack) {
  constexpr std::int64_t count = 1 << 15;
  constexpr std::uint64_t bytes = count * sizeof(double);
  const auto array = [&] {
    return from_host<double>(graph, {count}, std::vector<double>(count, 1.0), &gpu());
  };
  gpu().set_memory_limit(5 * bytes);
  const Array a = array();
  const Array b = array();
  const Array value = joined(graph, {a, b}) * 2.0;
  std::vector<Array> others;
  for (int i = 0; i < 5; ++i) others.push_back(array());
  EXPECT_TRUE(std::holds_alternative<SpilledPtr>(a.value()->made_by));
  value.evaluate();
  EXPECT_TRUE(std::holds_alternative<Memory>(a.value()->made_by));
  EXPECT_EQ(graph.statistics().kernels, 2U);
}

TEST_F(ConcatenationGpuTest, PartsOfSeveralDevicesAreNotRecorded) {
  Concatenation made;
  made.parts.push_back({full(graph, {2}, DType::float64, 1.0, &gpu()).value(), {0}});
  made.parts.push_back({full(graph, {2}, DType::float64, 1.0, &cpu()).value(), {2}});
  EXPECT_EQ(
      graph.concatenation(std::move(made), DType::float64, std::make_shared<const Extents>(1, 4)),
      nullptr);
}

}  // namespace
}  // namespace phalanx::arrays
