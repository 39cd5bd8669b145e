#include "phalanx/infer/conversion.h"

#include <gtest/gtest.h>

#include <array>

#include "phalanx/infer/names.h"
#include "phalanx/infer/signature.h"

namespace phalanx::infer {
namespace {

ir::Type type(std::string_view text) { return parse_numba_type(text); }

std::string unified(std::string_view first, std::string_view second) {
  const auto result = unify(type(first), type(second));
  return result ? numba_name(*result) : "nothing";
}

TEST(Conversion, EveryTypeConvertsExactlyToItself) {
  for (std::size_t i = 0; i < dtype_table.size(); ++i) {
    for (std::size_t j = 0; j < dtype_table.size(); ++j) {
      const Conversion found = conversion(static_cast<DType>(i), static_cast<DType>(j));
      EXPECT_EQ(found == Conversion::exact, i == j) << i << " to " << j;
    }
  }
}

TEST(Conversion, RanksScalarsAsNumbaDoes) {
  EXPECT_EQ(conversion(DType::int32, DType::int64), Conversion::promote);
  EXPECT_EQ(conversion(DType::uint32, DType::int64), Conversion::safe);
  EXPECT_EQ(conversion(DType::int64, DType::float64), Conversion::safe);
  EXPECT_EQ(conversion(DType::int64, DType::float32), Conversion::unsafe);
  EXPECT_EQ(conversion(DType::complex64, DType::float64), Conversion::none);
  EXPECT_EQ(conversion(DType::int8, DType::bfloat16), Conversion::safe);
  EXPECT_EQ(conversion(DType::float16, DType::bfloat16), Conversion::unsafe);
}

TEST(Conversion, AnArrayGoesToALessDemandingView) {
  EXPECT_EQ(conversion(type("f4[::1]"), type("f4[:]")), Conversion::safe);
  EXPECT_EQ(conversion(type("f4[:]"), type("f4[::1]")), Conversion::none);
  EXPECT_EQ(conversion(type("f4[::1]"), type("f8[::1]")), Conversion::none);
  EXPECT_EQ(conversion(type("f4[:, ::1]"), type("f4[::1, :]")), Conversion::none);
  EXPECT_EQ(conversion(type("f4[:]"), type("Array(f4, 1, 'A', True)")), Conversion::safe);
  EXPECT_EQ(conversion(type("Array(f4, 1, 'A', True)"), type("f4[:]")), Conversion::none);
  EXPECT_EQ(conversion(type("f4[:]"), type("f4")), Conversion::none);
}

TEST(Conversion, ATupleIsAsBadAsItsWorstElement) {
  EXPECT_EQ(conversion(type("(i4, f4)"), type("(i8, f4)")), Conversion::promote);
  EXPECT_EQ(conversion(type("(i4, f4)"), type("(i8, i8)")), Conversion::unsafe);
  EXPECT_EQ(conversion(type("(i4, f4)"), type("(i8,)")), Conversion::none);
}

TEST(Unify, HoldsBothOperands) {
  EXPECT_EQ(unified("i8", "u8"), "float64");
  EXPECT_EQ(unified("i4", "u4"), "int64");
  EXPECT_EQ(unified("bool", "i4"), "int32");
  EXPECT_EQ(unified("f4", "i8"), "float64");
  EXPECT_EQ(unified("f8", "c8"), "complex128");
  EXPECT_EQ(unified("bfloat16", "float16"), "float32");
  EXPECT_EQ(unified("bfloat16", "i1"), "bfloat16");
  EXPECT_EQ(unified("bfloat16", "i2"), "float32");
  EXPECT_EQ(unified("bfloat16", "c8"), "complex64");
}

TEST(Unify, IsTheSameInEitherOrder) {
  for (std::size_t i = 0; i < dtype_table.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto a = static_cast<DType>(i);
      const auto b = static_cast<DType>(j);
      EXPECT_EQ(promoted(a, b), promoted(b, a)) << info(a).name << ", " << info(b).name;
    }
  }
}

TEST(Unify, ArraysMeetInTheirCommonLayout) {
  EXPECT_EQ(unified("f4[:, ::1]", "f4[::1, :]"), "array(float32, 2d, A)");
  EXPECT_EQ(unified("f4[::1]", "Array(f4, 1, 'C', True)"), "readonly array(float32, 1d, C)");
  EXPECT_EQ(unified("f4[:]", "f8[:]"), "nothing");
  EXPECT_EQ(unified("f4[:]", "f4[:, :]"), "nothing");
  EXPECT_EQ(unified("f4[:]", "f4"), "nothing");
}

TEST(Unify, TuplesMeetElementByElement) {
  EXPECT_EQ(unified("(i8, i4)", "(f4, i8)"), "Tuple(float64, int64)");
  EXPECT_EQ(unified("(i8, i4)", "(i8, i4, i4)"), "nothing");
  EXPECT_EQ(unified("(i8, f4[:])", "(i8, f4)"), "nothing");
}

TEST(Unify, NamedTuplesOfDifferentNamesDoNot) {
  const auto point = [](const char* name) {
    return ir::Type::named_tuple(name, {{"x", ir::Type(DType::int64)}});
  };
  EXPECT_TRUE(unify(point("Point"), point("Point")));
  EXPECT_FALSE(unify(point("Point"), point("Size")));
}

TEST(Unify, ManyTypesStartWithTheNarrowest) {
  // From left to right this would be float32: it holds int16, and it holds uint16.
  const std::array types = {
      ir::Type(DType::float32), ir::Type(DType::int16), ir::Type(DType::uint16)};
  EXPECT_EQ(unify(types), ir::Type(DType::float64));
}

}  // namespace
}  // namespace phalanx::infer
