// One product of matrices in memory, or of a stack of them, as BLAS can take it.
#pragma once

#include <cstdint>
#include <optional>

#include "phalanx/base/dtype.h"
#include "phalanx/runtime/buffer.h"

namespace phalanx::libs {

// Elements of a row, or else of a column, are next to each other.
struct Matrix {
  runtime::Address address = 0;
  bool is_by_rows = true;
  std::int64_t leading = 1;  // elements from one row to the next; else from one column to the next
  std::int64_t step = 0;     // elements from one matrix of the stack to the next; 0: it is one
};

// c = a b. Nothing of what is in c before is read.
struct Product {
  DType dtype = DType::float64;  // of all three
  std::int64_t rows = 0;         // of a and c
  std::int64_t columns = 0;      // of b and c
  std::int64_t inner = 0;        // columns of a, rows of b; above 0, as the other two are
  Matrix a;
  Matrix b;
  Matrix c;  // by rows
  std::int64_t count = 1;
};

// A matrix in memory by byte strides.
struct StridedMatrix {
  runtime::Address address = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;
};
// The same for BLAS. Nothing where the elements must be copied first: with gaps in both directions,
// backwards, or repeated.
std::optional<Matrix> as_matrix(const StridedMatrix& matrix, std::size_t item_bytes);

// One product where a stack of them has the same b and its a and c follow each other in memory.
Product merged(Product product);

// True if b is the transpose of a in the same memory: c is symmetric, and half of it is enough.
bool is_of_transpose(const Product& product);

// The product as BLAS's gemv takes it: y = op(matrix) x, with the matrix by columns in memory.
struct MatrixVector {
  bool is_transposed = false;
  std::int64_t rows = 0;  // in memory, before it is transposed
  std::int64_t columns = 0;
  Matrix matrix;
  Matrix x, y;                   // where they are; of their fields the address and the step count
  std::int64_t x_increment = 1;  // elements from one to the next
  std::int64_t y_increment = 1;
};
// Nothing unless a has one row or b one column.
std::optional<MatrixVector> as_matrix_vector(const Product& product);

}  // namespace phalanx::libs
