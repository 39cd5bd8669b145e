// Our declarations of cuSOLVER against its own header, where there is one.
#if __has_include(<cusolverDn.h>)

#include <cusolverDn.h>
#include <gtest/gtest.h>

#include "phalanx/libs/cusolver_library.h"
#include "tests/support/passes_alike.h"

namespace phalanx::libs {
namespace {

#define CUSOLVER(name, symbol, type, parameters) \
  static_assert(                                 \
      support::Alike<decltype(CusolverFunctions::name), decltype(&::symbol)>::value, #symbol);
#include "phalanx/libs/cusolver_table.def"
#undef CUSOLVER

#define SAME(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))
SAME(cusolver::success, CUSOLVER_STATUS_SUCCESS);
SAME(cusolver::allocation_failed, CUSOLVER_STATUS_ALLOC_FAILED);
SAME(cusolver::lower_part, CUBLAS_FILL_MODE_LOWER);
SAME(cusolver::upper_part, CUBLAS_FILL_MODE_UPPER);
SAME(cusolver::op_none, CUBLAS_OP_N);
SAME(cusolver::without_vectors, CUSOLVER_EIG_MODE_NOVECTOR);
SAME(cusolver::with_vectors, CUSOLVER_EIG_MODE_VECTOR);
#undef SAME

TEST(CusolverAbiTest, DeclarationsAreThoseOfTheHeader) {}

}  // namespace
}  // namespace phalanx::libs

#endif
