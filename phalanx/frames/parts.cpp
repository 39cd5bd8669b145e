#include "phalanx/frames/parts.h"

#include "phalanx/runtime/device.h"
#include "phalanx/runtime/thread_limit.h"

namespace phalanx::frames {

std::int64_t usable_threads(runtime::Runtime& runtime) {
  const std::int64_t all = runtime.cpu().limits().multiprocessors;
  const std::int64_t limit = runtime::thread_limit();
  return std::max<std::int64_t>(limit == 0 ? all : std::min(limit, all), 1);
}

}  // namespace phalanx::frames
