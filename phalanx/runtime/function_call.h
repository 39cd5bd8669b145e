// Calls of CPU functions: they run on the calling thread, but for their parallel loops, and leave a
// result after.
#pragma once

#include <cstddef>
#include <memory>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::runtime {

// One call: owns the memory that the function allocated until it is over.
class FunctionCall {
 public:
  FunctionCall();
  ~FunctionCall();
  FunctionCall(const FunctionCall&) = delete;
  FunctionCall& operator=(const FunctionCall&) = delete;

  // Runs the function; its parallel loops run on the cores of `cpu`, the CPU device. `parameters`
  // are packed as ir/abi.h says, the result's address among them. Where the function
  // raised, the first of `errors` holds the site and there is no result. Throws Interrupted when
  // the user said so during a parallel loop.
  void run(Device& cpu, Executable& executable, const std::byte* parameters, ErrorLog& errors);

  // What keeps the memory that a returned array lies in. Null where the call did not make it.
  // Called once for each block.
  std::shared_ptr<void> take(const std::byte* address);

 private:
  alignas(8) std::byte memory_[8];  // a CallMemory: no allocation for calls that make no arrays
};

}  // namespace phalanx::runtime
