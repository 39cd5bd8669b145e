// Builds what threads do together: indices, barriers, votes, warps and atomics.
#pragma once

#include "phalanx/base/export.h"
#include "phalanx/ir/builder.h"

namespace phalanx::ir {

// `op` is thread_index, block_index, block_extent or grid_extent.
PHX_API Builder::Value thread_query(Builder& builder, Op op, unsigned dimension);
PHX_API Builder::Value lane_index(Builder& builder);

// Of the block
PHX_API void barrier(Builder& builder);
PHX_API Builder::Value block_vote(Builder& builder, BlockVote kind, Builder::Value predicate);
PHX_API void fence(Builder& builder, FenceScope scope);

// Of a warp, whose lanes `mask` names
PHX_API Builder::Value vote(
    Builder& builder, Vote kind, Builder::Value mask, Builder::Value predicate);
PHX_API Builder::Value shuffle(
    Builder& builder, Shuffle kind, Builder::Value mask, Builder::Value value, Builder::Value lane);
PHX_API Builder::Value match(
    Builder& builder, Match kind, Builder::Value mask, Builder::Value value);
PHX_API Builder::Value active_mask(Builder& builder);
PHX_API void warp_barrier(Builder& builder, Builder::Value mask);

// Of the grid
PHX_API void cooperative(Builder& builder);
PHX_API void grid_barrier(Builder& builder);
PHX_API void sleep(Builder& builder, Builder::Value nanoseconds);

// Each yields what was there before.
PHX_API Builder::Value atomic(
    Builder& builder, Atomic kind, Builder::Value pointer, Builder::Value value);
PHX_API Builder::Value atomic_cas(
    Builder& builder, Builder::Value pointer, Builder::Value expected, Builder::Value desired);

}  // namespace phalanx::ir
