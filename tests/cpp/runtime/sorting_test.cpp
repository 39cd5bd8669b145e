#include "phalanx/runtime/sorting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime {
namespace {

// So many that several threads sort one row.
constexpr std::int64_t many = 300'007;

std::vector<float> numbers(std::int64_t count) {
  std::mt19937 random(1);
  std::vector<float> made(static_cast<std::size_t>(count));
  for (float& each : made) each = static_cast<float>(static_cast<int>(random() % 10'000)) - 5'000;
  for (std::size_t i = 0; i < made.size(); i += 97)
    made[i] = std::numeric_limits<float>::quiet_NaN();
  return made;
}

bool is_before(float a, float b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

TEST(Sorting, LongAndShortRows) {
  Runtime runtime;
  for (const std::int64_t count : {many, std::int64_t{1000}, std::int64_t{1}}) {
    const SortedRows shape = {DType::float32, count == many ? 2 : 700, count};
    const std::vector<float> values = numbers(shape.rows * count);
    std::vector<float> expected = values;
    std::vector<float> made(values.size());
    for (std::int64_t row = 0; row < shape.rows; ++row)
      std::sort(expected.begin() + row * count, expected.begin() + (row + 1) * count, is_before);
    sort_rows(runtime, shape, values.data(), made.data());
    for (std::size_t i = 0; i < made.size(); ++i)
      ASSERT_TRUE(made[i] == expected[i] || (std::isnan(made[i]) && std::isnan(expected[i]))) << i;
  }
}

// What splitters of buckets and vectors' comparisons might get wrong.
TEST(Sorting, LongRowsOfSpecialValues) {
  Runtime runtime;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> kinds = {
      {1},
      {nan},
      {infinity},
      {nan, infinity, -infinity, 0},
      {nan, nan, nan, nan, nan, -1},
      {0.0F, -0.0F, 1e-45F, -1e-45F}};
  for (const std::vector<float>& kind : kinds) {
    std::vector<float> values(many);
    std::mt19937 random(2);
    for (float& each : values) each = kind[random() % kind.size()];
    std::vector<float> expected = values;
    std::sort(expected.begin(), expected.end(), is_before);
    std::vector<float> made(many);
    sort_rows(runtime, {DType::float32, 1, many}, values.data(), made.data());
    for (std::size_t i = 0; i < made.size(); ++i)
      ASSERT_TRUE(made[i] == expected[i] || (std::isnan(made[i]) && std::isnan(expected[i]))) << i;
  }
}

template <typename T>
void expect_long_row_sorted(DType dtype) {
  Runtime runtime;
  std::mt19937_64 random(3);
  std::vector<T> values(many);
  for (T& each : values) each = static_cast<T>(random());
  std::vector<T> made(many);
  sort_rows(runtime, {dtype, 1, many}, values.data(), made.data());
  std::sort(values.begin(), values.end());
  EXPECT_EQ(made, values);
}

TEST(Sorting, LongRowsOfWholeNumbers) {
  expect_long_row_sorted<std::uint8_t>(DType::uint8);
  expect_long_row_sorted<std::int16_t>(DType::int16);
  expect_long_row_sorted<std::int32_t>(DType::int32);
  expect_long_row_sorted<std::uint32_t>(DType::uint32);
  expect_long_row_sorted<std::int64_t>(DType::int64);
  expect_long_row_sorted<std::uint64_t>(DType::uint64);
}

TEST(Sorting, OrdersAreStable) {
  Runtime runtime;
  for (const std::int64_t count : {many, std::int64_t{1000}}) {
    const SortedRows shape = {DType::float32, 2, count};
    const std::vector<float> values = numbers(shape.rows * count);
    std::vector<std::int64_t> made(values.size());
    argsort_rows(runtime, shape, values.data(), made.data());
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      const float* const own = values.data() + row * count;
      std::vector<std::int64_t> expected(static_cast<std::size_t>(count));
      std::iota(expected.begin(), expected.end(), 0);
      std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
        return is_before(own[a], own[b]);
      });
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), made.begin() + row * count));
    }
  }
}

TEST(Sorting, HalvesComplexNumbersAndDatesAreNotHere) {
  EXPECT_TRUE(has_sort(DType::boolean));
  EXPECT_TRUE(has_sort(DType::int8));
  EXPECT_TRUE(has_sort(DType::uint64));
  EXPECT_FALSE(has_sort(DType::float16));
  EXPECT_FALSE(has_sort(DType::complex64));
}

}  // namespace
}  // namespace phalanx::runtime
