// What BLAS takes as it is, and what must be copied.
#include "phalanx/libs/product.h"

#include <gtest/gtest.h>

namespace phalanx::libs {
namespace {

std::optional<Matrix> doubles(
    std::int64_t rows, std::int64_t columns, std::int64_t row_stride, std::int64_t column_stride) {
  return as_matrix({0x1000, rows, columns, 8 * row_stride, 8 * column_stride}, 8);
}

TEST(ProductTest, MatricesByRowsAndByColumnsAreTaken) {
  const auto rows = doubles(3, 4, 4, 1);
  ASSERT_TRUE(rows);
  EXPECT_TRUE(rows->is_by_rows);
  EXPECT_EQ(rows->leading, 4);
  EXPECT_EQ(rows->address, 0x1000U);
  const auto columns = doubles(3, 4, 1, 3);
  ASSERT_TRUE(columns);
  EXPECT_FALSE(columns->is_by_rows);
  EXPECT_EQ(columns->leading, 3);
  EXPECT_EQ(doubles(3, 4, 10, 1)->leading, 10);  // with gaps between the rows
}

TEST(ProductTest, VectorsAreTakenWithGaps) {
  EXPECT_TRUE(doubles(5, 1, 2, 99)->is_by_rows);
  EXPECT_EQ(doubles(5, 1, 2, 99)->leading, 2);
  EXPECT_FALSE(doubles(1, 5, 99, 3)->is_by_rows);
  EXPECT_EQ(doubles(1, 5, 99, 3)->leading, 3);
  EXPECT_EQ(doubles(1, 5, 99, 1)->leading, 5);  // not less than a row
  EXPECT_EQ(doubles(1, 1, 0, 0)->leading, 1);
}

TEST(ProductTest, OthersAreNot) {
  EXPECT_FALSE(doubles(3, 4, 8, 2));   // gaps in both directions
  EXPECT_FALSE(doubles(3, 4, -4, 1));  // backwards
  EXPECT_FALSE(doubles(3, 4, 4, -1));
  EXPECT_FALSE(doubles(3, 4, 0, 1));                  // one row, repeated
  EXPECT_FALSE(doubles(3, 4, 2, 1));                  // rows that overlap
  EXPECT_FALSE(as_matrix({0x1000, 3, 4, 36, 8}, 8));  // rows that begin amid an element
}

TEST(ProductTest, AStackWithOneRightSideIsOneProduct) {
  const Product stack = {
      .rows = 3,
      .columns = 5,
      .inner = 4,
      .a = {.leading = 4, .step = 12},
      .b = {.leading = 5},
      .c = {.leading = 5, .step = 15},
      .count = 7};
  EXPECT_EQ(merged(stack).count, 1);
  EXPECT_EQ(merged(stack).rows, 21);
  Product apart = stack;
  apart.a.step = 13;
  EXPECT_EQ(merged(apart).count, 7);
  Product other = stack;
  other.b.step = 20;
  EXPECT_EQ(merged(other).count, 7);
}

}  // namespace
}  // namespace phalanx::libs
