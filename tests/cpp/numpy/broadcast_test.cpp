#include "phalanx/numpy/broadcast.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace phalanx::numpy {
namespace {

using Shapes = std::vector<Extents>;
using Order = std::vector<std::size_t>;

TEST(Broadcast, AlignsShapesAtTheirEnds) {
  EXPECT_EQ(broadcast(Shapes{{3, 1}, {4}}), Extents({3, 4}));
  EXPECT_EQ(broadcast(Shapes{{2, 1, 5}, {7, 1}, {}}), Extents({2, 7, 5}));
  EXPECT_EQ(broadcast(Shapes{{0}, {1}}), Extents({0}));
  EXPECT_EQ(broadcast(Shapes{{1}, {3, 0}}), Extents({3, 0}));
  EXPECT_EQ(broadcast(Shapes{}), Extents());
}

TEST(Broadcast, RefusalsNameAllShapes) {
  const Shapes shapes = {{2, 3}, {4}, {}};
  try {
    broadcast(shapes);
    FAIL() << "2 x 3 does not meet 4";
  } catch (const BroadcastError& error) {
    EXPECT_EQ(error.shapes(), shapes);
    EXPECT_EQ(
        std::string(error.what()),
        "operands could not be broadcast together with shapes (2,3) (4,) () ");
  }
  EXPECT_THROW(broadcast(Shapes{{0}, {2}}), ShapeError);
}

TEST(Broadcast, StretchedDimensionsHaveNoStride) {
  EXPECT_EQ(stretched_strides(Extents{3, 1}, Extents{8, 8}, Extents{2, 3, 4}), Extents({0, 8, 0}));
  EXPECT_EQ(stretched_strides(Extents{1, 1, 3}, Extents{24, 24, -8}, Extents{3}), Extents({-8}));
  EXPECT_EQ(stretched_strides({}, {}, Extents{2}), Extents({0}));
  EXPECT_THROW(stretched_strides(Extents{3}, Extents{8}, Extents{4}), BroadcastError);
  EXPECT_THROW(stretched_strides(Extents{2, 3}, Extents{24, 8}, Extents{3}), BroadcastError);
}

TEST(Broadcast, LoopsFollowTheLastArray) {
  // A C array from its transpose: two loops, the result's rows outside.
  const Shapes strides = {{8, 24}, {32, 8}};
  const StridedLoops loops = collapse(Extents{3, 4}, strides);
  EXPECT_EQ(loops.extents, Extents({3, 4}));
  const StridedLoops turned = collapse(Extents{3, 4}, Shapes{{32, 8}, {8, 24}});
  EXPECT_EQ(turned.extents, Extents({4, 3}));
  EXPECT_EQ(turned.strides, (Shapes{{8, 32}, {24, 8}}));
}

TEST(Broadcast, ThereIsAlwaysALoop) {
  for (const Extents& shape : {Extents{}, Extents{1, 1}}) {
    const StridedLoops loops = collapse(shape, Shapes{Extents(shape.size(), 8)});
    EXPECT_EQ(loops.extents, Extents({1}));
    EXPECT_EQ(loops.strides, (Shapes{{0}}));
  }
  EXPECT_EQ(element_count(collapse(Extents{2, 0}, Shapes{{8, 8}}).extents), 0);
}

TEST(Broadcast, NewArraysKeepTheOrderOfTheirs) {
  const Extents shape = {3, 4};
  EXPECT_EQ(kept_order(shape, Shapes{{32, 8}}), (Order{0, 1}));
  EXPECT_EQ(kept_order(shape, Shapes{{8, 24}}), (Order{1, 0}));
  EXPECT_EQ(kept_order(shape, Shapes{{8, 24}, {0, 0}}), (Order{1, 0}));
  EXPECT_EQ(kept_order(shape, Shapes{{8, 24}, {32, 8}}), (Order{0, 1}));  // C's where they differ
  EXPECT_EQ(kept_order(shape, {}), (Order{0, 1}));
}

}  // namespace
}  // namespace phalanx::numpy
