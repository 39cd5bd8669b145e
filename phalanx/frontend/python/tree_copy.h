// Copies of tree nodes: what the front end compiles a second time at another program point.
#pragma once

#include "phalanx/frontend/tree.h"

namespace phalanx::frontend::tree {

// Nothing for nothing. Functions inside are shared.
ExpressionPtr copy(const ExpressionPtr& expression);
Body copy(const Body& body);

}  // namespace phalanx::frontend::tree
