// Lines printed by CPU kernels.
#include "phalanx/runtime/cpu/print.h"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstring>
#include <limits>

#include "phalanx/base/dtype.h"

namespace phalanx::runtime::cpu {
namespace {

template <typename T>
PrintValue value(DType dtype, T bits) {
  PrintValue result;
  result.dtype = static_cast<std::uint32_t>(dtype);
  std::memcpy(result.bits, &bits, sizeof(bits));
  return result;
}

template <typename T>
std::string shown(DType dtype, T bits) {
  const std::array values = {value(dtype, bits)};
  return format_line("{}", values);
}

TEST(Print, PutsValuesIntoTheText) {
  const std::array values = {value(DType::int64, std::int64_t{-7}), value(DType::boolean, true)};
  EXPECT_EQ(format_line("a {} b {} c", values), "a -7 b True c");
  EXPECT_EQ(format_line("{{}} {{{}}}", values), "{} {-7}");
  EXPECT_EQ(format_line("", {}), "");
  EXPECT_EQ(format_line("{}", {}), "{}");
}

TEST(Print, ConvertsAsCDoes) {
  const std::array values = {
      value(DType::float64, 2.5),
      value(DType::int64, std::int64_t{255}),
      value(DType::int64, std::int64_t{'q'})};
  EXPECT_EQ(format_line("[{%8.2f}] {%#06x} {%c}!{%}", values), "[    2.50] 0x00ff q!");
  EXPECT_EQ(format_line("{%-6d}|", std::span(values).subspan(1)), "255   |");
  EXPECT_EQ(format_line("{%300d}", std::span(values).subspan(1)).size(), 300U);
}

TEST(Print, ShowsIntegersOfEveryWidth) {
  EXPECT_EQ(shown(DType::int8, std::int8_t{-128}), "-128");
  EXPECT_EQ(shown(DType::uint8, std::uint8_t{255}), "255");
  EXPECT_EQ(shown(DType::int16, std::int16_t{-3}), "-3");
  EXPECT_EQ(shown(DType::uint32, ~std::uint32_t{0}), "4294967295");
  EXPECT_EQ(shown(DType::int64, std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(shown(DType::uint64, ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(shown(DType::boolean, false), "False");
}

TEST(Print, ShowsFloatsAsPythonDoes) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(shown(DType::float64, 34.75), "34.75");
  EXPECT_EQ(shown(DType::float64, 1.0), "1.0");
  EXPECT_EQ(shown(DType::float64, -0.0), "-0.0");
  EXPECT_EQ(shown(DType::float64, 0.1), "0.1");
  EXPECT_EQ(shown(DType::float64, 1e16), "1e+16");
  EXPECT_EQ(shown(DType::float64, 1e15), "1000000000000000.0");
  EXPECT_EQ(shown(DType::float64, 1e-5), "1e-05");
  EXPECT_EQ(shown(DType::float64, 1e300), "1e+300");
  EXPECT_EQ(shown(DType::float64, infinity), "inf");
  EXPECT_EQ(shown(DType::float64, -infinity), "-inf");
  EXPECT_EQ(shown(DType::float64, -std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(shown(DType::float32, 0.1F), "0.1");
  EXPECT_EQ(shown(DType::float16, std::uint16_t{0x3e00}), "1.5");
  EXPECT_EQ(shown(DType::float16, std::uint16_t{0x0001}), "5.9604645e-08");
  EXPECT_EQ(shown(DType::float16, std::uint16_t{0xfc00}), "-inf");
  EXPECT_EQ(shown(DType::bfloat16, std::uint16_t{0x3fc0}), "1.5");
}

TEST(Print, ShowsComplexNumbersAsPythonDoes) {
  EXPECT_EQ(shown(DType::complex128, std::complex<double>(1, 2)), "(1+2j)");
  EXPECT_EQ(shown(DType::complex128, std::complex<double>(1.5, -2)), "(1.5-2j)");
  EXPECT_EQ(shown(DType::complex64, std::complex<float>(0, 2)), "2j");
  EXPECT_EQ(shown(DType::complex64, std::complex<float>(0.5F, 0)), "(0.5+0j)");
}

TEST(Print, WritesWholeLines) {
  ::testing::internal::CaptureStdout();
  const PrintValue one = value(DType::int32, 1);
  print_line("x = {}", &one, 1);
  print_line("done", nullptr, 0);
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "x = 1\ndone\n");
}

}  // namespace
}  // namespace phalanx::runtime::cpu
