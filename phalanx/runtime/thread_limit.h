// How many threads of the CPU device the calling thread's launches and parallel loops take at most.
#pragma once

namespace phalanx::runtime {

void set_thread_limit(unsigned threads);  // 0: all there are
unsigned thread_limit();

}  // namespace phalanx::runtime
