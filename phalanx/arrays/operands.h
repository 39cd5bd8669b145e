// What nodes are computed of.
#pragma once

#include <vector>

#include "phalanx/arrays/node.h"

namespace phalanx::arrays {

std::vector<NodePtr> operands_of(const Node& node);

// What the node shows elements of: as a view, as one part of them, or under another shape; null
// where it shows nothing.
const NodePtr* shown_by(const Node& node);

}  // namespace phalanx::arrays
