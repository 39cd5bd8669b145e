// Operations by which the threads of a warp tell each other something.
#pragma once

#include "phalanx/ir/op.h"

namespace phalanx::ir {

// Whether the first operand is the mask of the threads that come, each of which waits for the
// others.
constexpr bool has_mask(Op op) {
  switch (op) {
    case Op::vote:
    case Op::shuffle:
    case Op::match:
    case Op::warp_barrier:
      return true;
    default:
      return false;
  }
}

}  // namespace phalanx::ir
