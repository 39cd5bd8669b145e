// NumPy's broadcasting, and the order in which it goes through elements, of arrays whose shapes are
// known. Of those that are known when the code runs only: array_broadcast.h.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/export.h"
#include "phalanx/base/strided.h"

namespace phalanx::numpy {

// What NumPy says of shapes that do not fit each other; where they are known it names them.
inline constexpr const char* misfit_message = "operands could not be broadcast together";

// Shapes that do not fit each other, in NumPy's words.
class PHX_API BroadcastError : public ShapeError {
 public:
  explicit BroadcastError(std::vector<Extents> shapes);

  const std::vector<Extents>& shapes() const { return *shapes_; }

 private:
  std::shared_ptr<const std::vector<Extents>> shapes_;  // copies of exceptions must not throw
};

// The shape that all stretch to: shapes are aligned at their ends, and an extent of 1 becomes any
// other, 0 among them. Of no shapes it is that of a number. Throws BroadcastError.
PHX_API Extents broadcast(std::span<const Extents> shapes);

// The byte strides under which an array has the shape, with 0 where it is stretched. It may have
// more leading extents of 1 than the shape. Throws BroadcastError where it does not stretch to it.
PHX_API Extents stretched_strides(ExtentSpan own_shape, ExtentSpan own_strides, ExtentSpan shape);

// The loops that go over all elements of arrays of one shape, of which each has a row of byte
// strides: as few as do it, and at least one. The last array's longest stride is outermost, so that
// its elements are met in the order of memory; the others' are those at the same indices.
PHX_API StridedLoops collapse(ExtentSpan shape, std::span<const Extents> strides);

// The dimensions in the order, outermost first, that NumPy gives to a new array with the elements
// of these (`order="K"`): theirs, as their strides say, and C's where they disagree.
PHX_API std::vector<std::size_t> kept_order(ExtentSpan shape, std::span<const Extents> strides);

}  // namespace phalanx::numpy
