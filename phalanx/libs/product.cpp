#include "phalanx/libs/product.h"

#include <algorithm>

namespace phalanx::libs {
namespace {

// One direction of a matrix: `lines` of `length` elements, byte strides between both.
struct Direction {
  std::int64_t lines;
  std::int64_t length;
  std::int64_t line_stride;
  std::int64_t stride;
};

// The leading dimension where the elements of a line are next to each other and lines do not meet.
std::optional<std::int64_t> leading(const Direction& direction, std::int64_t item) {
  const std::int64_t least = std::max<std::int64_t>(direction.length, 1);
  if (direction.length > 1 && direction.stride != item)
    return std::nullopt;
  if (direction.lines <= 1)
    return least;
  if (direction.line_stride % item != 0 || direction.line_stride / item < least)
    return std::nullopt;
  return direction.line_stride / item;
}

}  // namespace

std::optional<Matrix> as_matrix(const StridedMatrix& matrix, std::size_t item_bytes) {
  const auto item = static_cast<std::int64_t>(item_bytes);
  const Direction rows = {matrix.rows, matrix.columns, matrix.row_stride, matrix.column_stride};
  if (const auto found = leading(rows, item))
    return Matrix{.address = matrix.address, .is_by_rows = true, .leading = *found};
  const Direction columns = {matrix.columns, matrix.rows, matrix.column_stride, matrix.row_stride};
  if (const auto found = leading(columns, item))
    return Matrix{.address = matrix.address, .is_by_rows = false, .leading = *found};
  return std::nullopt;
}

Product merged(Product product) {
  const bool follows = product.a.is_by_rows && product.a.step == product.rows * product.a.leading &&
                       product.c.step == product.rows * product.c.leading;
  if (product.count > 1 && product.b.step == 0 && follows) {
    product.rows *= product.count;
    product.count = 1;
    product.a.step = product.c.step = 0;
  }
  return product;
}

bool is_of_transpose(const Product& product) {
  const Matrix& a = product.a;
  const Matrix& b = product.b;
  return product.count == 1 && product.rows == product.columns && a.address == b.address &&
         a.leading == b.leading && a.is_by_rows != b.is_by_rows;
}

std::optional<MatrixVector> as_matrix_vector(const Product& product) {
  const Matrix& a = product.a;
  const Matrix& b = product.b;
  // A matrix by rows is its transpose by columns.
  if (product.columns == 1)
    return MatrixVector{
        .is_transposed = a.is_by_rows,
        .rows = a.is_by_rows ? product.inner : product.rows,
        .columns = a.is_by_rows ? product.rows : product.inner,
        .matrix = a,
        .x = b,
        .y = product.c,
        .x_increment = b.is_by_rows ? b.leading : 1,
        .y_increment = product.c.leading};
  if (product.rows == 1)
    return MatrixVector{
        .is_transposed = !b.is_by_rows,
        .rows = b.is_by_rows ? product.columns : product.inner,
        .columns = b.is_by_rows ? product.inner : product.columns,
        .matrix = b,
        .x = a,
        .y = product.c,
        .x_increment = a.is_by_rows ? 1 : a.leading,
        .y_increment = 1};
  return std::nullopt;
}

}  // namespace phalanx::libs
