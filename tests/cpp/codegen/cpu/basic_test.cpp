#include <gtest/gtest.h>

#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/kernels.h"

namespace phalanx::test {
namespace {

class EveryWidth : public ::testing::TestWithParam<unsigned> {};

TEST_P(EveryWidth, adds_vectors_of_any_length_with_blocks_of_any_size) {
  for (const unsigned threads : {1U, 7U, 32U, 33U, 64U, 100U, 256U}) {
    Compiled kernel(vector_add_text, {GetParam(), codegen::BlockShape::one_dimensional});
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
}  // namespace phalanx::test
