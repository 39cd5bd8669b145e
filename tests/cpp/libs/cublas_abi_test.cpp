// Our declarations of cuBLAS against its own header, where there is one.
#if __has_include(<cublas_v2.h>)

#include <cublas_v2.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "phalanx/libs/cublas_library.h"

namespace phalanx::libs {
namespace {

// Two types that are passed alike: both pointers, or both numbers of one size and kind.
template <typename A, typename B>
constexpr bool passes_alike() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>)
    return std::is_pointer_v<A> && std::is_pointer_v<B>;
  else
    return sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
}

template <typename Ours, typename Theirs>
struct Alike : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
  requires(sizeof...(A) == sizeof...(B))
struct Alike<R (*)(A...), S (*)(B...)>
    : std::bool_constant<passes_alike<R, S>() && (passes_alike<A, B>() && ...)> {};

#define CUBLAS(name, symbol, type, parameters) \
  static_assert(Alike<decltype(CublasFunctions::name), decltype(&::symbol)>::value, #symbol);
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
