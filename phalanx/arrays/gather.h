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
  bool is_within = false;  // all of them are, so that nothing has to be checked
};

// A recorded copy of elements, of that shape. `axes` say for each dimension of the array where it
// is in the shape, or the one place, as those of a view do; where there are indices, which
// broadcast to the shape, their values count instead. The indices are computed and checked now, but
// for those that are known to be within:
// throws std::out_of_range (IndexError in Python) for one that no element has, TypeError for what
// are no integers, ShapeError, and ValueError for arrays of several devices.
PHX_API Array gather(
    const Array& array,
    Extents shape,
    std::vector<Axis> axes,
    const std::vector<ArrayIndex>& indices);

// The same read without its base: `axes` without those of dimensions that have indices, and the
// places that these tell, checked.
Gather places_of(
    const Array& array, std::vector<Axis> axes, const std::vector<ArrayIndex>& indices);

// The elements of an array for which the mask, which is broadcast with it, is true: computed now,
// in C order.
PHX_API Array compact(const Array& array, const Array& mask);
// Where the elements are not 0: an array of indices (int64) for each dimension, computed now.
// Throws ValueError for an array without dimensions.
PHX_API std::vector<Array> nonzero(const Array& array);

}  // namespace phalanx::arrays
