// Nodes of datetime64 and timedelta64: counts of units, which are int64 to kernels. Units are known
// while something is recorded, and become numbers that kernels have as parameters.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "phalanx/arrays/apply.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/base/export.h"

namespace phalanx::arrays {

// True if one of the operands is an array of times.
bool has_time(std::span<const Operand> operands);

// As `apply`, of operands with a time among them.
NodePtr apply_times(Graph& graph, const infer::Ufunc& ufunc, std::span<const Operand> operands);

// What `equal` or `not_equal`, as operators, give for a time and what is none. Null for others.
PHX_API NodePtr
never_equal(Graph& graph, const infer::Ufunc& ufunc, std::span<const Operand> operands);

// From a time, to one, or both, by NumPy's astype. A unit stays where a time without one is wanted.
NodePtr cast_time(Graph& graph, const NodePtr& node, const ir::Type& element);

// The type that holds both; of times their common unit. Throws TypeError where there is none.
PHX_API ir::Type promoted(const ir::Type& first, const ir::Type& second);

// The elements of `x` where the condition is true, else those of `y`, as what holds both.
PHX_API NodePtr chosen(Graph& graph, const NodePtr& condition, const NodePtr& x, const NodePtr& y);

// How the reduction of that name is called of counts, and what it gives where that is a time.
// Throws TypeError where times have none.
std::pair<std::string_view, std::optional<ir::Type>> time_reduction(
    const ir::Type& time, std::string_view name);

}  // namespace phalanx::arrays
