#include "phalanx/frames/spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {
namespace {

std::vector<std::int32_t> spread(std::span<const Key> keys, std::int32_t parts) {
  runtime::Runtime runtime;
  const Memory<std::int32_t> made = spread_rows(runtime, keys, parts);
  return {made.data(), made.data() + made.size()};
}

Key key_of(const std::vector<std::int64_t>& values) {
  return {{DType::int64, values.data(), nullptr, std::ssize(values)}};
}

TEST(Spread, EqualKeysAreInOnePartWhereverTheyAre) {
  std::vector<std::int64_t> values(50'000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int64_t>(i * 7919 % 1000);
  const std::vector<std::int64_t> few(values.begin() + 20'000, values.begin() + 20'010);
  const Key all[] = {key_of(values)};
  const Key some[] = {key_of(few)};
  const std::vector<std::int32_t> codes = spread(all, 13);
  const std::vector<std::int32_t> of_few = spread(some, 13);
  EXPECT_TRUE(std::ranges::equal(of_few, std::span(codes).subspan(20'000, 10)));
  std::vector<std::int64_t> counts(13);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_GE(codes[i], 0);
    ASSERT_LT(codes[i], 13);
    ASSERT_EQ(codes[i], codes[i % 1000]);
    ++counts[static_cast<std::size_t>(codes[i])];
  }
  for (const std::int64_t count : counts) EXPECT_GT(count, 50'000 / 13 / 2);
}

TEST(Spread, MissingKeysAndZerosAreEqual) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double floats[] = {0.0, -0.0, nan, -nan, 1.0, 2.0};
  const std::uint8_t valid[] = {1, 1, 1, 1, 1, 0};
  const Key keys[] = {{{DType::float64, floats, valid, 6}}};
  const std::vector<std::int32_t> codes = spread(keys, 1 << 20);
  EXPECT_EQ(codes[0], codes[1]);
  EXPECT_EQ(codes[2], codes[3]);
  EXPECT_EQ(codes[2], codes[5]);
  EXPECT_NE(codes[0], codes[4]);
}

TEST(Spread, TextsGoByTheirBytesAndKeysByTheirOrder) {
  const std::string bytes = "ababcdefghijklmnopqrstab";
  const std::int64_t offsets[] = {0, 2, 4, 22, 24, 24};
  const std::uint8_t valid[] = {1, 1, 1, 1, 0};
  const Key texts = {{DType::int64, nullptr, valid, 5}, false, offsets, bytes.data()};
  const std::vector<std::int64_t> numbers = {1, 1, 1, 2, 1};
  const Key one[] = {texts};
  const Key both[] = {texts, key_of(numbers)};
  const std::vector<std::int32_t> codes = spread(one, 1 << 20);
  EXPECT_EQ(codes[0], codes[1]);
  EXPECT_EQ(codes[0], codes[3]);
  EXPECT_NE(codes[0], codes[2]);
  EXPECT_NE(codes[0], codes[4]);
  const std::vector<std::int32_t> pairs = spread(both, 1 << 20);
  EXPECT_EQ(pairs[0], pairs[1]);
  EXPECT_NE(pairs[0], pairs[3]);
}

TEST(Spread, RefusesNoPartsAndNoKeys) {
  const std::vector<std::int64_t> values = {1};
  const Key keys[] = {key_of(values)};
  EXPECT_THROW(spread(keys, 0), ValueError);
  EXPECT_THROW(spread({}, 2), ValueError);
}

}  // namespace
}  // namespace phalanx::frames
