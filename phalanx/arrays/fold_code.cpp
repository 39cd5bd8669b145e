#include "phalanx/arrays/fold_code.h"

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

constexpr std::uint32_t warp = 32;

// The value that the thread has whose lane differs from the own one by those bits.
Value of_other_lane(ir::Builder& builder, Value value, std::uint32_t bits) {
  return of_lane(builder, ir::Shuffle::bitwise_xor, value, builder.integer(bits, DType::int32));
}

Value thread(ir::Builder& builder) {
  return builder.cast(ir::thread_query(builder, Op::thread_index, 0), DType::int64);
}

// Each warp's first thread leaves its state in shared memory; each thread reads all of them.
void join_warps(
    ir::Builder& builder, const numpy::Reduction& fold, FoldState& state, std::uint32_t warps) {
  Values tiles;
  for (const DType dtype : fold.state()) tiles.push_back(ir::shared_array(builder, dtype, {warps}));
  const Value own = thread(builder);
  const Value lane = builder.elementwise(Op::bitwise_and, {own, builder.integer(warp - 1)});
  {
    const auto first_lane = builder.enter(ir::guard_of_one(builder, lane, builder.integer(0)));
    const Value number = builder.elementwise(Op::right_shift, {own, builder.integer(5)});
    const Values values = state.get();
    for (std::size_t i = 0; i < tiles.size(); ++i)
      builder.array_store(tiles[i], {number}, values[i]);
  }
  ir::barrier(builder);
  for (std::uint32_t number = 0; number < warps; ++number) {
    Values values;
    for (const Value tile : tiles)
      values.push_back(builder.array_load(tile, {builder.integer(number)}));
    number == 0 ? state.set(values) : state.join(values);
  }
}

void take(std::span<Fold> folds, const Values& indices) {
  std::vector<KnownValues> loaded;
  for (const Value index : indices) {
    for (const Fold& fold : folds) loaded.push_back(fold.element.load(index));
  }
  std::size_t next = 0;
  for (const Value index : indices) {
    for (Fold& fold : folds) fold.state.step(fold.element.compute(index, loaded[next++]), index);
  }
}

}  // namespace

Value of_lane(ir::Builder& builder, ir::Shuffle kind, Value value, Value lane) {
  const DType dtype = value->type.dtype();
  if (is_complex(dtype))
    return builder.complex_make(
        of_lane(builder, kind, builder.complex_real(value), lane),
        of_lane(builder, kind, builder.complex_imag(value), lane));
  const Value moving =
      size_of(dtype) >= 4 ? value
                          : builder.cast(value, is_floating(dtype) ? DType::float32 : DType::int32);
  const Value all = builder.integer(-1, DType::int32);
  return builder.cast(ir::shuffle(builder, kind, all, moving, lane), dtype);
}

FoldState::FoldState(ir::Builder& builder, const numpy::Reduction& fold)
    : builder_(&builder), fold_(&fold) {
  for (const DType dtype : fold.state()) variables_.push_back(builder.variable("state", dtype));
}

void FoldState::set(const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) builder_->set(variables_[i], values[i]);
}

Values FoldState::get() const {
  Values values;
  for (const ir::VariableId variable : variables_) values.push_back(builder_->get(variable));
  return values;
}

void FoldState::set_identity() {
  Values numbers;
  for (const DType dtype : fold_->state())
    numbers.push_back(builder_->constant(dtype, *fold_->identity()));
  set(numbers);
}

void emit_range(
    ir::Builder& builder, const IndexRange& range, const std::function<void(Value index)>& body) {
  const auto loop_from = [&](Value first, Value end, const auto& index_of) {
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "r", first, end);
    {
      const auto inside = builder.enter(*loop.body);
      body(index_of(loop.index));
    }
    ir::step_counted_loop(builder, loop, range.by);
    return builder.get(loop.counter);
  };
  Value first = range.first;
  if (range.lane != nullptr) {
    const auto of_thread = [&](Value whole) {
      return builder.elementwise(Op::add, {whole, range.lane});
    };
    const Value whole = builder.elementwise(Op::subtract, {first, range.lane});
    const Value others = builder.elementwise(Op::subtract, {range.by, builder.integer(1)});
    const Value end = builder.elementwise(Op::subtract, {range.end, others});
    first = of_thread(loop_from(whole, end, of_thread));
  }
  loop_from(first, range.end, [](Value index) { return index; });
}

void emit_folds(
    ir::Builder& builder, std::span<Fold> folds, const IndexRange& range, unsigned at_once) {
  const auto times_by = [&](std::int64_t number) {
    return builder.elementwise(Op::multiply, {range.by, builder.integer(number)});
  };
  Value first = range.first;
  if (at_once > 1) {
    const Value end = builder.elementwise(Op::subtract, {range.end, times_by(at_once - 1)});
    const Value by = times_by(at_once);
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "r", first, end);
    {
      const auto body = builder.enter(*loop.body);
      Values indices = {loop.index};
      for (unsigned i = 1; i < at_once; ++i)
        indices.push_back(builder.elementwise(Op::add, {indices.back(), range.by}));
      take(folds, indices);
    }
    ir::step_counted_loop(builder, loop, by);
    first = builder.get(loop.counter);
  }
  emit_range(builder, {first, range.end, range.by, range.lane}, [&](Value index) {
    take(folds, {index});
  });
}

void join_threads(
    ir::Builder& builder, const numpy::Reduction& fold, FoldState& state, std::uint32_t threads) {
  for (std::uint32_t bits = warp / 2; bits != 0; bits /= 2) {
    Values others;
    for (const Value value : state.get()) others.push_back(of_other_lane(builder, value, bits));
    state.join(others);
  }
  if (threads > warp)
    join_warps(builder, fold, state, threads / warp);
}

}  // namespace phalanx::arrays
