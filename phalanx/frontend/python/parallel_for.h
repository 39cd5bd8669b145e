// Loops over whole arrays on all cores, in functions with parallel=True.
//
// Such a loop is emitted in its place and then moved into a function of its own: what it reads
// of the function around it becomes that function's parameters.
#pragma once

#include <functional>
#include <vector>

#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// Iterations of a loop that run on one core, in order; both are i64.
struct Span {
  Value first;
  Value last;  // the one after them; not above `first` where there are none
};

// What iterations compute: numbers, as many and of such types for any of them.
using Numbers = std::vector<Value>;
using SpanBody = std::function<Numbers(const Span& span)>;
// What the iterations of two neighbouring spans compute, the second of which comes later.
using Join = std::function<Numbers(const Numbers& left, const Numbers& right)>;

// Emits `body` for the iterations 0 to count - 1: once for all, or for chunks that run at the same
// time and whose numbers are joined, starting with `start`, which `body` starts with, too. `body`
// may be called twice, and changes no variables of the function around it. `extents`: their product
// says how much is to do; few elements run on one core.
Numbers parallel_for(
    Emitter& emitter,
    const Value& count,
    const std::vector<Value>& extents,
    const Numbers& start,
    const SpanBody& body,
    const Join& join);

// The same for what computes no numbers: iterations that write to elements of their own.
void parallel_for(
    Emitter& emitter,
    const Value& count,
    const std::vector<Value>& extents,
    const std::function<void(const Span& span)>& body);

}  // namespace phalanx::frontend::python
