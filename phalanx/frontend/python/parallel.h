// Parallel loops: the body becomes a function of its own, which runs in chunks on all cores.
#pragma once

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class Closures;

// False where the loop has to run on one core: inside of another, or for what a warning says.
bool parallel_loop(
    Walk& walk,
    Closures& closures,
    const tree::Statement& at,
    const tree::For& node,
    const Iterable& range);

}  // namespace phalanx::frontend::python
