// The random numbers of CPU functions: two Mersenne Twisters a thread of the host.
#pragma once

#include "phalanx/base/cpu_kernel.h"

namespace phalanx::runtime::cpu {

// The calling thread's: NumPy's, and after it that of Python's module random. Each is seeded from
// the system when it is first used, unless by then the program has.
RandomState* thread_random_state();

// Makes the next 624 words, as MT19937 does.
void refill_random_state(RandomState* state);

}  // namespace phalanx::runtime::cpu
