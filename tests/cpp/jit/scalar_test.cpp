#include "phalanx/jit/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace phalanx::jit {
namespace {

template <typename To, typename From>
To converted(DType from, From value, DType to) {
  To result{};
  convert_scalar(from, &value, to, &result);
  return result;
}

TEST(ConvertScalar, IntegersWrapAround) {
  EXPECT_EQ(converted<std::int8_t>(DType::int64, std::int64_t{300}, DType::int8), 44);
  EXPECT_EQ(converted<std::uint32_t>(DType::int64, std::int64_t{-1}, DType::uint32), 0xffffffffU);
  EXPECT_EQ(
      converted<std::uint64_t>(DType::int8, std::int8_t{-2}, DType::uint64), ~std::uint64_t{1});
}

TEST(ConvertScalar, FloatsTruncateAndSaturate) {
  EXPECT_EQ(converted<std::int32_t>(DType::float64, -2.9, DType::int32), -2);
  EXPECT_EQ(
      converted<std::int32_t>(DType::float64, 1e20, DType::int32),
      std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(
      converted<std::int64_t>(DType::float64, -1e30, DType::int64),
      std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(converted<std::uint8_t>(DType::float32, -1.0F, DType::uint8), 0);
  EXPECT_EQ(converted<std::int64_t>(DType::float64, std::nan(""), DType::int64), 0);
}

TEST(ConvertScalar, BooleansAreWhetherItIsNotZero) {
  EXPECT_TRUE(converted<bool>(DType::float64, 0.5, DType::boolean));
  EXPECT_TRUE(converted<bool>(DType::float64, std::nan(""), DType::boolean));
  EXPECT_FALSE(converted<bool>(DType::int64, std::int64_t{0}, DType::boolean));
  EXPECT_EQ(converted<float>(DType::boolean, true, DType::float32), 1.0F);
}

TEST(ConvertScalar, ComplexNumbersKeepBothParts) {
  const std::complex<double> z(1.5, -2.5);
  EXPECT_EQ(
      converted<std::complex<float>>(DType::complex128, z, DType::complex64),
      std::complex<float>(1.5F, -2.5F));
  EXPECT_EQ(converted<double>(DType::complex128, z, DType::float64), 1.5);
  EXPECT_EQ(
      converted<std::complex<double>>(DType::float32, 2.0F, DType::complex128),
      std::complex<double>(2.0, 0.0));
}

// Every float16 is a double; back it must be itself, and halfway values go to even.
TEST(ConvertScalar, HalfPrecisionRoundTrips) {
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    for (const DType narrow : {DType::float16, DType::bfloat16}) {
      const auto wide = converted<double>(narrow, half, DType::float64);
      const auto back = converted<std::uint16_t>(DType::float64, wide, narrow);
      if (std::isnan(wide))
        EXPECT_TRUE(std::isnan(converted<double>(narrow, back, DType::float64)));
      else
        ASSERT_EQ(back, half) << bits;
    }
  }
}

TEST(ConvertScalar, HalfPrecisionRoundsToNearestEven) {
  const auto to_half = [](double value) {
    return converted<std::uint16_t>(DType::float64, value, DType::float16);
  };
  EXPECT_EQ(to_half(1.0 + 1.0 / 2048), 0x3c00);  // halfway: down to even
  EXPECT_EQ(to_half(1.0 + 3.0 / 2048), 0x3c02);  // halfway: up to even
  EXPECT_EQ(to_half(65504), 0x7bff);             // the largest
  EXPECT_EQ(to_half(65519.99), 0x7bff);
  EXPECT_EQ(to_half(65520), 0x7c00);  // rounds to infinity
  EXPECT_EQ(to_half(1e300), 0x7c00);
  EXPECT_EQ(to_half(std::ldexp(1, -24)), 0x0001);  // the smallest
  EXPECT_EQ(to_half(std::ldexp(1, -25)), 0x0000);  // halfway to it: to even
  EXPECT_EQ(to_half(std::ldexp(1.01, -25)), 0x0001);
  EXPECT_EQ(to_half(-0.0), 0x8000);
}

}  // namespace
}  // namespace phalanx::jit
