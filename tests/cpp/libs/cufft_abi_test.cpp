// Our declarations of cuFFT against its own header, where there is one.
#if __has_include(<cufftXt.h>)

#include <cufftXt.h>
#include <gtest/gtest.h>

#include "phalanx/libs/cufft_library.h"
#include "phalanx/libs/nvidia_types.h"
#include "tests/support/passes_alike.h"

namespace phalanx::libs {
namespace {

#define CUFFT(name, symbol, type, parameters) \
  static_assert(                              \
      support::Alike<decltype(CufftFunctions::name), decltype(&::symbol)>::value, #symbol);
#include "phalanx/libs/cufft_table.def"
#undef CUFFT

#define SAME(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))
SAME(cufft::success, CUFFT_SUCCESS);
SAME(cufft::allocation_failed, CUFFT_ALLOC_FAILED);
SAME(cufft::forward, CUFFT_FORWARD);
SAME(cufft::inverse, CUFFT_INVERSE);
SAME(*nvidia_type(DType::float16), CUDA_R_16F);
SAME(*nvidia_type(DType::bfloat16), CUDA_R_16BF);
SAME(*nvidia_type(DType::float32), CUDA_R_32F);
SAME(*nvidia_type(DType::float64), CUDA_R_64F);
SAME(*nvidia_type(DType::complex64), CUDA_C_32F);
SAME(*nvidia_type(DType::complex128), CUDA_C_64F);
#undef SAME

TEST(CufftAbiTest, DeclarationsAreThoseOfTheHeader) {}

}  // namespace
}  // namespace phalanx::libs

#endif
