// Kernels that combine the elements of an array by a function of two, in any order.
#pragma once

#include <cstdint>
#include <functional>

#include "phalanx/base/export.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// What combines elements, and what a thread keeps meanwhile.
struct Fold {
  ir::Type state;
  // The state of one element, and of two elements or states.
  std::function<Value(ir::Builder& builder, Value element)> first;
  std::function<Value(ir::Builder& builder, Value left, Value right)> join;
  std::function<Value(ir::Builder& builder, Value state)> element;
};

inline constexpr std::int64_t reduction_block = 256;  // threads
// Elements of a thread that do not wait for each other: they hide the memory's latency.
inline constexpr std::int64_t reduction_loads = 8;
inline constexpr std::int64_t reduction_tile = reduction_loads * reduction_block;

// Emits what a kernel does, but for its return, that reduces an array of one dimension to one
// element a block of `reduction_block` threads. Its parameters are `values`, `spacing`, `step`,
// `out`, `initial` and `is_last`: block b takes tiles from b * spacing on, with the step
// `reduction_tile` those up to where the next block begins, otherwise one every `step` elements as
// far as there are any. With `is_last` it is the only block, and joins its result with `initial`.
PHX_API void emit_reduction(ir::Builder& builder, const Fold& fold);

// The same for a kernel with the parameters `values` and `out`, which reduces an array of two
// dimensions along the second; a thread a row.
PHX_API void emit_row_reduction(ir::Builder& builder, const Fold& fold);

}  // namespace phalanx::numpy
