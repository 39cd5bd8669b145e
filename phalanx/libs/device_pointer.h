// Addresses as NVIDIA's libraries take them.
#pragma once

#include "phalanx/runtime/buffer.h"

namespace phalanx::libs {

inline void* pointer(runtime::Address number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace phalanx::libs
