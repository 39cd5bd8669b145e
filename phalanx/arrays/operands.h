// What nodes are computed of.
#pragma once

#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/base/export.h"

namespace phalanx::arrays {

std::vector<NodePtr> operands_of(const Node& node);

// What the node shows elements of: as a view, as one part of them, or under another shape; null
// where it shows nothing.
const NodePtr* shown_by(const Node& node);

// Where the node's elements are, or some of those that it is computed of; null where none are.
PHX_API runtime::Device* device_now(const Node& node);

// Nodes in memory and spilled ones that kernels of the nodes read.
PHX_API std::vector<NodePtr> memory_below(std::vector<NodePtr> nodes);

}  // namespace phalanx::arrays
