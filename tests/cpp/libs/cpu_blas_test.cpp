// What the process's BLAS is called with, by fake Fortran subroutines of both widths of integers.
#include "phalanx/libs/cpu_blas.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "phalanx/runtime/lapack_library.h"
#include "tests/cpp/libs/check_products.h"
#include "tests/cpp/libs/fake_function.h"
#include "tests/cpp/libs/fake_gemm.h"

namespace phalanx::libs {
namespace {

int gemm_calls = 0;
int gemv_calls = 0;
int dot_calls = 0;
int syrk_calls = 0;

template <typename Number, typename Integer>
void gemm(const arguments_of<BlasGemm<Integer>>& call) {
  const auto& [op_a, op_b, m, n, k, alpha, a, a_leading, b, b_leading, beta, c, c_leading, x, y] =
      call;
  ++gemm_calls;
  EXPECT_EQ(x + y, 2U) << "the lengths of the texts";
  expect_one_and_zero<Number>(alpha, beta);
  run<Number>(FakeGemm{
      *m, *n, *k, {*op_a == 'T', a, *a_leading}, {*op_b == 'T', b, *b_leading}, c, *c_leading});
}

template <typename Number, typename Integer>
void gemv(const arguments_of<BlasGemv<Integer>>& call) {
  const auto& [op, m, n, alpha, a, leading, x, x_increment, beta, y, y_increment, length] = call;
  ++gemv_calls;
  EXPECT_EQ(length, 1U);
  expect_one_and_zero<Number>(alpha, beta);
  const FakeGemv product = {*m, *n, {*op == 'T', a, *leading}, x, *x_increment, y, *y_increment};
  // Some libraries multiply it by beta, and NaN stays.
  for (std::int64_t i = 0; i < product.rows(); ++i)
    EXPECT_EQ(static_cast<Number*>(y)[i * *y_increment], Number(0));
  run<Number>(product);
}

template <typename Number, typename Integer>
Number dot(const arguments_of<BlasDot<Number, Integer>>& call) {
  const auto& [n, x, x_increment, y, y_increment] = call;
  ++dot_calls;
  Number sum = 0;
  for (Integer i = 0; i < *n; ++i)
    sum += static_cast<const Number*>(x)[i * *x_increment] *
           static_cast<const Number*>(y)[i * *y_increment];
  return sum;
}

// Leaves the lower part by columns as it is.
template <typename Number, typename Integer>
void syrk(const arguments_of<BlasSyrk<Integer>>& call) {
  const auto& [part, op, n, k, alpha, a, leading, beta, c, c_leading, x, y] = call;
  ++syrk_calls;
  EXPECT_EQ(*part, 'U');
  EXPECT_EQ(x + y, 2U);
  expect_one_and_zero<Number>(alpha, beta);
  std::vector<Number> whole(static_cast<std::size_t>(*n * *n));
  const bool is_transposed = *op == 'T';
  run<Number>(FakeGemm{
      *n, *n, *k, {is_transposed, a, *leading}, {!is_transposed, a, *leading}, whole.data(), *n});
  for (Integer column = 0; column < *n; ++column) {
    for (Integer row = 0; row <= column; ++row)
      static_cast<Number*>(c)[row + column * *c_leading] =
          whole[static_cast<std::size_t>(row + column * *n)];
  }
}

template <typename Number, typename Integer>
void* fake_syrk() {
  return reinterpret_cast<void*>(fake_function<BlasSyrk<Integer>, syrk<Number, Integer>>);
}
template <typename Number, typename Integer>
void* fake_gemm() {
  return reinterpret_cast<void*>(fake_function<BlasGemm<Integer>, gemm<Number, Integer>>);
}
template <typename Number, typename Integer>
void* fake_gemv() {
  return reinterpret_cast<void*>(fake_function<BlasGemv<Integer>, gemv<Number, Integer>>);
}
template <typename Number, typename Integer>
void* fake_dot() {
  return reinterpret_cast<void*>(fake_function<BlasDot<Number, Integer>, dot<Number, Integer>>);
}

template <typename Integer>
CpuBlas fake() {
  return CpuBlas(
      {.gemm =
           {fake_gemm<float, Integer>(),
            fake_gemm<double, Integer>(),
            fake_gemm<std::complex<float>, Integer>(),
            fake_gemm<std::complex<double>, Integer>()},
       .gemv =
           {fake_gemv<float, Integer>(),
            fake_gemv<double, Integer>(),
            fake_gemv<std::complex<float>, Integer>(),
            fake_gemv<std::complex<double>, Integer>()},
       .syrk =
           {fake_syrk<float, Integer>(),
            fake_syrk<double, Integer>(),
            fake_syrk<std::complex<float>, Integer>(),
            fake_syrk<std::complex<double>, Integer>()},
       .dot = {fake_dot<float, Integer>(), fake_dot<double, Integer>()},
       .has_wide_integers = sizeof(Integer) == 8});
}

template <typename Integer>
void check_all_types() {
  const CpuBlas blas = fake<Integer>();
  const auto multiply = [&](const Product& product) { blas.multiply(product); };
  check_products<float>(multiply);
  check_products<double>(multiply);
  check_products<std::complex<float>>(multiply);
  check_products<std::complex<double>>(multiply);
}

TEST(CpuBlasTest, MultipliesByRowsThroughSubroutinesByColumns) {
  check_all_types<std::int32_t>();
  check_all_types<std::int64_t>();
}

TEST(CpuBlasTest, VectorsHaveCallsOfTheirOwn) {
  gemm_calls = gemv_calls = dot_calls = 0;
  const CpuBlas blas = fake<std::int32_t>();
  const auto multiply = [&](const Product& product) { blas.multiply(product); };
  check_product<double>(multiply, {3, 4, 1}, true, true);
  check_product<double>(multiply, {1, 4, 5}, true, true);
  EXPECT_EQ(gemm_calls, 0);
  EXPECT_EQ(gemv_calls, 2);
  check_product<double>(multiply, {1, 4, 1}, false, true);
  check_product<float>(multiply, {1, 4, 1, 3}, true, true);
  EXPECT_EQ(dot_calls, 4);
  check_product<std::complex<float>>(multiply, {1, 4, 1}, false, true);
  EXPECT_EQ(gemv_calls, 3);
  check_product<double>(multiply, {3, 4, 5, 6}, true, true);
  EXPECT_EQ(gemm_calls, 6);
}

template <typename Number>
void check_own_transpose(const CpuBlas& blas, bool is_by_rows) {
  const std::int64_t rows = 70;
  const std::int64_t inner = 3;
  const Sample<Number> a(rows, inner, is_by_rows);
  std::vector<Number> c(
      static_cast<std::size_t>(rows * rows), Number(std::numeric_limits<float>::quiet_NaN()));
  Matrix transposed = a.matrix;
  transposed.is_by_rows = !is_by_rows;
  blas.multiply(
      {.dtype = dtype_of<Number>,
       .rows = rows,
       .columns = rows,
       .inner = inner,
       .a = a.matrix,
       .b = transposed,
       .c = {.address = reinterpret_cast<runtime::Address>(c.data()), .leading = rows}});
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < rows; ++column) {
      Number expected = 0;
      for (std::int64_t i = 0; i < inner; ++i) expected += a.at(0, row, i) * a.at(0, column, i);
      ASSERT_EQ(c.at(static_cast<std::size_t>(row * rows + column)), expected);
    }
  }
}

TEST(CpuBlasTest, OfProductsWithTheOwnTransposeHalfIsComputed) {
  syrk_calls = 0;
  for (const bool is_by_rows : {true, false}) {
    check_own_transpose<float>(fake<std::int32_t>(), is_by_rows);
    check_own_transpose<double>(fake<std::int64_t>(), is_by_rows);
    check_own_transpose<std::complex<float>>(fake<std::int32_t>(), is_by_rows);
    check_own_transpose<std::complex<double>>(fake<std::int64_t>(), is_by_rows);
    if (runtime::lapack_library().is_there())
      check_own_transpose<std::complex<double>>(CpuBlas::of_process(), is_by_rows);
  }
  EXPECT_EQ(syrk_calls, 8);
}

TEST(CpuBlasTest, TakesWhatTheLibraryHas) {
  const CpuBlas none({});
  EXPECT_FALSE(none.takes(DType::float64));
  const CpuBlas blas = fake<std::int32_t>();
  EXPECT_TRUE(blas.takes(DType::float32));
  EXPECT_TRUE(blas.takes(DType::complex128));
  EXPECT_FALSE(blas.takes(DType::int32));
  EXPECT_FALSE(blas.takes(DType::float16));
  EXPECT_EQ(blas.most_extent(), 0x7fffffff);
  EXPECT_GT(fake<std::int64_t>().most_extent(), std::int64_t{0x7fffffff});
}

TEST(CpuBlasTest, TheLibraryOfTheProcessMultiplies) {
  if (!runtime::lapack_library().is_there())
    GTEST_SKIP() << "no LAPACK here";
  const CpuBlas blas = CpuBlas::of_process();
  const auto multiply = [&](const Product& product) { blas.multiply(product); };
  check_products<float>(multiply);
  check_products<double>(multiply);
  check_products<std::complex<float>>(multiply);
  check_products<std::complex<double>>(multiply);
}

}  // namespace
}  // namespace phalanx::libs
