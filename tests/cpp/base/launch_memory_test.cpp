// Programs for the sizes of shared arrays: their text, and each step against C++'s own arithmetic.
#include "phalanx/base/launch_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "phalanx/base/errors.h"

namespace phalanx {
namespace {

std::int64_t run(const std::string& program, const LaunchInput& input = {}) {
  // The one extent, as far as the bytes of its elements tell it.
  const auto memory = LaunchMemory::parse("x 16: " + program);
  return static_cast<std::int64_t>(memory.bytes(input) / 16);
}

TEST(LaunchMemory, KeepsItsText) {
  for (const std::string text :
       {"tile 4: block_extent i32 1, cast i64 | parameter i64 8, constant i64 -1, add i64; ? 1: "
        "constant i64 7",
        "a 16: grid_extent i32 2"}) {
    EXPECT_EQ(LaunchMemory::parse(text).text(), text);
  }
  EXPECT_TRUE(LaunchMemory::parse("").is_empty());
}

TEST(LaunchMemory, ReadsParametersOfEachType) {
  std::array<std::byte, 24> parameters{};
  const std::uint8_t small = 200;
  const std::int16_t below = -3;
  const std::uint32_t wide = 4'000'000'000U;
  std::memcpy(parameters.data() + 1, &small, sizeof small);
  std::memcpy(parameters.data() + 2, &below, sizeof below);
  std::memcpy(parameters.data() + 8, &wide, sizeof wide);
  const LaunchInput input{.parameters = parameters, .block = {8, 4, 2}, .grid = {100, 10, 1}};
  EXPECT_EQ(run("parameter u8 1", input), 200);
  EXPECT_EQ(run("parameter i16 2, negative i16", input), 3);
  EXPECT_EQ(run("parameter u32 8, constant u32 1000000000, floor_divide u32", input), 4);
  EXPECT_EQ(run("block_extent i32 1, grid_extent i32 0, multiply i32", input), 400);
}

TEST(LaunchMemory, ComputesEachStep) {
  EXPECT_EQ(run("constant i64 -7, constant i64 2, floor_divide i64, negative i64"), 4);
  EXPECT_EQ(run("constant i64 -7, constant i64 4, remainder i64"), 1);
  EXPECT_EQ(run("constant i64 7, constant i64 0, floor_divide i64, constant i64 1, add i64"), 1);
  EXPECT_EQ(run("constant i64 9, constant i64 4, minimum i64"), 4);
  EXPECT_EQ(run("constant i64 9, constant i64 -4, fmax i64"), 9);
  EXPECT_EQ(run("constant i64 -5, absolute i64"), 5);
  EXPECT_EQ(run("constant i64 -6, invert i64"), 5);
  EXPECT_EQ(run("constant i64 12, constant i64 10, bitwise_xor i64"), 6);
  EXPECT_EQ(run("constant i64 3, constant i64 4, left_shift i64"), 48);
  EXPECT_EQ(run("constant i64 -64, constant i64 4, right_shift i64, negative i64"), 4);
  EXPECT_EQ(run("constant i64 300, cast u8"), 44);
  EXPECT_EQ(run("constant i32 2147483647, constant i32 2, add i32, negative i32"), 2147483647);
  EXPECT_EQ(
      run("constant i64 1, constant i64 2, less i64, constant i64 5, constant i64 6, select i64"),
      5);
  // As unsigned, -1 is the greatest.
  EXPECT_EQ(
      run("constant u64 -1, constant u64 2, less u64, constant i64 5, constant i64 6, select i64"),
      6);
}

TEST(LaunchMemory, AlignsEachArrayAndRefusesWhatIsTooMuch) {
  EXPECT_EQ(LaunchMemory::parse("a 1: constant i64 3; b 4: constant i64 5").bytes({}), 16U + 32);
  EXPECT_EQ(LaunchMemory::parse("a 1: constant i64 0").bytes({}), LaunchMemory::refused);
  const std::string much = "constant i64 4611686018427387904";
  EXPECT_EQ(LaunchMemory::parse("a 8: " + much + " | " + much).bytes({}), LaunchMemory::refused);
  EXPECT_EQ(
      LaunchMemory::parse("a 1: constant i64 30; b 4: constant i64 5").problem({}, 40)->text,
      "shared array 'b' has the shape (5,) and takes 20 bytes, but 8 are left");
}

TEST(LaunchMemory, RefusesTextThatIsNone) {
  for (const char* text :
       {"a 4: add i64",
        "a 4: constant i64",
        "a x: constant i64 1",
        "a 4: constant i64 1, sqrt i64",
        "a 4: constant i64 1, constant i64 1",
        "a 4: block_extent i32 3",
        "a"}) {
    EXPECT_THROW(LaunchMemory::parse(text), ValueError) << text;
  }
}

}  // namespace
}  // namespace phalanx
