// Warp operations of the interpreter; private to it.
#pragma once

#include <algorithm>
#include <span>

#include "interpreter_thread.h"

namespace phalanx::test {

// Computes the warp operations at which enough of the warp's threads wait; these may run on then.
// False if there is none.
bool resolve_warp(std::span<Thread> warp);

}  // namespace phalanx::test
