// Facts about the comparing operations.
#pragma once

#include "phalanx/ir/op.h"

namespace phalanx::ir {

// The comparison with its operands exchanged: a < b is b > a. Equality is its own.
constexpr Op mirrored(Op comparison) {
  switch (comparison) {
    case Op::less:
      return Op::greater;
    case Op::less_equal:
      return Op::greater_equal;
    case Op::greater:
      return Op::less;
    case Op::greater_equal:
      return Op::less_equal;
    default:
      return comparison;
  }
}

}  // namespace phalanx::ir
