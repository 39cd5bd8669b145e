// What nodes are computed of.
#pragma once

#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/base/export.h"

namespace phalanx::arrays {

std::vector<NodePtr> operands_of(const Node& node);

// True for what is computed apart, before what uses it. Of concatenations there are exceptions.
bool is_own_kernel(const Node& node);

// What the node shows elements of: as a view, as one part of them, or under another shape; null
// where it shows nothing.
const NodePtr* shown_by(const Node& node);

// A view of what `node` is a view of, where that is known and `axes` are of a view of `node`; else
// they as they are.
View through_view(const NodePtr& node, std::vector<Axis> axes);

// True if the node shows elements whose address others know: they may change at any time.
bool shows_exported(const Node& node);
// True if something that the node is computed of does.
bool reads_exported(const Node& node);

// True if a kernel will write the node's elements to memory in C order: it goes by the order of
// what it reads, which are views in no other order of memory in C order. False also where that is
// hard to tell.
PHX_API bool comes_in_c_order(const Node& node);

// Where the node's elements are, or some of those that it is computed of; null where none are.
PHX_API runtime::Device* device_now(const Node& node);

// Nodes in memory and spilled ones that kernels of the nodes read.
PHX_API std::vector<NodePtr> memory_below(std::vector<NodePtr> nodes);

}  // namespace phalanx::arrays
