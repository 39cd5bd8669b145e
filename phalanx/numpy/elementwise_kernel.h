// Kernels that compute arrays element by element, whatever computes an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// How the threads of a grid go over the items of a shape.
enum class Traversal : std::uint8_t {
  flat,   // thread i does element i: the arrays are without gaps, and all in one order
  rows,   // any strides: the last dimension runs along x, the rows of the others along y, so that
          // addresses within a row are linear
  items,  // any strides and short rows: each thread works out its own indices
};
// "flat", "rows", "items"; nothing for other names.
PHX_API std::optional<Traversal> traversal_named(std::string_view name);

// The indices, int64, of the item of that number, the last one fastest. Where there are fewer than
// 2**31 items, `is_narrow` has the quotients computed in 32 bits, which takes a GPU a third of the
// time.
PHX_API Values indices_of(
    ir::Builder& builder, Value number, std::span<const Value> extents, bool is_narrow = false);

// Emits the loops and guards around `visit`, which gets the indices of one item of the shape, as
// int64. With `rows` the grid may have fewer rows of blocks than the shape has rows; along x, and
// with the other traversals, it has at least one thread an element. Blocks have one row of threads:
// what `rows` does is the same for all threads of a block but for x. `flat` gives one index. A
// shape of no dimensions has one item, which has no indices.
using ItemVisitor = std::function<void(const Values& indices)>;
PHX_API void for_each_item(
    ir::Builder& builder,
    Traversal traversal,
    const Values& shape,
    const ItemVisitor& visit,
    bool is_narrow = false);

// Makes one value for each output of one value of each input. They have the types of the outputs'
// elements, or are numbers, which are cast.
using ElementBody = std::function<Values(ir::Builder& builder, const Values& inputs)>;

// Emits what such a kernel does, but for its return. Its first `inputs` parameters are arrays or
// numbers, the others the outputs. All arrays have one shape; `rows` and `items` take those of any
// layout, also with strides of 0.
PHX_API void emit_elementwise(
    ir::Builder& builder, Traversal traversal, std::size_t inputs, const ElementBody& body);

}  // namespace phalanx::numpy
