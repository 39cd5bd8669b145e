// Loops over the elements of arrays, and arrays that are computed where they are needed.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/parallel_for.h"

namespace phalanx::frontend::python {

bool is_array(const Value& value);  // computed or not

// Raises IndexError where a position, which has been wrapped, is outside of `length` elements.
void raise_out_of_range(
    Emitter& emitter, ir::Operation* position, const Value& length, const std::string& message);

// An array of `element` whose elements `function` makes of the operands' elements: numbers, and
// arrays that are broadcast against each other. CPU functions only.
Value lazy_array(
    Emitter& emitter, DType element, std::vector<Value> operands, ElementFunction function);

// The array in memory of its own.
ir::Operation* computed(Emitter& emitter, const LazyArray& lazy);

// The operator on arrays as NumPy's ufunc of that name; nothing where no operand is an array, in
// kernels, and for types that it does not take.
std::optional<Value> array_operator(
    Emitter& emitter, std::string_view ufunc, const std::vector<Value>& operands);
// The ufunc that an operator on arrays means; empty if there is none.
std::string_view ufunc_of(ir::Op op);

// Emits loops over all elements of the view; `visit` gets the pointer to each, and the
// element there of each of the sources: numbers, or arrays of at most as many dimensions. In CPU
// functions the sources are broadcast to the view, and may overlap it; `visit` may be called twice.
using ElementVisitor = std::function<void(ir::Operation* pointer, std::vector<Value> elements)>;
void for_each_element(
    Emitter& emitter,
    ir::Operation* view,
    const std::vector<Value>& sources,
    const ElementVisitor& visit);

// Elements of an array that follow each other in its order: all, or those of one core.
class Run {
 public:
  using LaneVisitor = std::function<void(unsigned lane, const Value& element)>;

  virtual ~Run() = default;
  virtual Value first() const = 0;  // how many elements of the array are before them
  // Emits loops over them, `width` at a time where they are contiguous: `visit` is called for the
  // lanes 0 to width - 1 in turn, and for lane 0 with what is left over. For reductions that keep a
  // result a lane.
  virtual void for_each(unsigned width, const LaneVisitor& visit) const = 0;
  void for_each(const std::function<void(const Value& element)>& visit) const {
    for_each(1, [&](unsigned, const Value& element) { visit(element); });
  }
};

// Numbers of an array, computed or not: what `part` makes of runs of its elements, joined in order,
// with `start` before the first. `part` begins with `start`, too, and may be called twice.
using PartOfRun = std::function<Numbers(const Run& run)>;
Numbers reduced(
    Emitter& emitter,
    const Value& array,
    const Numbers& start,
    const PartOfRun& part,
    const Join& join);

// view[...] = value, a number or an array of at most as many dimensions.
void fill_view(Emitter& emitter, ir::Operation* view, const Value& value);

// view op= value, element by element.
void augment_view(Emitter& emitter, ir::Op op, ir::Operation* view, const Value& value);

}  // namespace phalanx::frontend::python
