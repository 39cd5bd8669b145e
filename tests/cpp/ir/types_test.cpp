#include "phalanx/ir/types.h"

#include <gtest/gtest.h>

#include "phalanx/ir/abi.h"
#include "phalanx/ir/parser.h"

namespace phalanx::ir {
namespace {

Type particle() {
  return Type::record(
      {{.name = "x", .type = DType::float32, .offset = 0},
       {.name = "n", .type = DType::int64, .offset = 8}},
      16,
      8);
}

TEST(Types, EqualityIsStructural) {
  const Type array = Type::array(DType::float32, 2, Layout::c, Space::global);
  EXPECT_EQ(array, Type::array(DType::float32, 2, Layout::c, Space::global));
  EXPECT_NE(array, Type::array(DType::float32, 2, Layout::f, Space::global));
  EXPECT_NE(array, Type::array(DType::float32, 2, Layout::c, Space::global, false));
  EXPECT_NE(array, Type::array(DType::float64, 2, Layout::c, Space::global));
  EXPECT_NE(Type(DType::int32), Type(DType::int64));
  EXPECT_NE(Type(DType::int32), Type::vector(DType::int32, 1));
  EXPECT_NE(Type::vector(DType::int32, 4), Type::vector(DType::uint32, 4));
  EXPECT_EQ(Type::none(), Type());
  EXPECT_EQ(particle(), particle());
}

TEST(Types, NamedTuplesDifferByNameAndByFieldNames) {
  const auto point = [](const char* name, const char* field) {
    return Type::named_tuple(name, {{.name = field, .type = DType::int64, .offset = 7}});
  };
  EXPECT_EQ(point("P", "x"), point("P", "x"));
  EXPECT_NE(point("P", "x"), point("Q", "x"));
  EXPECT_NE(point("P", "x"), point("P", "y"));
  EXPECT_EQ(point("P", "x").fields()[0].offset, 0U);
}

TEST(Types, SizesAndAlignments) {
  EXPECT_EQ(size_of(Type(DType::boolean)), 1U);
  EXPECT_EQ(size_of(Type(DType::complex128)), 16U);
  EXPECT_EQ(alignment_of(Type(DType::complex128)), 8U);
  EXPECT_EQ(size_of(Type::pointer(DType::int8, Space::global)), 8U);
  EXPECT_EQ(size_of(Type::vector(DType::float32, 3)), 12U);
  EXPECT_EQ(alignment_of(Type::vector(DType::float32, 3)), 4U);
  EXPECT_EQ(alignment_of(Type::vector(DType::float32, 4)), 16U);
  EXPECT_EQ(alignment_of(Type::vector(DType::float64, 4)), 16U);
  EXPECT_EQ(size_of(particle()), 16U);
  EXPECT_EQ(alignment_of(particle()), 8U);
}

class TypeText : public testing::TestWithParam<const char*> {};

TEST_P(TypeText, IsReadBackAsTheSameType) {
  EXPECT_EQ(to_string(parse_type(GetParam())), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All,
    TypeText,
    testing::Values(
        "f32",
        "bf16",
        "none",
        "ptr<f32, global>",
        "array<f32, 2, C, global>",
        "array<const f32, 1, any, shared>",
        "()",
        "(i64, f32)",
        "(i64,)",
        "Point(x: f32, y: f32)",
        "Outer(inner: Point(x: f32), t: (i8, (u8, c64)))",
        "\"odd name\"(\"a b\": i64)",
        "record<16, 8, x: f32 @0, n: i64 @8>",
        "record<0, 1>",
        "vec<f32, 4>",
        "array<record<8, 4, v: vec<f32, 2> @0>, 3, F, constant>"));

TEST(Abi, FlattensEachKindOfParameter) {
  EXPECT_EQ(flatten(DType::complex64), (std::vector<Type>{DType::float32, DType::float32}));
  EXPECT_EQ(flatten(Type::none()), std::vector<Type>{});
  EXPECT_EQ(flatten(particle()), std::vector<Type>{particle()});
  EXPECT_EQ(
      flatten(Type::vector(DType::int16, 2)), (std::vector<Type>{DType::int16, DType::int16}));
  const Type data = Type::pointer(DType::float32, Space::global);
  const Type extent = DType::int64;
  EXPECT_EQ(
      flatten(Type::array(DType::float32, 2, Layout::c, Space::global)),
      (std::vector<Type>{data, extent, extent}));
  EXPECT_EQ(
      flatten(Type::array(DType::float32, 1, Layout::any, Space::global)),
      (std::vector<Type>{data, extent, extent}));
  EXPECT_EQ(
      flatten(Type::tuple({DType::int8, Type::tuple({DType::float64})})),
      (std::vector<Type>{DType::int8, DType::float64}));
}

TEST(Abi, PlacesSlotsAtNaturalAlignment) {
  const ParameterLayout layout = layout_parameters(
      {DType::int8, DType::float64, Type::tuple({}), DType::int16, DType::complex64});
  std::vector<std::size_t> offsets;
  for (const Slot& slot : layout.slots) offsets.push_back(slot.offset);
  EXPECT_EQ(offsets, (std::vector<std::size_t>{0, 8, 16, 20, 24}));
  EXPECT_EQ(layout.first_slot, (std::vector<std::size_t>{0, 1, 2, 2, 3, 5}));
  EXPECT_EQ(layout.bytes, 28U);
}

}  // namespace
}  // namespace phalanx::ir
