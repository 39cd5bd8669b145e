// Products of matrices as NumPy's matmul has them, by a library or as a fused kernel.
#pragma once

#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/node.h"
#include "phalanx/base/export.h"

namespace phalanx::arrays {

// The product of matrices in the last two dimensions, of which the others broadcast; a vector is a
// row on the left and a column on the right. Throws ShapeError in NumPy's words.
PHX_API NodePtr matmul(Graph& graph, const NodePtr& a, const NodePtr& b);

// NumPy's other products of stacks, which broadcast: of matrices (at least two dimensions) and
// vectors, of conjugated vectors and matrices, and of conjugated vectors and vectors. They throw
// ShapeError.
PHX_API NodePtr matvec(Graph& graph, const NodePtr& matrix, const NodePtr& vector);
PHX_API NodePtr vecmat(Graph& graph, const NodePtr& vector, const NodePtr& matrix);
PHX_API NodePtr vecdot(Graph& graph, const NodePtr& a, const NodePtr& b);

}  // namespace phalanx::arrays
