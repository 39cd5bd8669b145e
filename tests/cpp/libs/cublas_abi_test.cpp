// Our declarations of cuBLAS against its own header, where there is one.
#if __has_include(<cublas_v2.h>)

#include <cublas_v2.h>
#include <gtest/gtest.h>

#include "phalanx/libs/cublas_library.h"
#include "tests/support/passes_alike.h"

namespace phalanx::libs {
namespace {

#define CUBLAS(name, symbol, type, parameters) \
  static_assert(                               \
      support::Alike<decltype(CublasFunctions::name), decltype(&::symbol)>::value, #symbol);
#include "phalanx/libs/cublas_table.def"
#undef CUBLAS

#define SAME(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))
SAME(cublas::success, CUBLAS_STATUS_SUCCESS);
SAME(cublas::allocation_failed, CUBLAS_STATUS_ALLOC_FAILED);
SAME(cublas::op_none, CUBLAS_OP_N);
SAME(cublas::op_transposed, CUBLAS_OP_T);
SAME(
    cublas::math_disallow_reduced_precision_reduction,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
SAME(cublas::compute_float32, CUBLAS_COMPUTE_32F);
SAME(cublas::compute_float64, CUBLAS_COMPUTE_64F);
SAME(cublas::real_float16, CUDA_R_16F);
SAME(cublas::real_bfloat16, CUDA_R_16BF);
SAME(cublas::real_float32, CUDA_R_32F);
SAME(cublas::real_float64, CUDA_R_64F);
SAME(cublas::complex_float32, CUDA_C_32F);
SAME(cublas::complex_float64, CUDA_C_64F);
SAME(cublas::default_algorithm, CUBLAS_GEMM_DEFAULT);
#undef SAME

TEST(CublasAbiTest, DeclarationsAreThoseOfTheHeader) {}

}  // namespace
}  // namespace phalanx::libs

#endif
