#include "phalanx/frontend/python/chunks.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::frontend::python {

namespace {

Value i64(Emitter& emitter, ir::Op op, const Value& a, const Value& b) {
  return emitter.same_type(op, DType::int64, {a, b});
}

Value quotient_up(Emitter& emitter, const Value& a, const Value& b) {
  const Value padded =
      i64(emitter, ir::Op::subtract, i64(emitter, ir::Op::add, a, b), integer_literal(1));
  return i64(emitter, ir::Op::floor_divide, padded, b);
}

Value at_least_one(Emitter& emitter, const Value& value) {
  return i64(emitter, ir::Op::maximum, value, integer_literal(1));
}

}  // namespace

Partition partition_iterations(
    Emitter& emitter, ir::Function& body, const Value& count, const Value& most) {
  const Value lanes = ir::parallel_lanes(emitter.builder(), body);
  const Value groups = quotient_up(emitter, count, lanes);
  const Value wanted = at_least_one(emitter, i64(emitter, ir::Op::minimum, groups, most));
  const Value each = at_least_one(emitter, quotient_up(emitter, groups, wanted));
  const Value chunks = quotient_up(emitter, groups, each);
  return {
      .lanes = lanes,
      .each = each,
      .chunks = chunks,
      .size = i64(emitter, ir::Op::multiply, each, lanes),
      .slots = i64(emitter, ir::Op::multiply, chunks, lanes)};
}

LoopPosition position_in_loop(Emitter& emitter) {
  ir::Builder& builder = emitter.builder();
  const auto wide = [&](ir::Operation* value) { return emitter.cast(value, DType::int64); };
  const Value block = wide(ir::thread_query(builder, ir::Op::block_index, 0));
  const Value lane = wide(ir::lane_index(builder));
  const Value lanes = wide(ir::thread_query(builder, ir::Op::block_extent, 0));
  const Value before = i64(emitter, ir::Op::multiply, block, lanes);
  return {.block = block, .lane = lane, .slot = i64(emitter, ir::Op::add, before, lane)};
}

}  // namespace phalanx::frontend::python
