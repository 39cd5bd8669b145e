// Assignment to elements at places that arrays tell, and functions of such elements in place:
// NumPy's x[indices] = value and ufunc.at.
#pragma once

#include <vector>

#include "phalanx/arrays/array.h"
#include "phalanx/arrays/gather.h"
#include "phalanx/base/export.h"
#include "phalanx/infer/ufuncs.h"

namespace phalanx::arrays {

// Which elements of an array, as gather() takes them.
struct Places {
  Extents shape;
  std::vector<Axis> axes;
  std::vector<ArrayIndex> indices;
  bool are_distinct = false;  // no element is met twice
};

// A write as Graph::scatter takes it: to places that have been checked, in the array's own type.
struct Scatter {
  Extents shape;
  std::vector<Axis> axes;
  std::vector<GatherIndex> indices;
  NodePtr value = {};      // null: of functions that take the element alone
  NodePtr condition = {};  // elements for which it is false stay as they are; null: all are written
  const Function* function = nullptr;  // of the element and the value; null: the value itself
  bool has_repeats = true;             // elements may be met twice, with different values
};

// Those elements become the value's, which is converted and broadcast; of an element that is met
// twice the last value counts. Throws as gather() does, and ValueError for a read-only array; the
// array is as it was then.
PHX_API void scatter(const Array& array, const Places& places, const Array& value);

// Those elements become the ufunc of themselves and the value's elements, converted to their own
// type; an element that is met twice twice, on a GPU in any order. `value` is null for a ufunc of
// one operand. Throws TypeError where the ufunc has no such loop, and as scatter() does.
PHX_API void update_at(
    const Array& array, const Places& places, const infer::Ufunc& ufunc, const Array* value);

}  // namespace phalanx::arrays
