// The functions of cuBLAS: where the library is, and its interface as we declare it.
#pragma once

#include <cstdint>

#include "phalanx/runtime/library_table.h"

namespace phalanx::libs {

using CublasStatus = int;
using CublasHandle = struct CublasHandleTag*;

struct CublasFunctions {
// A type takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CUBLAS(name, symbol, type, parameters) type(*name) parameters = nullptr;
#include "phalanx/libs/cublas_table.def"
#undef CUBLAS
};

// The library's own numbers.
namespace cublas {
inline constexpr CublasStatus success = 0;
inline constexpr CublasStatus allocation_failed = 3;
inline constexpr int op_none = 0;
inline constexpr int op_transposed = 1;
// Partial sums of float16 are of float32 too.
inline constexpr int math_disallow_reduced_precision_reduction = 16;
inline constexpr int compute_float32 = 68;  // all bits of it: no TF32
inline constexpr int compute_float64 = 70;
inline constexpr int real_float16 = 2;
inline constexpr int real_bfloat16 = 14;
inline constexpr int real_float32 = 0;
inline constexpr int real_float64 = 1;
inline constexpr int complex_float32 = 4;
inline constexpr int complex_float64 = 5;
inline constexpr int default_algorithm = -1;
}  // namespace cublas

// PHALANX_CUBLAS names it, else it is looked for.
runtime::LibraryChoice cublas_choice();

// Opens it at the first call. Throws LibraryError.
const CublasFunctions& cublas_library();

}  // namespace phalanx::libs
