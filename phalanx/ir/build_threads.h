// Builds what threads do together: indices, barriers, votes, warps and atomics.
#pragma once

#include <initializer_list>
#include <utility>

#include "phalanx/ir/builder.h"

namespace phalanx::ir {

// An operation of several kinds.
inline Builder::Value append_kind(
    Builder& builder, Op op, const Type& type, std::vector<Builder::Value> operands, Detail kind) {
  Operation& operation = builder.append(op, type, std::move(operands));
  operation.detail = std::move(kind);
  return &operation;
}

// `op` is thread_index, block_index, block_extent or grid_extent.
inline Builder::Value thread_query(Builder& builder, Op op, unsigned dimension) {
  Operation& operation = builder.append(op, DType::int32);
  operation.index = dimension;
  return &operation;
}
inline Builder::Value lane_index(Builder& builder) {
  return &builder.append(Op::lane_index, DType::int32);
}

// Of the block
inline void barrier(Builder& builder) { builder.append(Op::barrier); }
inline Builder::Value block_vote(Builder& builder, BlockVote kind, Builder::Value predicate) {
  const DType result = kind == BlockVote::count ? DType::int32 : DType::boolean;
  return append_kind(builder, Op::block_vote, result, {predicate}, kind);
}
inline void fence(Builder& builder, FenceScope scope) {
  append_kind(builder, Op::fence, {}, {}, scope);
}

// Of a warp, whose lanes `mask` names
inline Builder::Value vote(
    Builder& builder, Vote kind, Builder::Value mask, Builder::Value predicate) {
  const DType result = kind == Vote::ballot ? DType::int32 : DType::boolean;
  return append_kind(builder, Op::vote, result, {mask, predicate}, kind);
}
inline Builder::Value shuffle(
    Builder& builder,
    Shuffle kind,
    Builder::Value mask,
    Builder::Value value,
    Builder::Value lane) {
  return append_kind(builder, Op::shuffle, value->type, {mask, value, lane}, kind);
}
inline Builder::Value match(
    Builder& builder, Match kind, Builder::Value mask, Builder::Value value) {
  return append_kind(builder, Op::match, DType::int32, {mask, value}, kind);
}
inline Builder::Value active_mask(Builder& builder) {
  return &builder.append(Op::active_mask, DType::int32);
}
inline void warp_barrier(Builder& builder, Builder::Value mask) {
  builder.append(Op::warp_barrier, {}, {mask});
}

// Of the grid
inline void cooperative(Builder& builder) { builder.append(Op::cooperative); }
inline void grid_barrier(Builder& builder) { builder.append(Op::grid_barrier); }
inline void sleep(Builder& builder, Builder::Value nanoseconds) {
  builder.append(Op::sleep, {}, {nanoseconds});
}
inline Builder::Value read_clock(Builder& builder, Clock kind) {
  return append_kind(builder, Op::read_clock, DType::int64, {}, kind);
}

// Each yields what was there before.
inline Builder::Value atomic(
    Builder& builder, Atomic kind, Builder::Value pointer, Builder::Value value) {
  return append_kind(builder, Op::atomic, pointer->type.element(), {pointer, value}, kind);
}
inline Builder::Value atomic_cas(
    Builder& builder, Builder::Value pointer, Builder::Value expected, Builder::Value desired) {
  return &builder.append(Op::atomic_cas, pointer->type.element(), {pointer, expected, desired});
}

}  // namespace phalanx::ir
