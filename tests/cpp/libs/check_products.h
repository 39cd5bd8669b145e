// Products in every layout that is taken, through a library and by plain loops.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <limits>
#include <vector>

#include "phalanx/libs/product.h"

namespace phalanx::libs {

template <typename Number>
constexpr DType dtype_of = DType::float32;
template <>
inline constexpr DType dtype_of<double> = DType::float64;
template <>
inline constexpr DType dtype_of<std::complex<float>> = DType::complex64;
template <>
inline constexpr DType dtype_of<std::complex<double>> = DType::complex128;

// Matrices of a stack in memory with gaps.
template <typename Number>
struct Sample {
  std::vector<Number> numbers;
  Matrix matrix;

  Sample(std::int64_t rows, std::int64_t columns, bool is_by_rows, std::int64_t count = 1) {
    matrix.is_by_rows = is_by_rows;
    matrix.leading = (is_by_rows ? columns : rows) + 2;
    matrix.step = matrix.leading * (is_by_rows ? rows : columns) + 3;
    numbers.resize(static_cast<std::size_t>(matrix.step * count));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = Number(static_cast<float>(i % 11) - 5);
    matrix.address = reinterpret_cast<runtime::Address>(numbers.data());
  }
  Number at(std::int64_t number, std::int64_t row, std::int64_t column) const {
    const std::int64_t within =
        matrix.is_by_rows ? row * matrix.leading + column : row + column * matrix.leading;
    return numbers.at(static_cast<std::size_t>(number * matrix.step + within));
  }
};

struct SampleShape {
  std::int64_t rows;
  std::int64_t inner;
  std::int64_t columns;
  std::int64_t count = 1;
};

using Multiply = std::function<void(const Product& product)>;

// Whole numbers: all results are exact. What was in c before is not a number.
template <typename Number>
void check_product(const Multiply& multiply, SampleShape of, bool a_by_rows, bool b_by_rows) {
  const Sample<Number> a(of.rows, of.inner, a_by_rows, of.count);
  const Sample<Number> b(of.inner, of.columns, b_by_rows, of.count);
  const std::int64_t step = of.rows * of.columns;
  std::vector<Number> c(
      static_cast<std::size_t>(of.count * step), Number(std::numeric_limits<float>::quiet_NaN()));
  multiply(
      {.dtype = dtype_of<Number>,
       .rows = of.rows,
       .columns = of.columns,
       .inner = of.inner,
       .a = a.matrix,
       .b = b.matrix,
       .c =
           {.address = reinterpret_cast<runtime::Address>(c.data()),
            .leading = of.columns,
            .step = step},
       .count = of.count});
  std::size_t next = 0;
  for (std::int64_t number = 0; number < of.count; ++number) {
    for (std::int64_t row = 0; row < of.rows; ++row) {
      for (std::int64_t column = 0; column < of.columns; ++column) {
        Number expected = 0;
        for (std::int64_t i = 0; i < of.inner; ++i)
          expected += a.at(number, row, i) * b.at(number, i, column);
        ASSERT_EQ(c[next++], expected) << of.rows << " " << of.inner << " " << of.columns;
      }
    }
  }
}

template <typename Number>
void check_products(const Multiply& multiply) {
  const SampleShape shapes[] = {
      {3, 4, 5},
      {1, 4, 5},
      {3, 4, 1},
      {1, 4, 1},
      {3, 1, 5},
      {3, 4, 5, 6},
      {1, 4, 5, 3},
      {3, 4, 1, 2}};
  for (const SampleShape& shape : shapes) {
    for (const bool a_by_rows : {true, false}) {
      for (const bool b_by_rows : {true, false})
        check_product<Number>(multiply, shape, a_by_rows, b_by_rows);
    }
  }
}

}  // namespace phalanx::libs
