// The functions of cuSOLVER: where the library is, and its interface as we declare it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "phalanx/runtime/library_table.h"

namespace phalanx::libs {

using CusolverStatus = int;
using CusolverHandle = struct CusolverHandleTag*;
using CusolverParams = struct CusolverParamsTag*;

struct CusolverFunctions {
// A type takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CUSOLVER(name, symbol, type, parameters) type(*name) parameters = nullptr;
#include "phalanx/libs/cusolver_table.def"
#undef CUSOLVER
};

// The library's own numbers.
namespace cusolver {
inline constexpr CusolverStatus success = 0;
inline constexpr CusolverStatus allocation_failed = 2;
inline constexpr int lower_part = 0;
inline constexpr int upper_part = 1;
inline constexpr int op_none = 0;
inline constexpr int without_vectors = 0;
inline constexpr int with_vectors = 1;
}  // namespace cusolver

// PHALANX_CUSOLVER names it, else it is looked for.
runtime::LibraryChoice cusolver_choice();

// Opens it at the first call. `geev` is null where the library is older than it. Throws
// LibraryError.
const CusolverFunctions& cusolver_library();

}  // namespace phalanx::libs
