// For loops, by what they go over.
#pragma once

#include "phalanx/frontend/tree.h"

namespace phalanx::frontend::python {

class Walker;

void for_loop(Walker& walker, const tree::Statement& at, const tree::For& node);

}  // namespace phalanx::frontend::python
