// Broadcasting and overlap as operations: of constants they are constants, which are compared with
// what the rules for known shapes give.
#include <gtest/gtest.h>

#include <utility>
#include <variant>
#include <vector>

#include "phalanx/numpy/array_broadcast.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/overlap.h"

namespace phalanx::numpy {
namespace {

using Shapes = std::vector<Extents>;

class ArrayRules : public ::testing::Test {
 protected:
  Values constants(const Extents& extents) {
    Values values;
    for (const std::int64_t extent : extents) values.push_back(builder_.integer(extent));
    return values;
  }
  std::vector<Values> rows(const Shapes& shapes) {
    std::vector<Values> values;
    for (const Extents& shape : shapes) values.push_back(constants(shape));
    return values;
  }
  static Extents integers(const Values& values) {
    Extents integers;
    for (const Value value : values) integers.push_back(std::get<std::int64_t>(value->constant));
    return integers;
  }
  std::size_t count(ir::Op op) const {
    std::size_t found = 0;
    ir::for_each(std::as_const(function_.body), [&](const ir::Operation& each) {
      found += each.op == op ? 1 : 0;
    });
    return found;
  }
  ShapedArray parameter(std::size_t position, const Extents& extents) {
    return {builder_.parameter(position), constants(extents)};
  }
  ShapedArray made(ir::Layout layout) {
    const Value memory = builder_.allocate(builder_.integer(96), false);
    const ir::Type type = ir::Type::array(DType::float64, 2, layout, ir::Space::global);
    const Value data = builder_.pointer_offset(
        memory, builder_.integer(0), ir::Type::pointer(DType::float64, ir::Space::global));
    return {builder_.array_make(type, data, constants({3, 4})), constants({3, 4})};
  }

  static ir::Type array_type(ir::Layout layout) {
    return ir::Type::array(DType::float64, 2, layout, ir::Space::global);
  }
  ir::Module module_;
  ir::Function& function_ = ir::add_function(
      module_,
      "f",
      ir::FunctionKind::device,
      {{"a", array_type(ir::Layout::any)}, {"b", array_type(ir::Layout::c)}},
      DType::boolean);
  ir::Builder builder_{function_};
};

TEST_F(ArrayRules, ShapesOfConstantsAreThoseOfKnownShapes) {
  const std::vector<Shapes> cases = {
      {{3, 1}, {4}}, {{1}, {1}, {5}}, {{2, 1, 5}, {7, 1}, {}}, {{0}, {1}}, {{4}}};
  for (const Shapes& shapes : cases)
    EXPECT_EQ(integers(broadcast_shape(builder_, rows(shapes))), broadcast(shapes));
}

TEST_F(ArrayRules, ArraysThatAreNotStretchedHaveTheExtents) {
  const auto known = [&](const Shapes& shapes, const Extents& shape) {
    const auto has = has_extents(builder_, rows(shapes), constants(shape));
    return !has || std::get<bool>((*has)->constant);
  };
  EXPECT_TRUE(known({{3, 4}, {4}}, {3, 4}));
  EXPECT_FALSE(known({{3, 4}, {3, 1}}, {3, 4}));
  EXPECT_FALSE(known({{5}}, {4}));
  // One array has its own extents.
  const Values own = {builder_.array_shape(builder_.parameter(0), 0)};
  EXPECT_FALSE(has_extents(builder_, std::vector<Values>{own}, own));
  const auto both = has_extents(builder_, std::vector<Values>{own, constants({4})}, own);
  ASSERT_TRUE(both);
  EXPECT_EQ((*both)->op, ir::Op::equal);
}

TEST_F(ArrayRules, OnlyExtentsThatMayMisfitAreLookedAt) {
  const Raise raise = {.type = "ValueError", .message = "('no',)"};
  raise_misfits(builder_, rows({{3, 1}, {4}, {1}}), constants({3, 4}), raise);
  EXPECT_EQ(count(ir::Op::raise), 0U);
  raise_misfits(builder_, rows({{5}}), constants({4}), raise);
  EXPECT_EQ(count(ir::Op::raise), 1U);
  const std::vector<Values> unknown = {
      {builder_.array_shape(builder_.parameter(0), 0),
       builder_.array_shape(builder_.parameter(0), 1)}};
  raise_misfits(builder_, unknown, unknown[0], raise);
  EXPECT_EQ(count(ir::Op::raise), 1U);
  raise_misfits(builder_, unknown, constants({3, 4}), raise);
  EXPECT_EQ(count(ir::Op::raise), 3U);
}

TEST_F(ArrayRules, StretchedDimensionsAreReadAtZero) {
  const Value index = builder_.array_shape(builder_.parameter(0), 0);
  const Value first = stretched_index(builder_, builder_.integer(1), index);
  EXPECT_EQ(std::get<std::int64_t>(first->constant), 0);
  EXPECT_EQ(stretched_index(builder_, builder_.integer(7), index), index);
}

TEST_F(ArrayRules, NewMemoryIsApartFromAllOther) {
  const ShapedArray a = made(ir::Layout::c);
  const ShapedArray b = made(ir::Layout::c);
  EXPECT_TRUE(needs_no_copy(a.array, b.array));
  EXPECT_TRUE(needs_no_copy(a.array, builder_.parameter(0)));
  EXPECT_TRUE(needs_no_copy(a.array, a.array));
  EXPECT_FALSE(needs_no_copy(builder_.parameter(0), builder_.parameter(1)));
  const Value view =
      builder_.array_make(a.array->type, builder_.array_data(a.array), constants({3, 4}));
  EXPECT_FALSE(needs_no_copy(a.array, view));
  const Value known = may_change(builder_, a, b);
  EXPECT_EQ(known->op, ir::Op::constant);
  EXPECT_FALSE(std::get<bool>(known->constant));
}

TEST_F(ArrayRules, WhatIsNotKnownIsComparedWhenTheCodeRuns) {
  const Value condition = may_change(builder_, parameter(0, {3, 4}), parameter(1, {3, 4}));
  EXPECT_EQ(condition->type, ir::Type(DType::boolean));
  EXPECT_NE(condition->op, ir::Op::constant);
  // The C array's range needs no strides; those of both decide whether they are one view.
  EXPECT_EQ(count(ir::Op::array_stride), 2U + 4U);
}

TEST(Overlap, OneViewMayBeWrittenAsItIsRead) {
  const Extents shape = {3, 4};
  const Extents strides = {32, 8};
  const StridedMemory array = {64, shape, strides, 8};
  EXPECT_FALSE(may_change(array, array));
  EXPECT_TRUE(may_change(array, {72, shape, strides, 8}));
  EXPECT_TRUE(may_change(array, {64, Extents{4, 3}, Extents{8, 32}, 8}));
  EXPECT_FALSE(may_change(array, {64 + 96, shape, strides, 8}));
}

}  // namespace
}  // namespace phalanx::numpy
