#include "phalanx/libs/cufft_library.h"

#include "phalanx/libs/nvidia_library.h"

namespace phalanx::libs {
namespace {

constexpr runtime::LibraryEntry entries[] = {
#define CUFFT(name, symbol, type, parameters) {#name, #symbol},
#include "phalanx/libs/cufft_table.def"
#undef CUFFT
};

}  // namespace

// 12 is CUDA 13's, 11 CUDA 12's.
runtime::LibraryChoice cufft_choice() {
  return choice_of(
      {"cuFFT",
       "libcufft",
       "PHALANX_CUFFT",
       {"12", "11"},
       "pip install nvidia-cufft (CUDA 13) or nvidia-cufft-cu12, or install the CUDA toolkit and "
       "set CUDA_HOME"});
}

const CufftFunctions& cufft_library() {
  static const runtime::LibraryTable<CufftFunctions> table = [] {
    runtime::LibraryTable<CufftFunctions> opened(cufft_choice(), entries);
    opened.library().require_all();
    return opened;
  }();
  return table.functions();
}

}  // namespace phalanx::libs
