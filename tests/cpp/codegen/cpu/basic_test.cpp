#include <gtest/gtest.h>

#include "tests/cpp/codegen/cpu/harness.h"

namespace phalanx::testing {
namespace {

constexpr const char* vector_add = R"(
kernel @vector_add(%a: array<const f32, 1, C, global>, %b: array<const f32, 1, C, global>, %c: array<f32, 1, C, global>) {
  %block = block_index 0 : i32
  %extent = block_extent 0 : i32
  %thread = thread_index 0 : i32
  %block64 = cast %block : i64
  %extent64 = cast %extent : i64
  %thread64 = cast %thread : i64
  %first = multiply %block64, %extent64 : i64
  %i = add %first, %thread64 : i64
  %n = array_shape 0, %c : i64
  %inside = less %i, %n : bool
  if %inside {
    %x = array_load %a, %i : f32
    %y = array_load %b, %i : f32
    %sum = add %x, %y : f32
    array_store %c, %i, %sum
  }
}
)";

class EveryWidth : public ::testing::TestWithParam<unsigned> {};

TEST_P(EveryWidth, adds_vectors_of_any_length_with_blocks_of_any_size) {
  for (const unsigned threads : {1U, 7U, 32U, 33U, 64U, 100U, 256U}) {
    Compiled kernel(vector_add, {GetParam(), codegen::BlockShape::line});
    for (const std::size_t n : {1U, 31U, 32U, 255U, 1000U}) {
      std::vector<float> a(n);
      std::vector<float> b(n);
      std::vector<float> c(n + 64, -1.0F);
      for (std::size_t i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i);
        b[i] = static_cast<float>(2 * i);
      }
      Arguments arguments;
      arguments.array(a).array(b).array(c, {static_cast<std::int64_t>(n)});
      kernel.run({static_cast<unsigned>((n + threads - 1) / threads)}, {threads}, arguments);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(c[i], 3.0F * static_cast<float>(i)) << "threads " << threads << " n " << n;
      for (std::size_t i = n; i < c.size(); ++i) ASSERT_EQ(c[i], -1.0F);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, EveryWidth, ::testing::Values(1U, 4U, 8U, 16U, 32U));

}  // namespace
}  // namespace phalanx::testing
