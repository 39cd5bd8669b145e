// Builds what threads do together: indices, barriers, votes, warps and atomics.
#pragma once

#include "phalanx/ir/builder.h"

namespace phalanx::ir {

// `op` is thread_index, block_index, block_extent or grid_extent.
Builder::Value thread_query(Builder& builder, Op op, unsigned dimension);
Builder::Value lane_index(Builder& builder);

// Of the block
void barrier(Builder& builder);
Builder::Value block_vote(Builder& builder, BlockVote kind, Builder::Value predicate);
void fence(Builder& builder, FenceScope scope);

// Of a warp, whose lanes `mask` names
Builder::Value vote(Builder& builder, Vote kind, Builder::Value mask, Builder::Value predicate);
Builder::Value shuffle(
    Builder& builder, Shuffle kind, Builder::Value mask, Builder::Value value, Builder::Value lane);
Builder::Value match(Builder& builder, Match kind, Builder::Value mask, Builder::Value value);
Builder::Value active_mask(Builder& builder);
void warp_barrier(Builder& builder, Builder::Value mask);

// Of the grid
void cooperative(Builder& builder);
void grid_barrier(Builder& builder);
void sleep(Builder& builder, Builder::Value nanoseconds);

// Each yields what was there before.
Builder::Value atomic(Builder& builder, Atomic kind, Builder::Value pointer, Builder::Value value);
Builder::Value atomic_cas(
    Builder& builder, Builder::Value pointer, Builder::Value expected, Builder::Value desired);

}  // namespace phalanx::ir
