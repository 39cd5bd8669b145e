// If writing to an array may change what is read from another one.
//
// As in NumPy, an operation on arrays gives what it would give if all its operands were read before
// anything is written. Where an array that is written may share memory with one that is read, other
// than element by element, the operand is copied first.
#pragma once

#include "phalanx/base/strided.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// False where each element that is written is of the same index as the one it may change: the
// arrays are one view, or share no byte (see may_share, whose true may be too careful).
bool may_change(const StridedMemory& written, const StridedMemory& read);

// An array of the IR, and its extents, which are int64.
struct ShapedArray {
  Value array;
  Values extents;
};
// True if the operations say that the arrays share no memory, or that they are one: that an
// operation element by element needs no copy of what it reads.
bool needs_no_copy(Value written, Value read);
// The same question for when the code runs, as a bool: whether the ranges of bytes meet, and the
// arrays are not one view. Their extents are taken to be equal in all dimensions that both have.
Value may_change(ir::Builder& builder, const ShapedArray& written, const ShapedArray& read);
// The same for operations that are not element by element: one view is not safe either.
Value may_share(ir::Builder& builder, const ShapedArray& written, const ShapedArray& read);

}  // namespace phalanx::numpy
