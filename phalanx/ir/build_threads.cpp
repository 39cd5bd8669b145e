#include "phalanx/ir/build_threads.h"

namespace phalanx::ir {

Builder::Value atomic(Builder& builder, Atomic kind, Builder::Value pointer, Builder::Value value) {
  Operation& operation = builder.append(Op::atomic, pointer->type.element(), {pointer, value});
  operation.detail = kind;
  return &operation;
}
Builder::Value atomic_cas(
    Builder& builder, Builder::Value pointer, Builder::Value expected, Builder::Value desired) {
  return &builder.append(Op::atomic_cas, pointer->type.element(), {pointer, expected, desired});
}

Builder::Value thread_query(Builder& builder, Op op, unsigned dimension) {
  Operation& operation = builder.append(op, DType::int32);
  operation.index = dimension;
  return &operation;
}
Builder::Value block_vote(Builder& builder, BlockVote kind, Builder::Value predicate) {
  Operation& operation = builder.append(
      Op::block_vote, kind == BlockVote::count ? DType::int32 : DType::boolean, {predicate});
  operation.detail = kind;
  return &operation;
}
void fence(Builder& builder, FenceScope scope) { builder.append(Op::fence).detail = scope; }
Builder::Value vote(Builder& builder, Vote kind, Builder::Value mask, Builder::Value predicate) {
  const DType result = kind == Vote::ballot ? DType::int32 : DType::boolean;
  Operation& operation = builder.append(Op::vote, result, {mask, predicate});
  operation.detail = kind;
  return &operation;
}
Builder::Value shuffle(
    Builder& builder,
    Shuffle kind,
    Builder::Value mask,
    Builder::Value value,
    Builder::Value lane) {
  Operation& operation = builder.append(Op::shuffle, value->type, {mask, value, lane});
  operation.detail = kind;
  return &operation;
}
Builder::Value match(Builder& builder, Match kind, Builder::Value mask, Builder::Value value) {
  Operation& operation = builder.append(Op::match, DType::int32, {mask, value});
  operation.detail = kind;
  return &operation;
}

Builder::Value lane_index(Builder& builder) {
  return &builder.append(Op::lane_index, DType::int32);
}
void barrier(Builder& builder) { builder.append(Op::barrier); }
Builder::Value active_mask(Builder& builder) {
  return &builder.append(Op::active_mask, DType::int32);
}
void warp_barrier(Builder& builder, Builder::Value mask) {
  builder.append(Op::warp_barrier, {}, {mask});
}
void cooperative(Builder& builder) { builder.append(Op::cooperative); }
void grid_barrier(Builder& builder) { builder.append(Op::grid_barrier); }
void sleep(Builder& builder, Builder::Value nanoseconds) {
  builder.append(Op::sleep, {}, {nanoseconds});
}

}  // namespace phalanx::ir
