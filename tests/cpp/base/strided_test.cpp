#include "phalanx/base/strided.h"

#include <gtest/gtest.h>

#include <vector>

namespace phalanx {
namespace {

TEST(Strided, RangesReachBothWays) {
  const ByteRange range = byte_range(Extents{3, 4}, Extents{-32, 8}, 8);
  EXPECT_EQ(range.low, -64);
  EXPECT_EQ(range.high, 32);
  const ByteRange none = byte_range(Extents{3, 0}, Extents{8, 8}, 8);
  EXPECT_EQ(none.low, none.high);
}

TEST(Strided, LoopsThatGoOnAreOne) {
  const StridedLoops loops{.extents = {2, 3, 4}, .strides = {{96, 32, 8}, {12, 4, 1}}};
  const StridedLoops one = merged(loops);
  EXPECT_EQ(one.extents, Extents({24}));
  EXPECT_EQ(one.strides, (std::vector<Extents>{{8}, {1}}));
}

TEST(Strided, ALoopHasToGoOnInAllArrays) {
  const StridedLoops loops{.extents = {2, 3, 4}, .strides = {{96, 32, 8}, {0, 4, 1}}};
  const StridedLoops two = merged(loops);
  EXPECT_EQ(two.extents, Extents({2, 12}));
  EXPECT_EQ(two.strides, (std::vector<Extents>{{96, 8}, {0, 1}}));
}

TEST(Strided, LoopsWithoutArraysOrElementsStay) {
  EXPECT_TRUE(merged({}).extents.empty());
  const StridedLoops none = merged({.extents = {2, 0}, .strides = {{8, 8}}});
  EXPECT_EQ(element_count(none.extents), 0);
}

TEST(Strided, ItemsOfOneGridAreToldApart) {
  const Extents ten = {10};
  const Extents two_items = {16};
  EXPECT_FALSE(may_share({0, ten, two_items, 8}, {8, ten, two_items, 8}));
  EXPECT_TRUE(may_share({0, ten, two_items, 8}, {16, ten, two_items, 8}));
  EXPECT_TRUE(may_share({0, ten, two_items, 8}, {12, ten, two_items, 8}));  // half an item further
  EXPECT_TRUE(may_share({0, ten, two_items, 8}, {8, ten, Extents{24}, 8}));
  // Steps backwards, and an item that is wider than the step of the other array.
  EXPECT_FALSE(may_share({144, ten, Extents{-16}, 8}, {8, ten, two_items, 8}));
  EXPECT_TRUE(may_share({0, ten, two_items, 16}, {8, ten, two_items, 8}));
}

TEST(Strided, RangesThatDoNotMeetAndNoElementsShareNothing) {
  const Extents ten = {10};
  const Extents step = {8};
  EXPECT_FALSE(may_share({0, ten, step, 8}, {80, ten, step, 8}));
  EXPECT_TRUE(may_share({0, ten, step, 8}, {79, ten, step, 8}));
  EXPECT_FALSE(may_share({0, ten, step, 8}, {8, Extents{0}, step, 8}));
  EXPECT_TRUE(may_share({4, {}, {}, 8}, {8, {}, {}, 8}));
  EXPECT_FALSE(may_share({0, {}, {}, 8}, {8, {}, {}, 8}));
}

TEST(Strided, LongStridesComeFirst) {
  EXPECT_EQ(by_stride(Extents{8, -64, 0, 8}), (std::vector<std::size_t>{1, 0, 3, 2}));
}

}  // namespace
}  // namespace phalanx
