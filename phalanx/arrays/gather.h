// Indexing by arrays: elements at places that other arrays tell.
#pragma once

#include <cstddef>
#include <vector>

#include "phalanx/arrays/array.h"
#include "phalanx/base/export.h"

namespace phalanx::arrays {

// Indices of any integer type along one dimension of an array, negative ones from its end.
struct ArrayIndex {
  std::size_t dimension = 0;
  Array value;
};

// A recorded copy of elements, of that shape. `axes` say for each dimension of the array where it
// is in the shape, or the one place, as those of a view do; where there are indices, which
// broadcast to the shape, their values count instead. The indices are computed and checked now:
// throws std::out_of_range (IndexError in Python) for one that no element has, TypeError for what
// are no integers, ShapeError, and ValueError for arrays of several devices.
PHX_API Array gather(
    const Array& array,
    Extents shape,
    std::vector<Axis> axes,
    const std::vector<ArrayIndex>& indices);

}  // namespace phalanx::arrays
