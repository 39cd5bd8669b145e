#include "phalanx/libs/cusolver_library.h"

#include "phalanx/libs/nvidia_library.h"

namespace phalanx::libs {
namespace {

constexpr runtime::LibraryEntry entries[] = {
#define CUSOLVER(name, symbol, type, parameters) {#name, #symbol},
#include "phalanx/libs/cusolver_table.def"
#undef CUSOLVER
};

}  // namespace

// 12 is CUDA 13's, 11 CUDA 12's.
runtime::LibraryChoice cusolver_choice() {
  return choice_of(
      {"cuSOLVER",
       "libcusolver",
       "PHALANX_CUSOLVER",
       {"12", "11"},
       "pip install nvidia-cusolver (CUDA 13) or nvidia-cusolver-cu12, or install the CUDA toolkit "
       "and set CUDA_HOME"});
}

const CusolverFunctions& cusolver_library() {
  static const runtime::LibraryTable<CusolverFunctions> table = [] {
    runtime::LibraryTable<CusolverFunctions> opened(cusolver_choice(), entries);
    const CusolverFunctions& functions = opened.functions();
    if (functions.orgqr_complex128 == nullptr || functions.gesvd == nullptr)
      opened.library().require_all();
    return opened;
  }();
  return table.functions();
}

}  // namespace phalanx::libs
