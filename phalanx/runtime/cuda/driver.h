// The GPU driver as a table of functions, filled from libcuda when it is there.
#pragma once

#include <string>
#include <string_view>

#include "phalanx/runtime/cuda/driver_types.h"

namespace phalanx::runtime::cuda {

// The oldest driver that has all functions of the table: CUDA 11.8.
inline constexpr int oldest_driver = 11080;

struct Driver {
#define DRIVER(name, symbol, parameters) Result(*name) parameters = nullptr;
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER
};

struct LoadedDriver {
  Driver table;         // complete when `problem` is empty
  std::string path;     // of the library
  std::string problem;  // why it cannot be used
  int version = 0;
};

// Opens libcuda and fills the table; starts nothing.
LoadedDriver load_driver(const std::string& library = "libcuda.so.1");

// What users are told when the driver is too old; `missing`: a function that it lacks, if known.
std::string too_old_text(int version, const std::string& missing);

// The driver's name of the function in a call that CU spelled: "cuMemAlloc" for
// "memory_allocate(&pointer, bytes)".
std::string_view symbol_of(const char* call);

// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
std::string error_text(const Driver& driver, Result error);

// Throws DeviceError, or OutOfMemoryError, with the call's name and the driver's words.
[[noreturn]] void throw_driver_error(const Driver& driver, Result error, const char* call);

inline void check(const Driver& driver, Result error, const char* call) {
  if (error != result::success)
    throw_driver_error(driver, error, call);
}

}  // namespace phalanx::runtime::cuda

// Calls a function of the table `driver` and checks its result: CU(driver, device_count(&n)).
#define CU(driver, call) ::phalanx::runtime::cuda::check((driver), (driver).call, #call)
