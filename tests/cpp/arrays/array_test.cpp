// Arrays that are assigned to, and those that share their elements.
#include "phalanx/arrays/array.h"

#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

using Numbers = std::vector<double>;

class ArrayTest : public testing::Test {
 protected:
  Harness in;
};

TEST_F(ArrayTest, AnAssignmentReachesEveryArrayThatSharesTheElements) {
  Array x = in.counted({5});
  Array part = in.slice(x, 1, 3);
  Array end = in.slice(part, 2, 1);
  part.assign(in.number(7));
  EXPECT_EQ(in.values(x), (Numbers{0, 7, 7, 7, 4}));
  end.assign(in.number(9));
  EXPECT_EQ(in.values(x), (Numbers{0, 7, 7, 9, 4}));
  x.assign(in.counted({5}).value());
  EXPECT_EQ(in.values(part), (Numbers{1, 2, 3}));
}

TEST_F(ArrayTest, WhatWasRecordedBeforeKeepsItsValue) {
  Array x = in.counted({4});
  Array part = in.slice(x, 0, 2);
  const NodePtr before = in.apply("add", {part.value(), in.number(10)});
  in.slice(x, 1, 2).assign(in.number(-1));
  const NodePtr between = in.apply("add", {in.slice(x, 0, 2).value(), in.number(10)});
  part.assign(in.number(5));
  EXPECT_EQ(in.values(before), (Numbers{10, 11}));
  EXPECT_EQ(in.values(between), (Numbers{10, 9}));
  EXPECT_EQ(in.values(x), (Numbers{5, 5, -1, 3}));
}

TEST_F(ArrayTest, AViewThatWasLookedAtSharesTheElementsStill) {
  const Array x(in.graph, in.apply("add", {in.counted({4}).value(), in.number(1)}));
  Array part = in.slice(x, 1, 2);
  EXPECT_EQ(in.values(part), (Numbers{2, 3}));
  part.assign(in.number(7));
  EXPECT_EQ(in.values(x), (Numbers{1, 7, 7, 4}));
}

TEST_F(ArrayTest, OfWhatNobodyElseHasTheViewAloneIsComputed) {
  const NodePtr counted = in.counted({4}).value();
  const Array part = in.slice(Array(in.graph, in.apply("add", {counted, in.number(1)})), 0, 2, 2);
  EXPECT_EQ(in.values(part), (Numbers{1, 3}));
  EXPECT_EQ(part.evaluate()->strides, Extents{sizeof(double)});
}

TEST_F(ArrayTest, AnElementKeepsItsValue) {
  Array x = in.counted({3});
  const Array element = x.element({{.start = 1}});
  x.assign(in.number(9));
  EXPECT_EQ(in.values(element), Numbers{1});
  EXPECT_TRUE(element.is_number());
  EXPECT_FALSE(element.as_array().is_number());
}

TEST_F(ArrayTest, PartsOfComplexNumbersShareThem) {
  const NodePtr turned = in.graph.number(DType::complex128, std::complex(0.0, 1.0));
  const Array z(in.graph, in.apply("add", {in.counted({3}).value(), turned}));
  Array imaginary = z.part(true);
  EXPECT_EQ(in.values(imaginary), Numbers(3, 1));
  imaginary.assign(in.number(5));
  EXPECT_EQ(in.values(z.part(true)), Numbers(3, 5));
  EXPECT_EQ(in.values(z.part(false)), (Numbers{0, 1, 2}));
}

TEST_F(ArrayTest, RavelCopiesWhatHasGaps) {
  Array x = in.counted({4});
  in.slice(x, 0, 2, 2).ravel().assign(in.number(8));
  in.slice(x, 2, 2).ravel().assign(in.number(9));
  EXPECT_EQ(in.values(x), (Numbers{0, 1, 9, 9}));
}

TEST_F(ArrayTest, AnAssignmentReadsAllBeforeItWrites) {
  Array x = in.counted({6});
  in.slice(x, 1, 5).assign(in.slice(x, 0, 5).value());
  EXPECT_EQ(in.values(x), (Numbers{0, 0, 1, 2, 3, 4}));
  in.slice(x, 0, 6).assign(in.slice(x, 5, 6, -1).value());
  EXPECT_EQ(in.values(x), (Numbers{4, 3, 2, 1, 0, 0}));
  const Array head = in.slice(x, 0, 5);
  in.slice(x, 1, 5).assign(in.apply("add", {head.value(), in.slice(x, 1, 5).value()}));
  EXPECT_EQ(in.values(x), (Numbers{4, 7, 5, 3, 1, 0}));
}

TEST_F(ArrayTest, AnAssignmentOfAChainThatOverlapsIsOneKernelAndACopy) {
  Array x = in.counted({6});
  NodePtr chain = in.apply("add", {in.slice(x, 0, 5).value(), in.number(1)});
  for (int i = 0; i < 5; ++i) chain = in.apply("multiply", {chain, in.number(2)});
  in.slice(x, 1, 5).assign(chain);
  EXPECT_EQ(in.kernels(), 2U);
  EXPECT_EQ(in.values(x), (Numbers{0, 32, 64, 96, 128, 160}));
}

TEST_F(ArrayTest, AnotherShapeSharesTheElements) {
  Array x = in.counted({2, 3});
  Array flat = x.reshape({6});
  flat.assign(in.apply("multiply", {flat.value(), in.number(10)}));
  EXPECT_EQ(in.values(x), (Numbers{0, 10, 20, 30, 40, 50}));
  x.assign(in.number(1));
  EXPECT_EQ(in.values(flat), Numbers(6, 1));
}

TEST_F(ArrayTest, TheShapeOfATransposeIsACopyWhereItsMemoryDoesNotFit) {
  Array x = in.counted({2, 3});
  const Array transposed = x.view(
      {3, 2}, {{.dimension = 1, .start = 0, .step = 1}, {.dimension = 0, .start = 0, .step = 1}});
  Array flat = transposed.reshape({6});
  EXPECT_EQ(in.values(flat), (Numbers{0, 3, 1, 4, 2, 5}));
  flat.assign(in.number(8));
  EXPECT_EQ(in.values(x), (Numbers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(in.values(flat), Numbers(6, 8));
}

TEST_F(ArrayTest, SharedMemoryIsWrittenAtOnce) {
  Numbers outside = {1, 2, 3};
  views::DeviceArray memory = views::foreign_array(
      in.engine.types(),
      jit::current_device(in.engine),
      nullptr,
      {.address = reinterpret_cast<runtime::Address>(outside.data()),
       .element = DType::float64,
       .shape = {3},
       .strides = {8},
       .owner = std::make_shared<int>(0)});
  Array x = Array::of_shared_memory(in.graph, in.graph.memory(std::move(memory)));
  const NodePtr before = in.apply("add", {x.value(), in.number(1)});
  x.assign(in.apply("add", {x.value(), in.number(10)}));
  EXPECT_EQ(outside, (Numbers{11, 12, 13}));
  EXPECT_EQ(in.values(before), (Numbers{2, 3, 4}));
}

TEST_F(ArrayTest, AnArrayByItselfIsAssignedToWithoutAKernel) {
  Array x = in.counted({3});
  x.assign(in.apply("add", {x.value(), in.number(1)}));
  x.assign(in.apply("multiply", {x.value(), in.number(2)}));
  EXPECT_EQ(in.kernels(), 0U);
  EXPECT_EQ(in.values(x), (Numbers{2, 4, 6}));
  EXPECT_EQ(in.kernels(), 1U);
}

TEST_F(ArrayTest, ABroadcastArrayIsNotWrittenTo) {
  Array x = in.counted({3});
  Array wide = x.broadcast({2, 3});
  EXPECT_THROW(wide.assign(in.number(1)), ValueError);
  EXPECT_THROW(x.assign(in.counted({2, 3}).value()), ShapeError);
  EXPECT_EQ(in.values(x), (Numbers{0, 1, 2}));
}

TEST_F(ArrayTest, WhatIsAssignedKeepsItsElements) {
  Array x = in.counted({3});
  Array y = in.array({3}, {5, 6, 7});
  x.assign(y.value());
  in.slice(x, 0, 1).assign(in.number(-1));
  EXPECT_EQ(in.values(y), (Numbers{5, 6, 7}));
  EXPECT_EQ(in.values(x), (Numbers{-1, 6, 7}));
  x.assign(in.slice(y, 0, 3, 0).value());  // one element three times
  in.slice(x, 0, 1).assign(in.number(-1));
  EXPECT_EQ(in.values(x), (Numbers{-1, 5, 5}));
  EXPECT_EQ(in.values(y), (Numbers{5, 6, 7}));
}

TEST_F(ArrayTest, AValueThatIsAKernelOfItsOwnIsAssignedAndViewed) {
  Array x = in.counted({2, 2});
  const Array flat = x.reshape({4});
  EXPECT_EQ(in.values(in.slice(flat, 1, 2)), (Numbers{1, 2}));
  Array target = in.counted({4});
  const Array part = in.slice(target, 0, 2);
  target.assign(in.array({2, 2}, {9, 8, 7, 6}).reshape({4}).value());
  EXPECT_EQ(in.values(part), (Numbers{9, 8}));
}

TEST_F(ArrayTest, AnOpenedArrayIsWrittenToByOthers) {
  Array x = in.counted({3});
  const NodePtr before = in.apply("add", {x.value(), in.number(1)});
  const Memory memory = x.open();
  *static_cast<double*>(memory->host) = 50;
  EXPECT_EQ(in.values(x), (Numbers{50, 1, 2}));
  EXPECT_EQ(in.values(before), (Numbers{1, 2, 3}));
  const Array part = in.slice(x, 0, 2);
  *static_cast<double*>(x.open()->host) = 60;
  EXPECT_EQ(in.values(part), (Numbers{60, 1}));
  EXPECT_THROW(x.broadcast({2, 3}).open(), ValueError);
}

TEST_F(ArrayTest, AShapeWithOtherOnesIsAViewOfWhatIsRecorded) {
  const Array x(in.graph, in.apply("add", {in.counted({3}).value(), in.number(1)}));
  const Array column = x.reshape({3, 1});
  EXPECT_EQ(in.values(in.apply("multiply", {column.value(), in.number(2)})), (Numbers{2, 4, 6}));
  EXPECT_EQ(in.kernels(), 1U);
}

}  // namespace
}  // namespace phalanx::arrays
