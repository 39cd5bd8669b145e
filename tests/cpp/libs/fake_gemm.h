// Products by columns as BLAS defines them, by plain loops, for fake libraries.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

namespace phalanx::libs {

// A matrix in memory, by columns, and if it is transposed before it is used.
struct FakeOperand {
  bool is_transposed = false;
  const void* data = nullptr;
  std::int64_t leading = 1;

  template <typename Number>
  Number at(std::int64_t row, std::int64_t column) const {
    return static_cast<const Number*>(
        data)[is_transposed ? column + row * leading : row + column * leading];
  }
};

// c = op(a) op(b), m by k by n. Expects what BLAS demands of its arguments.
template <typename Number>
void fake_gemm(
    std::int64_t m,
    std::int64_t n,
    std::int64_t k,
    const FakeOperand& a,
    const FakeOperand& b,
    void* c,
    std::int64_t c_leading) {
  EXPECT_GE(a.leading, a.is_transposed ? k : m);
  EXPECT_GE(b.leading, b.is_transposed ? n : k);
  EXPECT_GE(c_leading, m);
  for (std::int64_t column = 0; column < n; ++column) {
    for (std::int64_t row = 0; row < m; ++row) {
      Number sum = 0;
      for (std::int64_t i = 0; i < k; ++i) sum += a.at<Number>(row, i) * b.at<Number>(i, column);
      static_cast<Number*>(c)[row + column * c_leading] = sum;
    }
  }
}

// y = op(a) x, with a of m by n in memory.
template <typename Number>
void fake_gemv(
    std::int64_t m,
    std::int64_t n,
    const FakeOperand& a,
    const void* x,
    std::int64_t x_increment,
    void* y,
    std::int64_t y_increment) {
  EXPECT_GE(a.leading, m);
  EXPECT_GE(x_increment, 1);
  EXPECT_GE(y_increment, 1);
  const std::int64_t rows = a.is_transposed ? n : m;
  const std::int64_t columns = a.is_transposed ? m : n;
  for (std::int64_t row = 0; row < rows; ++row) {
    Number sum = 0;
    for (std::int64_t i = 0; i < columns; ++i)
      sum += a.at<Number>(row, i) * static_cast<const Number*>(x)[i * x_increment];
    static_cast<Number*>(y)[row * y_increment] = sum;
  }
}

}  // namespace phalanx::libs
