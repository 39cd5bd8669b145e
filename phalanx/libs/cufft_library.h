// The functions of cuFFT: where the library is, and its interface as we declare it.
#pragma once

#include <cstddef>

#include "phalanx/runtime/library_table.h"

namespace phalanx::libs {

using CufftStatus = int;
using CufftPlan = int;

struct CufftFunctions {
// A type takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CUFFT(name, symbol, type, parameters) type(*name) parameters = nullptr;
#include "phalanx/libs/cufft_table.def"
#undef CUFFT
};

// The library's own numbers.
namespace cufft {
inline constexpr CufftStatus success = 0;
inline constexpr CufftStatus allocation_failed = 2;
inline constexpr int forward = -1;
inline constexpr int inverse = 1;
}  // namespace cufft

// PHALANX_CUFFT names it, else it is looked for.
runtime::LibraryChoice cufft_choice();

// Opens it at the first call. Throws LibraryError.
const CufftFunctions& cufft_library();

}  // namespace phalanx::libs
