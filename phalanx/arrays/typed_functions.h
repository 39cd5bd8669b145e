// Functions of numpy/random.h, portable_math.h and special.h, recorded.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "phalanx/arrays/graph.h"
#include "phalanx/base/export.h"

namespace phalanx::arrays {

// Elements of a draw, of a key, from one number on.
struct Draw {
  std::string_view name;
  std::uint64_t key = 0;
  std::int64_t first = 0;
};

// The draw's elements in C order under that shape. The parameters, of the types that the function
// takes, are broadcast to it. Throws ValueError where there is no such function, TypeError for
// parameters of other types, ShapeError.
PHX_API NodePtr
draw(Graph& graph, const Draw& of, const Extents& shape, std::span<const NodePtr> parameters);

// A function of numpy/portable_math.h, of float32 or float64.
PHX_API NodePtr portable(Graph& graph, std::string_view name, const NodePtr& operand);
// A function of numpy/special.h, likewise; the operands are broadcast.
PHX_API NodePtr special(Graph& graph, std::string_view name, std::span<const NodePtr> operands);

}  // namespace phalanx::arrays
