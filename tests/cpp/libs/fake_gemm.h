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

// c = op(a) op(b), m by k by n.
struct FakeGemm {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  FakeOperand a;
  FakeOperand b;
  void* c;
  std::int64_t c_leading;
};

// Expects what BLAS demands of its arguments.
template <typename Number>
void run(const FakeGemm& call) {
  EXPECT_GE(call.a.leading, call.a.is_transposed ? call.k : call.m);
  EXPECT_GE(call.b.leading, call.b.is_transposed ? call.n : call.k);
  EXPECT_GE(call.c_leading, call.m);
  for (std::int64_t column = 0; column < call.n; ++column) {
    for (std::int64_t row = 0; row < call.m; ++row) {
      Number sum = 0;
      for (std::int64_t i = 0; i < call.k; ++i)
        sum += call.a.at<Number>(row, i) * call.b.at<Number>(i, column);
      static_cast<Number*>(call.c)[row + column * call.c_leading] = sum;
    }
  }
}

// y = op(a) x, with a of m by n in memory.
struct FakeGemv {
  std::int64_t m;
  std::int64_t n;
  FakeOperand a;
  const void* x;
  std::int64_t x_increment;
  void* y;
  std::int64_t y_increment;

  std::int64_t rows() const { return a.is_transposed ? n : m; }
  std::int64_t columns() const { return a.is_transposed ? m : n; }
};

template <typename Number>
void run(const FakeGemv& call) {
  EXPECT_GE(call.a.leading, call.m);
  EXPECT_GE(call.x_increment, 1);
  EXPECT_GE(call.y_increment, 1);
  for (std::int64_t row = 0; row < call.rows(); ++row) {
    Number sum = 0;
    for (std::int64_t i = 0; i < call.columns(); ++i)
      sum += call.a.at<Number>(row, i) * static_cast<const Number*>(call.x)[i * call.x_increment];
    static_cast<Number*>(call.y)[row * call.y_increment] = sum;
  }
}

template <typename Number>
void expect_one_and_zero(const void* alpha, const void* beta) {
  EXPECT_EQ(*static_cast<const Number*>(alpha), Number(1));
  EXPECT_EQ(*static_cast<const Number*>(beta), Number(0));
}

}  // namespace phalanx::libs
