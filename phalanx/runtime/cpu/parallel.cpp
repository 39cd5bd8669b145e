#include "phalanx/runtime/parallel.h"

#include "phalanx/runtime/cpu/cpu_device.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime {

void parallel_for(
    Runtime& runtime, std::uint64_t count, std::uint64_t grain, const LoopBody& body) {
  static_cast<cpu::CpuDevice&>(runtime.cpu()).scheduler().run_loop(count, grain, body);
}

}  // namespace phalanx::runtime
