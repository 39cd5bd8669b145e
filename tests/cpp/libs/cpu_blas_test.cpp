// What the process's BLAS is called with, by fake Fortran subroutines of both widths of integers.
#include "phalanx/libs/cpu_blas.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>

#include "phalanx/runtime/lapack_library.h"
#include "tests/cpp/libs/check_products.h"
#include "tests/cpp/libs/fake_gemm.h"

namespace phalanx::libs {
namespace {

int gemm_calls = 0;
int gemv_calls = 0;
int dot_calls = 0;

template <typename Number, typename Integer>
void gemm(
    const char* op_a,
    const char* op_b,
    const Integer* m,
    const Integer* n,
    const Integer* k,
    const Number* alpha,
    const void* a,
    const Integer* a_leading,
    const void* b,
    const Integer* b_leading,
    const Number* beta,
    void* c,
    const Integer* c_leading,
    std::size_t op_a_length,
    std::size_t op_b_length) {
  ++gemm_calls;
  EXPECT_EQ(*alpha, Number(1));
  EXPECT_EQ(*beta, Number(0));
  EXPECT_EQ(op_a_length + op_b_length, 2U);
  fake_gemm<Number>(
      *m, *n, *k, {*op_a == 'T', a, *a_leading}, {*op_b == 'T', b, *b_leading}, c, *c_leading);
}

// As libraries that multiply what is in y by beta: NaN stays.
template <typename Number, typename Integer>
void gemv(
    const char* op,
    const Integer* m,
    const Integer* n,
    const Number* alpha,
    const void* a,
    const Integer* leading,
    const void* x,
    const Integer* x_increment,
    const Number* beta,
    void* y,
    const Integer* y_increment,
    std::size_t op_length) {
  ++gemv_calls;
  EXPECT_EQ(*alpha, Number(1));
  EXPECT_EQ(*beta, Number(0));
  EXPECT_EQ(op_length, 1U);
  const bool is_transposed = *op == 'T';
  for (Integer i = 0; i < (is_transposed ? *n : *m); ++i)
    EXPECT_EQ(static_cast<Number*>(y)[i * *y_increment], Number(0));
  fake_gemv<Number>(*m, *n, {is_transposed, a, *leading}, x, *x_increment, y, *y_increment);
}

template <typename Number, typename Integer>
Number dot(
    const Integer* n,
    const Number* x,
    const Integer* x_increment,
    const Number* y,
    const Integer* y_increment) {
  ++dot_calls;
  Number sum = 0;
  for (Integer i = 0; i < *n; ++i) sum += x[i * *x_increment] * y[i * *y_increment];
  return sum;
}

template <typename Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

template <typename Integer>
CpuBlas fake() {
  return CpuBlas(
      {.gemm =
           {address(gemm<float, Integer>),
            address(gemm<double, Integer>),
            address(gemm<std::complex<float>, Integer>),
            address(gemm<std::complex<double>, Integer>)},
       .gemv =
           {address(gemv<float, Integer>),
            address(gemv<double, Integer>),
            address(gemv<std::complex<float>, Integer>),
            address(gemv<std::complex<double>, Integer>)},
       .dot = {address(dot<float, Integer>), address(dot<double, Integer>)},
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

TEST(CpuBlasTest, TheProcesssLibraryMultiplies) {
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
