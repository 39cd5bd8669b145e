// What the fake driver's source files share.
#pragma once

#include <cstddef>
#include <string>

#include "phalanx/runtime/cuda/driver.h"

namespace phalanx::support {

// The current context of the calling thread.
runtime::cuda::ContextHandle& current_context();

// Reports that our own code broke the driver's rules, and ends the test run: no test may hide it.
[[noreturn]] void misuse(const std::string& what);

template <typename Handle>
Handle handle_of(void* object) {
  return reinterpret_cast<Handle>(object);
}

inline std::byte* host(runtime::cuda::DevicePointer pointer) {
  return reinterpret_cast<std::byte*>(pointer);
}

}  // namespace phalanx::support
