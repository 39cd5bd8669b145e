// Loops over the CPU's threads for the C++ code of any room.
#pragma once

#include <cstdint>
#include <functional>

namespace phalanx::runtime {

class Runtime;

// Takes the iterations [first, last).
using LoopBody = std::function<void(std::uint64_t first, std::uint64_t last)>;

// Calls `body` with chunks that make up [0, count), on the threads of the CPU device; the calling
// one takes part. It knows nothing of Python: who holds the GIL keeps it, and the body must not
// wait for it.
//
// `grain`: the fewest iterations that are worth handing to a thread, some microseconds of work; 0
// counts as 1. Chunks are not smaller, but for the last one, and a loop of no more than that runs
// on the calling thread.
//
// Returns when no call of `body` is running any more. What one of them throws is thrown; no chunk
// is started after that. Loops may be started inside of a body and by several threads at once: all
// share the same threads. set_thread_limit() bounds the threads of the calling thread's loops.
//
// Throws Interrupted when the user pressed Ctrl-C, as Runtime::set_interrupt_check tells. That is
// asked between two chunks, by the thread that started the outermost loop alone.
void parallel_for(Runtime& runtime, std::uint64_t count, std::uint64_t grain, const LoopBody& body);

}  // namespace phalanx::runtime
