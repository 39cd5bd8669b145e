// What loops go over: ranges, arrays, lists, tuples, and enumerate, zip and the like of these.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// How many numbers the range has, as a u64: exact up to the ends of the type, as it never computes
// the number after the last. A step of 0 gives none.
Value range_length(Emitter& emitter, const Iterable& range);

// How many elements there are, as an i64.
Value iteration_extent(Emitter& emitter, const Value& iterable);

// The element that `position` others are before; of an iterable over indices `index_of` gives the
// indices.
using IndexOf = std::function<Value(const Iterable& iterable)>;
Value iteration_element(
    Emitter& emitter, const Value& iterable, ir::Operation* position, const IndexOf& index_of);

// The elements, where all that is gone over are tuples.
std::optional<std::vector<Value>> static_elements(Emitter& emitter, const Value& iterable);

// The type of what a loop over the value gives; nothing where that is not known.
std::optional<ir::Type> element_type_of(Emitter& emitter, const Value& iterable);

}  // namespace phalanx::frontend::python
