// Kernels that combine the elements of an array by a function of two, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "phalanx/base/export.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// What combines elements, and what a thread keeps meanwhile.
struct Fold {
  ir::Type state;
  // The state of one element, which is asked for of each, and of two states.
  std::function<Value(ir::Builder& builder, Value element)> first;
  std::function<Value(ir::Builder& builder, Value left, Value right)> join;
  // What of the whole state is stored: the last thing that is done.
  std::function<Value(ir::Builder& builder, Value state)> element;
};

inline constexpr std::int64_t reduction_block = 256;  // threads
// Elements of a thread that do not wait for each other: they hide the memory's latency.
inline constexpr std::int64_t reduction_loads = 8;
inline constexpr std::int64_t reduction_tile = reduction_loads * reduction_block;

inline constexpr std::size_t reduction_parameters = 6;
inline constexpr std::size_t row_reduction_parameters = 2;

// Emits what a kernel does, but for its return, that reduces an array of one dimension to one
// element a block. Its parameters are, and are no others, `values`, `spacing`, `step`, `out`,
// `initial` and `is_last`: block b takes tiles from b * spacing on, with the step `reduction_tile`
// those up to where the next block begins, otherwise one every `step` elements as far as there are
// any. With `is_last` it is the only block, and joins its state with `initial`, which is a number
// that `join` takes as its second. The launch has to have blocks of exactly `reduction_block`
// threads along x, and b * spacing less than the number of elements for each block b: there is no
// state of no elements.
PHX_API void emit_reduction(ir::Builder& builder, const Fold& fold);

// The same for a kernel with the parameters `values` and `out`, which reduces an array of two
// dimensions along the second, in which there is at least one element; a thread a row, in blocks of
// any size.
PHX_API void emit_row_reduction(ir::Builder& builder, const Fold& fold);

}  // namespace phalanx::numpy
