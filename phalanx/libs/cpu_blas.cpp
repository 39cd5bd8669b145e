#include "phalanx/libs/cpu_blas.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/lapack_library.h"

namespace phalanx::libs {
namespace {

using runtime::Address;

// Where a type is in the tables, and 1 and 0 of it.
struct Numbers {
  std::size_t index;
  const void* one;
  const void* zero;
};

template <typename Number>
Numbers numbers(std::size_t index) {
  static constexpr Number one = 1;
  static constexpr Number zero = 0;
  return {index, &one, &zero};
}

std::optional<Numbers> numbers_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return numbers<float>(0);
    case DType::float64:
      return numbers<double>(1);
    case DType::complex64:
      return numbers<std::complex<float>>(2);
    case DType::complex128:
      return numbers<std::complex<double>>(3);
    default:
      return std::nullopt;
  }
}

// The matrix of that number in the stack.
void* matrix_at(const Matrix& matrix, std::int64_t number, DType dtype) {
  const std::int64_t offset = number * matrix.step * static_cast<std::int64_t>(size_of(dtype));
  const Address address = matrix.address + static_cast<Address>(offset);
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// Rows in memory are BLAS's columns: of the transposes c' = b' a' all three are as it takes them.
template <typename Integer>
void call_gemm(void* function, const Product& product, const Numbers& with) {
  const char op_a = product.a.is_by_rows ? 'N' : 'T';
  const char op_b = product.b.is_by_rows ? 'N' : 'T';
  const auto rows = static_cast<Integer>(product.rows);
  const auto columns = static_cast<Integer>(product.columns);
  const auto inner = static_cast<Integer>(product.inner);
  const auto a_leading = static_cast<Integer>(product.a.leading);
  const auto b_leading = static_cast<Integer>(product.b.leading);
  const auto c_leading = static_cast<Integer>(product.c.leading);
  for (std::int64_t i = 0; i < product.count; ++i)
    reinterpret_cast<BlasGemm<Integer>>(function)(
        &op_b,
        &op_a,
        &columns,
        &rows,
        &inner,
        with.one,
        matrix_at(product.b, i, product.dtype),
        &b_leading,
        matrix_at(product.a, i, product.dtype),
        &a_leading,
        with.zero,
        matrix_at(product.c, i, product.dtype),
        &c_leading,
        1,
        1);
}

// The upper half by rows from the lower one, in tiles that the nearest cache holds.
template <typename Number>
void mirror(Number* c, std::int64_t size, std::int64_t leading) {
  constexpr std::int64_t tile = 32;
  for (std::int64_t top = 0; top < size; top += tile) {
    for (std::int64_t left = top; left < size; left += tile) {
      const std::int64_t bottom = std::min(top + tile, size);
      const std::int64_t right = std::min(left + tile, size);
      for (std::int64_t row = top; row < bottom; ++row) {
        for (std::int64_t column = std::max(left, row + 1); column < right; ++column)
          c[row * leading + column] = c[column * leading + row];
      }
    }
  }
}

void mirror(const Product& product) {
  void* const c = matrix_at(product.c, 0, product.dtype);
  const std::int64_t leading = product.c.leading;
  switch (size_of(product.dtype)) {
    case 4:
      return mirror(static_cast<float*>(c), product.rows, leading);
    case 8:
      return mirror(static_cast<double*>(c), product.rows, leading);
    default:
      return mirror(static_cast<std::complex<double>*>(c), product.rows, leading);
  }
}

// The upper part by columns is the lower one by rows.
template <typename Integer>
void call_syrk(void* function, const Product& product, const Numbers& with) {
  const char part = 'U';
  const char op = product.a.is_by_rows ? 'T' : 'N';
  const auto size = static_cast<Integer>(product.rows);
  const auto inner = static_cast<Integer>(product.inner);
  const auto leading = static_cast<Integer>(product.a.leading);
  const auto c_leading = static_cast<Integer>(product.c.leading);
  reinterpret_cast<BlasSyrk<Integer>>(function)(
      &part,
      &op,
      &size,
      &inner,
      with.one,
      matrix_at(product.a, 0, product.dtype),
      &leading,
      with.zero,
      matrix_at(product.c, 0, product.dtype),
      &c_leading,
      1,
      1);
  mirror(product);
}

// A library that multiplies what is in y by beta, also by 0, would keep NaN.
void clear(void* y, const MatrixVector& product, DType dtype) {
  const auto length =
      static_cast<std::size_t>(product.is_transposed ? product.columns : product.rows);
  const std::size_t item = size_of(dtype);
  if (product.y_increment == 1) {
    std::memset(y, 0, length * item);
    return;
  }
  for (std::size_t i = 0; i < length; ++i)
    std::memset(
        static_cast<std::byte*>(y) + i * item * static_cast<std::size_t>(product.y_increment),
        0,
        item);
}

template <typename Integer>
void call_gemv(
    void* function,
    const MatrixVector& product,
    std::int64_t count,
    DType dtype,
    const Numbers& with) {
  const char op = product.is_transposed ? 'T' : 'N';
  const auto rows = static_cast<Integer>(product.rows);
  const auto columns = static_cast<Integer>(product.columns);
  const auto leading = static_cast<Integer>(product.matrix.leading);
  const auto x_increment = static_cast<Integer>(product.x_increment);
  const auto y_increment = static_cast<Integer>(product.y_increment);
  for (std::int64_t i = 0; i < count; ++i) {
    void* const y = matrix_at(product.y, i, dtype);
    clear(y, product, dtype);
    reinterpret_cast<BlasGemv<Integer>>(function)(
        &op,
        &rows,
        &columns,
        with.one,
        matrix_at(product.matrix, i, dtype),
        &leading,
        matrix_at(product.x, i, dtype),
        &x_increment,
        with.zero,
        y,
        &y_increment,
        1);
  }
}

template <typename Number, typename Integer>
void call_dot(void* function, const Product& product) {
  const auto length = static_cast<Integer>(product.inner);
  const auto a_increment = static_cast<Integer>(product.a.is_by_rows ? 1 : product.a.leading);
  const auto b_increment = static_cast<Integer>(product.b.is_by_rows ? product.b.leading : 1);
  for (std::int64_t i = 0; i < product.count; ++i)
    *static_cast<Number*>(matrix_at(product.c, i, product.dtype)) =
        reinterpret_cast<BlasDot<Number, Integer>>(function)(
            &length,
            matrix_at(product.a, i, product.dtype),
            &a_increment,
            matrix_at(product.b, i, product.dtype),
            &b_increment);
}

template <typename Integer>
void call(const BlasFunctions& functions, const Product& product, const Numbers& with) {
  void* const gemv = functions.gemv.at(with.index);
  void* const syrk = functions.syrk.at(with.index);
  const bool is_dot = product.rows == 1 && product.columns == 1;
  void* const dot = is_dot && with.index < 2 ? functions.dot.at(with.index) : nullptr;
  const auto vector = as_matrix_vector(product);
  if (dot != nullptr && product.dtype == DType::float32)
    call_dot<float, Integer>(dot, product);
  else if (dot != nullptr)
    call_dot<double, Integer>(dot, product);
  else if (vector && gemv != nullptr)
    call_gemv<Integer>(gemv, *vector, product.count, product.dtype, with);
  else if (syrk != nullptr && is_of_transpose(product))
    call_syrk<Integer>(syrk, product, with);
  else
    call_gemm<Integer>(functions.gemm.at(with.index), product, with);
}

}  // namespace

CpuBlas CpuBlas::of_process() {
  const runtime::LapackLibrary& library = runtime::lapack_library();
  BlasFunctions functions{.has_wide_integers = library.has_wide_integers()};
  if (library.is_there()) {
    const std::string letters = "sdcz";
    for (std::size_t i = 0; i < letters.size(); ++i) {
      functions.gemm.at(i) = library.find(letters[i] + std::string("gemm"));
      functions.gemv.at(i) = library.find(letters[i] + std::string("gemv"));
      functions.syrk.at(i) = library.find(letters[i] + std::string("syrk"));
    }
    for (std::size_t i = 0; i < functions.dot.size(); ++i)
      functions.dot.at(i) = library.find(letters[i] + std::string("dot"));
  }
  return CpuBlas(functions);
}

bool CpuBlas::takes(DType dtype) const {
  const auto with = numbers_of(dtype);
  return with && functions_.gemm.at(with->index) != nullptr;
}

std::int64_t CpuBlas::most_extent() const {
  return functions_.has_wide_integers ? std::numeric_limits<std::int64_t>::max()
                                      : std::numeric_limits<std::int32_t>::max();
}

void CpuBlas::multiply(const Product& product) const {
  PHX_ASSERT(takes(product.dtype));
  const Product one = merged(product);
  const Numbers with = *numbers_of(product.dtype);
  if (functions_.has_wide_integers)
    call<std::int64_t>(functions_, one, with);
  else
    call<std::int32_t>(functions_, one, with);
}

}  // namespace phalanx::libs
