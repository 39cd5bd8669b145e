// Views of arrays and slices of tuples: what an index with slices makes.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/emitter.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::frontend::python {

// The methods of arrays that give another view of the elements, or a copy where there is none.
inline constexpr std::array<std::string_view, 5> view_methods = {
    "transpose", "reshape", "ravel", "flatten", "view"};

// What is below the refusal to write to an array.
inline constexpr std::string_view read_only_advice =
    "Arguments that are read-only on the host are read-only here; arrays among globals and "
    "closures are constants.";

// The parts of an index: those of a tuple, or the index itself.
std::vector<Value> index_parts(Emitter& emitter, const Value& index);

// True if the index names one element: as many integers as the array has dimensions.
bool is_element_index(const ir::Type& array, const std::vector<Value>& parts);

// `is_in_range`: integers among the parts are i64 and known to be valid.
ir::Operation* make_view(
    Emitter& emitter,
    ir::Operation* array,
    const std::vector<Value>& parts,
    bool is_in_range = false);

// The array that a field of the record at `pointer` holds.
Value nested_array(Emitter& emitter, ir::Operation* pointer, std::size_t field);

// A 1-d view of `count` elements from `pointer` on, seen as elements of that type.
ir::Operation* view_at(
    Emitter& emitter, ir::Operation* pointer, const ir::Type& element, std::int64_t count);

// The view of one field of an array of records.
Value field_view(Emitter& emitter, ir::Operation* array, std::size_t field);

// The view of the real or the imaginary parts of an array of complex numbers.
Value part_view(Emitter& emitter, ir::Operation* array, bool is_imaginary);

// Bytes between neighbours along a dimension.
Value stride_of(Emitter& emitter, ir::Operation* array, unsigned dimension);

// The same bytes as elements of another type: the last dimension, contiguous, is divided anew.
Value viewed_as(Emitter& emitter, ir::Operation* array, const ir::Type& element);

// A copy in each thread's own memory; the shape must be known.
Value local_copy(Emitter& emitter, ir::Operation* array);

Value transposed(Emitter& emitter, ir::Operation* array);
// The same with the dimensions in an order of integers known now; negative ones count from the end.
Value transposed(Emitter& emitter, ir::Operation* array, const std::vector<Value>& order);
// The elements in the same order under another shape; one extent may be -1. C arrays only.
Value reshaped(Emitter& emitter, ir::Operation* array, const std::vector<Value>& shape);
Value tuple_slice(Emitter& emitter, const std::vector<Value>& elements, const SliceValue& slice);

// Emits `for i in range(first, last)` around what `body` emits with i, an i64.
template <typename Body>
void counted_loop(Emitter& emitter, const Value& first, const Value& last, const Body& body) {
  ir::Builder& builder = emitter.builder();
  ir::Operation* end = emitter.materialize(last);
  const ir::CountedLoop loop =
      ir::begin_counted_loop(builder, "i", emitter.materialize(first), end);
  {
    const auto inside = builder.enter(*loop.body);
    body(loop.index);
  }
  ir::step_counted_loop(builder, loop, 1);
}

template <typename Body>
void counted_loop(Emitter& emitter, const Value& extent, const Body& body) {
  counted_loop(emitter, integer_literal(0), extent, body);
}

}  // namespace phalanx::frontend::python
