#include "phalanx/ir/constants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace phalanx::ir {
namespace {

std::optional<Constant> folded(Op op, DType dtype, std::vector<Constant> operands) {
  return fold(op, dtype, operands);
}

TEST(Constants, AreWrappedAndRoundedToTheirType) {
  EXPECT_EQ(normalized(std::int64_t{300}, DType::uint8), Constant(std::int64_t{44}));
  EXPECT_EQ(normalized(std::int64_t{200}, DType::int8), Constant(std::int64_t{-56}));
  EXPECT_EQ(normalized(0.1, DType::float32), Constant(static_cast<double>(0.1F)));
  EXPECT_EQ(normalized(2049.0, DType::float16), Constant(2048.0));
  EXPECT_EQ(normalized(2051.0, DType::float16), Constant(2052.0));
  EXPECT_EQ(normalized(65520.0, DType::float16), Constant(HUGE_VAL));
  EXPECT_EQ(normalized(65519.0, DType::float16), Constant(65504.0));
  EXPECT_EQ(normalized(0x1p-24, DType::float16), Constant(0x1p-24));
  EXPECT_EQ(normalized(0x1p-26, DType::float16), Constant(0.0));
  EXPECT_EQ(normalized(257.0, DType::bfloat16), Constant(256.0));
  EXPECT_FALSE(is_normalized(0.1, DType::float32));
  EXPECT_FALSE(is_normalized(true, DType::int8));
}

TEST(Constants, NaNIsIdenticalToItselfAndZerosDiffer) {
  EXPECT_TRUE(is_identical(std::nan(""), std::nan("")));
  EXPECT_FALSE(is_identical(0.0, -0.0));
}

TEST(Constants, CastsAgreeWithTheDevices) {
  const auto cast = [](Constant value, DType from, DType to) {
    return cast_constant(value, from, to);
  };
  EXPECT_EQ(cast(-1.9, DType::float64, DType::int32), Constant(std::int64_t{-1}));
  EXPECT_EQ(cast(0.5, DType::float64, DType::boolean), Constant(true));
  EXPECT_EQ(
      cast(std::int64_t{-1}, DType::int64, DType::uint32), Constant(std::int64_t{0xffffffff}));
  EXPECT_EQ(cast(std::int64_t{-1}, DType::uint64, DType::float64), Constant(0x1p64));
  EXPECT_EQ(cast(1e10, DType::float64, DType::int32), std::nullopt);
  EXPECT_EQ(cast(-1.0, DType::float64, DType::uint8), std::nullopt);
  EXPECT_EQ(cast(std::complex<double>(2, 3), DType::complex128, DType::float32), Constant(2.0));
  // Rounded once: by way of float64 this would become 2^24 * 3.
  const std::int64_t tie = (std::int64_t{1} << 54) + (std::int64_t{1} << 30) + 1;
  EXPECT_EQ(
      cast(tie, DType::int64, DType::float32),
      Constant(static_cast<double>(static_cast<float>(tie))));
}

TEST(Fold, DividesTowardsMinusInfinity) {
  for (const std::int64_t a : {-7, -6, 6, 7}) {
    for (const std::int64_t b : {-3, 3}) {
      const auto quotient =
          static_cast<std::int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(b)));
      EXPECT_EQ(folded(Op::floor_divide, DType::int64, {a, b}), Constant(quotient));
      EXPECT_EQ(folded(Op::remainder, DType::int64, {a, b}), Constant(a - quotient * b));
    }
  }
}

TEST(Fold, DivisionsAtTheEdge) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(folded(Op::floor_divide, DType::int64, {least, std::int64_t{-1}}), Constant(least));
  EXPECT_EQ(
      folded(Op::remainder, DType::int64, {least, std::int64_t{-1}}), Constant(std::int64_t{0}));
  EXPECT_EQ(
      folded(Op::floor_divide, DType::int64, {std::int64_t{5}, std::int64_t{0}}),
      Constant(std::int64_t{0}));
  EXPECT_EQ(
      folded(Op::remainder, DType::int64, {std::int64_t{5}, std::int64_t{0}}),
      Constant(std::int64_t{0}));
  EXPECT_EQ(
      folded(Op::floor_divide, DType::uint64, {std::int64_t{-1}, std::int64_t{2}}),
      Constant(std::numeric_limits<std::int64_t>::max()));
}

TEST(Fold, ShiftsOutOfRange) {
  EXPECT_EQ(
      folded(Op::left_shift, DType::int32, {std::int64_t{1}, std::int64_t{32}}),
      Constant(std::int64_t{0}));
  EXPECT_EQ(
      folded(Op::left_shift, DType::int32, {std::int64_t{1}, std::int64_t{31}}),
      Constant(std::int64_t{std::numeric_limits<std::int32_t>::min()}));
  EXPECT_EQ(
      folded(Op::right_shift, DType::int32, {std::int64_t{-8}, std::int64_t{99}}),
      Constant(std::int64_t{-1}));
  EXPECT_EQ(
      folded(Op::right_shift, DType::uint8, {std::int64_t{200}, std::int64_t{3}}),
      Constant(std::int64_t{25}));
}

TEST(Fold, BitCounts) {
  EXPECT_EQ(folded(Op::popcount, DType::int8, {std::int64_t{-1}}), Constant(std::int64_t{8}));
  EXPECT_EQ(
      folded(Op::leading_zeros, DType::uint16, {std::int64_t{1}}), Constant(std::int64_t{15}));
  EXPECT_EQ(
      folded(Op::trailing_zeros, DType::int32, {std::int64_t{0}}), Constant(std::int64_t{32}));
}

TEST(Fold, UnsignedComparisonsUseTheWholeRange) {
  EXPECT_EQ(folded(Op::less, DType::uint64, {std::int64_t{-1}, std::int64_t{1}}), Constant(false));
  EXPECT_EQ(folded(Op::less, DType::int64, {std::int64_t{-1}, std::int64_t{1}}), Constant(true));
}

TEST(Fold, FloatsAreRoundedToTheirType) {
  const double tenth = static_cast<double>(0.1F);
  EXPECT_EQ(
      folded(Op::multiply, DType::float32, {tenth, tenth}),
      Constant(static_cast<double>(0.1F * 0.1F)));
  EXPECT_EQ(folded(Op::true_divide, DType::float64, {1.0, 0.0}), Constant(HUGE_VAL));
  EXPECT_EQ(folded(Op::true_divide, DType::float64, {0.0, 0.0}), std::nullopt);
  EXPECT_EQ(folded(Op::sin, DType::float64, {1.0}), std::nullopt);
}

}  // namespace
}  // namespace phalanx::ir
