// Products of arrays in C++, by a library and without one.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/arrays/products.h"
#include "phalanx/base/errors.h"
#include "phalanx/libs/products.h"
#include "tests/cpp/arrays/harness.h"
#include "tests/cpp/libs/fake_function.h"
#include "tests/cpp/libs/fake_gemm.h"

namespace phalanx::arrays {
namespace {

using Numbers = std::vector<double>;

int calls = 0;

void gemm(const libs::arguments_of<libs::BlasGemm<int>>& call) {
  const auto& [op_a, op_b, m, n, k, alpha, a, a_leading, b, b_leading, beta, c, c_leading, x, y] =
      call;
  ++calls;
  libs::run<double>(libs::FakeGemm{
      *m, *n, *k, {*op_a == 'T', a, *a_leading}, {*op_b == 'T', b, *b_leading}, c, *c_leading});
}

struct ProductsTest : testing::TestWithParam<bool> {
  ProductsTest() {
    calls = 0;
    libs::BlasFunctions functions;
    if (GetParam())
      functions.gemm[1] = reinterpret_cast<void*>(libs::fake_function<libs::BlasGemm<int>, gemm>);
    products = std::make_shared<libs::Products>(libs::CpuBlas(functions));
    graph = std::make_unique<Graph>(in.engine, [](const auto& wait) { wait(); }, products);
  }
  // 0, 1, 2, ...
  Array counted(const Extents& shape) {
    Numbers numbers(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
    return from_host(*graph, shape, std::span<const double>(numbers));
  }
  void expect_calls(int count) const { EXPECT_EQ(calls, GetParam() ? count : 0); }

  Harness in;
  std::shared_ptr<libs::Products> products;
  std::unique_ptr<Graph> graph;
};
INSTANTIATE_TEST_SUITE_P(Libraries, ProductsTest, testing::Bool(), [](const auto& of) {
  return of.param ? "WithALibrary" : "WithoutALibrary";
});

TEST_P(ProductsTest, MatricesAndTransposes) {
  const Array a = counted({2, 3});
  EXPECT_EQ(to_host<double>(matmul(a, transpose(a))), (Numbers{5, 14, 14, 50}));
  EXPECT_EQ(to_host<double>(matmul(transpose(a), a)), (Numbers{9, 12, 15, 12, 17, 22, 15, 22, 29}));
  expect_calls(2);
}

TEST_P(ProductsTest, VectorsAndStacks) {
  const Array a = counted({2, 3});
  EXPECT_EQ(item<double>(matmul(counted({3}), counted({3}))), 5);
  EXPECT_EQ(to_host<double>(matmul(a, counted({3}))), (Numbers{5, 14}));
  EXPECT_EQ(to_host<double>(matmul(counted({2}), a)), (Numbers{3, 4, 5}));
  expect_calls(3);
  const Array stack = matmul(counted({2, 2, 3}), counted({3, 1}));
  EXPECT_EQ(stack.shape(), (Extents{2, 2, 1}));
  EXPECT_EQ(to_host<double>(stack), (Numbers{5, 14, 23, 32}));
  expect_calls(4);  // one product, as the right side is one
  const Array both = matmul(expand_dims(counted({2, 1, 3}), 1), counted({2, 3, 1}));
  EXPECT_EQ(to_host<double>(both), (Numbers{5, 14, 14, 50}));
}

TEST_P(ProductsTest, WhatBlasDoesNotTakeIsCopied) {
  const Array wide = counted({4, 6});
  const Array strided = slice(slice(wide, 0, 0, 4, 2), 1, 0, 6, 2);
  EXPECT_EQ(to_host<double>(matmul(strided, counted({3, 1}))), (Numbers{10, 46}));
  const Array rows = counted({1, 2}).broadcast({3, 2});
  EXPECT_EQ(to_host<double>(matmul(rows, counted({2, 1}))), (Numbers{1, 1, 1}));
  expect_calls(2);
}

TEST_P(ProductsTest, EmptyProductsAreZeros) {
  EXPECT_EQ(to_host<double>(matmul(counted({2, 0}), counted({0, 2}))), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(item<double>(matmul(counted({0}), counted({0}))), 0);
  EXPECT_EQ(matmul(counted({0, 2}), counted({2, 3})).shape(), (Extents{0, 3}));
  EXPECT_EQ(calls, 0);
}

TEST_P(ProductsTest, WholeNumbersAreFused) {
  const Array x = arange(*graph, 4);
  EXPECT_EQ(item<std::int64_t>(matmul(x, x + 1)), 20);
  EXPECT_EQ(calls, 0);
}

TEST_P(ProductsTest, ShapesThatDoNotFitAreErrors) {
  EXPECT_THROW(matmul(counted({2, 3}), counted({2, 3})), ShapeError);
  EXPECT_THROW(matmul(counted({2, 2, 3}), counted({3, 3, 3})), ShapeError);
  EXPECT_THROW(matmul(sum(counted({2})), counted({2})), ValueError);
  EXPECT_THROW(matvec(*graph, counted({2}).value(), counted({2}).value()), ValueError);
  EXPECT_THROW(vecdot(*graph, counted({3}).value(), counted({1}).value()), ShapeError);
}

}  // namespace
}  // namespace phalanx::arrays
