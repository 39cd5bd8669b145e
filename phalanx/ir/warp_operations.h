// Operations at which the threads of a warp or of a block wait for each other.
#pragma once

#include "phalanx/ir/op.h"

namespace phalanx::ir {

// True if the first operand is the mask of the threads that come, each of which waits for the
// others.
constexpr bool has_mask(Op op) { return is_of(OpFamily::warp, op) && op != Op::active_mask; }

// True if the threads of the block wait for each other.
constexpr bool waits_for_block(Op op) { return op == Op::barrier || op == Op::block_vote; }

}  // namespace phalanx::ir
