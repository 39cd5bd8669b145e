// BLAS's subroutines as Fortran has them: all arguments by address, the lengths of texts after
// them.
#pragma once

#include <array>
#include <cstddef>

namespace phalanx::libs {

template <typename Integer>
using BlasGemm = void (*)(
    const char* op_a,
    const char* op_b,
    const Integer* m,
    const Integer* n,
    const Integer* k,
    const void* alpha,
    const void* a,
    const Integer* a_leading,
    const void* b,
    const Integer* b_leading,
    const void* beta,
    void* c,
    const Integer* c_leading,
    std::size_t op_a_length,
    std::size_t op_b_length);
template <typename Integer>
using BlasGemv = void (*)(
    const char* op,
    const Integer* m,
    const Integer* n,
    const void* alpha,
    const void* a,
    const Integer* leading,
    const void* x,
    const Integer* x_increment,
    const void* beta,
    void* y,
    const Integer* y_increment,
    std::size_t op_length);
template <typename Integer>
using BlasSyrk = void (*)(
    const char* part,
    const char* op,
    const Integer* n,
    const Integer* k,
    const void* alpha,
    const void* a,
    const Integer* leading,
    const void* beta,
    void* c,
    const Integer* c_leading,
    std::size_t part_length,
    std::size_t op_length);
template <typename Number, typename Integer>
using BlasDot = Number (*)(
    const Integer* n,
    const void* x,
    const Integer* x_increment,
    const void* y,
    const Integer* y_increment);

// Those of float32, float64, complex64 and complex128; null where there is none.
struct BlasFunctions {
  std::array<void*, 4> gemm = {};
  std::array<void*, 4> gemv = {};
  std::array<void*, 4> syrk = {};
  // The first two only: Fortran compilers differ in how a function gives back complex numbers.
  std::array<void*, 2> dot = {};
  bool has_wide_integers = false;  // of 64 bits; else of 32
};

}  // namespace phalanx::libs
