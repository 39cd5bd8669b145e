#include "phalanx/arrays/scan_code.h"

#include <utility>
#include <vector>

#include "phalanx/arrays/fold_code.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/numpy/elementwise_kernel.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

constexpr std::uint32_t warp = 32;
constexpr std::uint32_t warps = scan_threads / warp;

Value query(ir::Builder& builder, Op op, unsigned dimension) {
  return builder.cast(ir::thread_query(builder, op, dimension), DType::int64);
}
Value plus(ir::Builder& builder, Value a, Value b) { return builder.elementwise(Op::add, {a, b}); }
Value times(ir::Builder& builder, Value a, Value b) {
  return builder.elementwise(Op::multiply, {a, b});
}
Value choice(ir::Builder& builder, Value condition, Value a, Value b) {
  return builder.elementwise(Op::select, {condition, a, b});
}

class CodeMaker {
 public:
  explicit CodeMaker(const ScanForm& form) : form_(form), dtype_(form.fold->state().front()) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    const std::size_t loops = form_.kept_loops + 1;
    sizes_ = list.add_integers(4);
    kept_ = list.add_integers(form_.kept_loops);
    output_ = add_operand(list, form_.output, loops);
    if (form_.has_offsets)
      offsets_ = list.add(ir::Type::pointer(dtype_, ir::Space::global));
    program_ = add_program(list, form_.program, loops);
    ir::Builder builder(
        ir::add_function(*module, "px_scan_" + form_.name, ir::FunctionKind::kernel, list.take()));
    emit(builder);
    builder.return_();
    return module;
  }

 private:
  // A kept index, and the part of its elements that a block or a thread scans.
  struct Run {
    Values kept;
    Value chunk = nullptr;   // its number
    Value offset = nullptr;  // what the chunks before come to: of the first one anything
    Value begin = nullptr;
    Value end = nullptr;
  };

  void emit(ir::Builder& builder) const {
    switch (form_.way) {
      case ScanWay::rows:
        return emit_row(builder);
      case ScanWay::columns:
        return emit_columns(builder);
      case ScanWay::sequential:
        return emit_sequential(builder);
    }
  }

  bool has_columns() const { return form_.way == ScanWay::columns; }
  Value rows(ir::Builder& builder) const { return builder.parameter(sizes_); }
  Value inner(ir::Builder& builder) const {
    return builder.parameter(kept_ + form_.kept_loops - 1);
  }

  Values indices_of_kept(ir::Builder& builder, Value number) const {
    Values extents;
    const std::size_t loops = form_.kept_loops - (has_columns() ? 1 : 0);
    for (std::size_t i = 0; i < loops; ++i) extents.push_back(builder.parameter(kept_ + i));
    return numpy::indices_of(builder, number, extents, form_.is_narrow);
  }

  // `number` is the kept index's.
  Run run(ir::Builder& builder, Values kept, Value number, Value chunk) const {
    Run made;
    made.kept = std::move(kept);
    made.chunk = chunk;
    const Value size = builder.parameter(sizes_ + 2);
    made.begin = times(builder, chunk, size);
    made.end = builder.elementwise(
        Op::minimum, {plus(builder, made.begin, size), builder.parameter(sizes_ + 1)});
    if (form_.has_offsets) {
      const Value before = builder.elementwise(
          Op::maximum,
          {builder.elementwise(Op::subtract, {chunk, builder.integer(1)}), builder.integer(0)});
      const Value first = times(builder, number, builder.parameter(sizes_ + 3));
      made.offset = load_offset(builder, plus(builder, first, before));
    }
    return made;
  }

  Value load_offset(ir::Builder& builder, Value index) const {
    const Value pointer = builder.parameter(offsets_);
    const auto bytes = builder.integer(static_cast<std::int64_t>(size_of(dtype_)));
    return builder.load(
        builder.pointer_offset(pointer, times(builder, index, bytes), pointer->type));
  }

  LoopIndices at(ir::Builder& builder, const Run& run, Value index) const {
    LoopIndices at = {run.kept, builder.parameter(sizes_ + 1)};
    if (!has_columns()) {
      at.indices.push_back(index);
      return at;
    }
    at.indices.insert(at.indices.end() - 1, index);
    at.inner_extent = inner(builder);
    return at;
  }
  std::span<const std::uint16_t> results() const { return form_.program.program->results; }
  KnownValues load(ir::Builder& builder, const LoopIndices& at) const {
    return emit_loads(builder, form_.program, program_, at, results());
  }
  Value element(
      ir::Builder& builder,
      const LoopIndices& at,
      Value index,
      const KnownValues& loaded = {}) const {
    const Value value = emit_steps(builder, form_.program, program_, at, results(), loaded).front();
    return form_.fold->first(builder, value, index).front();
  }
  Value join(ir::Builder& builder, Value earlier, Value later) const {
    return form_.fold->join(builder, {earlier}, {later}).front();
  }
  void store(ir::Builder& builder, const LoopIndices& at, Value value) const {
    Element(builder, form_.output, output_, at).store(builder.cast(value, form_.output.dtype));
  }

  // One element after the other. The first one is no sum yet, so that -0.0 stays what it is, and
  // folds without identity need none.
  void emit_run(ir::Builder& builder, const Run& run) const {
    const ir::VariableId state = builder.variable("state", dtype_);
    const LoopIndices first = at(builder, run, run.begin);
    Value value = element(builder, first, run.begin);
    if (form_.has_offsets) {
      const Value has_offset = builder.elementwise(Op::less, {builder.integer(0), run.chunk});
      value = choice(builder, has_offset, join(builder, run.offset, value), value);
    }
    store(builder, first, value);
    builder.set(state, value);
    const Value second = plus(builder, run.begin, builder.integer(1));
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "i", second, run.end);
    {
      const auto body = builder.enter(*loop.body);
      const LoopIndices here = at(builder, run, loop.index);
      const Value own = element(builder, here, loop.index);
      const Value joined = join(builder, builder.get(state), own);
      builder.set(state, joined);
      store(builder, here, joined);
    }
    ir::step_counted_loop(builder, loop, std::int64_t{1});
  }

  // x: kept indices; y: chunks.
  void emit_sequential(ir::Builder& builder) const {
    const Value chunk = query(builder, Op::block_index, 1);
    const Value by = query(builder, Op::grid_extent, 0);
    const ir::CountedLoop loop =
        ir::begin_counted_loop(builder, "row", query(builder, Op::block_index, 0), rows(builder));
    {
      const auto body = builder.enter(*loop.body);
      emit_run(builder, run(builder, indices_of_kept(builder, loop.index), loop.index, chunk));
    }
    ir::step_counted_loop(builder, loop, by);
  }

  // x: the innermost kept loop; y: the other ones; z: chunks.
  void emit_columns(ir::Builder& builder) const {
    const Value x = ir::global_index(builder, 0);
    const auto inside = builder.enter(ir::guard(builder, x, inner(builder)));
    const Value chunk = query(builder, Op::block_index, 2);
    const Value by = query(builder, Op::grid_extent, 1);
    const ir::CountedLoop loop =
        ir::begin_counted_loop(builder, "row", query(builder, Op::block_index, 1), rows(builder));
    {
      const auto body = builder.enter(*loop.body);
      Values kept = indices_of_kept(builder, loop.index);
      kept.push_back(x);
      const Value number = plus(builder, times(builder, loop.index, inner(builder)), x);
      emit_run(builder, run(builder, std::move(kept), number, chunk));
    }
    ir::step_counted_loop(builder, loop, by);
  }

  // A thread's place in its block, and what the block has from one tile to the next.
  struct Position {
    Value lane;
    Value number;          // of the warp
    Value totals;          // of the warps, shared
    ir::VariableId carry;  // what the row comes to before the tile
  };

  // x: kept indices; y: chunks. All threads of the block go through all tiles: beyond the end they
  // take the last element, and store nothing.
  void emit_row(ir::Builder& builder) const {
    const Value thread = query(builder, Op::thread_index, 0);
    const Position place = {
        .lane = builder.elementwise(Op::bitwise_and, {thread, builder.integer(warp - 1)}),
        .number = builder.elementwise(Op::right_shift, {thread, builder.integer(5)}),
        .totals = ir::shared_array(builder, dtype_, {warps}),
        .carry = builder.variable("carry", dtype_)};
    const Value number = query(builder, Op::block_index, 0);
    const Run own =
        run(builder, indices_of_kept(builder, number), number, query(builder, Op::block_index, 1));
    const auto zero = ir::cast_constant(std::int64_t{0}, DType::int64, dtype_);
    builder.set(place.carry, form_.has_offsets ? own.offset : builder.constant(dtype_, *zero));
    const Value from_before = builder.elementwise(
        Op::less, {builder.integer(0), form_.has_offsets ? own.chunk : builder.integer(0)});
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "tile", own.begin, own.end);
    {
      const auto body = builder.enter(*loop.body);
      const Value is_later = builder.elementwise(Op::less, {own.begin, loop.index});
      const Value has_carry = ir::either(builder, is_later, from_before);
      emit_tile(builder, own, place, loop.index, has_carry);
      ir::barrier(builder);  // all have read the totals
    }
    ir::step_counted_loop(builder, loop, scan_tile);
  }

  void emit_tile(
      ir::Builder& builder,
      const Run& run,
      const Position& place,
      Value tile,
      Value has_carry) const {
    const Value of_warp =
        times(builder, place.number, builder.integer(std::int64_t{warp} * scan_rounds));
    const Value first = plus(builder, tile, plus(builder, of_warp, place.lane));
    Values values = elements(builder, run, first);
    const Value total = scan_warp(builder, values, place.lane);
    {
      const auto one = builder.enter(ir::guard_of_one(builder, place.lane, builder.integer(0)));
      builder.array_store(place.totals, {place.number}, total);
    }
    ir::barrier(builder);
    // What the warps before come to: of the first one of a row nothing.
    const Value earlier = builder.get(place.carry);
    Value before = earlier;
    Value sum = nullptr;
    for (std::uint32_t i = 0; i < warps; ++i) {
      const Value own = builder.array_load(place.totals, {builder.integer(i)});
      if (i == 0)
        sum = choice(builder, has_carry, join(builder, earlier, own), own);
      else
        sum = join(builder, sum, own);
      const Value is_before = builder.elementwise(Op::less, {builder.integer(i), place.number});
      before = choice(builder, is_before, sum, before);
    }
    builder.set(place.carry, sum);
    const Value is_inner = builder.elementwise(Op::less, {builder.integer(0), place.number});
    const Value has_before = ir::either(builder, has_carry, is_inner);
    for (std::uint32_t i = 0; i < scan_rounds; ++i) {
      const Value index = plus(builder, first, builder.integer(std::int64_t{warp} * i));
      const Value result = choice(builder, has_before, join(builder, before, values[i]), values[i]);
      const auto inside = builder.enter(ir::guard(builder, index, run.end));
      store(builder, at(builder, run, index), result);
    }
  }

  // A thread's elements of a tile, whose loads are under way together.
  Values elements(ir::Builder& builder, const Run& run, Value first) const {
    const Value last = builder.elementwise(Op::subtract, {run.end, builder.integer(1)});
    Values indices;
    std::vector<LoopIndices> places;
    std::vector<KnownValues> loaded;
    for (std::uint32_t i = 0; i < scan_rounds; ++i) {
      const Value index = plus(builder, first, builder.integer(std::int64_t{warp} * i));
      indices.push_back(builder.elementwise(Op::minimum, {index, last}));
      places.push_back(at(builder, run, indices.back()));
      loaded.push_back(load(builder, places.back()));
    }
    Values values;
    for (std::uint32_t i = 0; i < scan_rounds; ++i)
      values.push_back(element(builder, places[i], indices[i], loaded[i]));
    return values;
  }

  // Makes of each value what the warp's elements as far as that one come to (Hillis and Steele's
  // scan); gives what all of them come to.
  Value scan_warp(ir::Builder& builder, Values& values, Value lane) const {
    Values sums;
    for (Value& value : values) {
      for (std::uint32_t distance = 1; distance < warp; distance *= 2) {
        const Value number = builder.integer(distance, DType::int32);
        const Value other = of_lane(builder, ir::Shuffle::up, value, number);
        const Value has_other =
            builder.elementwise(Op::less_equal, {builder.integer(distance), lane});
        value = choice(builder, has_other, join(builder, other, value), value);
      }
      sums.push_back(
          of_lane(builder, ir::Shuffle::index, value, builder.integer(warp - 1, DType::int32)));
    }
    Value sum = sums.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
      values[i] = join(builder, sum, values[i]);
      sum = join(builder, sum, sums[i]);
    }
    return sum;
  }

  const ScanForm& form_;
  DType dtype_;              // of the state
  std::size_t sizes_ = 0;    // the first of four parameters
  std::size_t kept_ = 0;     // the first
  std::size_t offsets_ = 0;  // the parameter
  OperandParameters output_;
  ProgramParameters program_;
};

}  // namespace

void ScanForm::write_key(KeyWriter& writer) const {
  writer.add('s').add(way).add(static_cast<std::uint8_t>(kept_loops));
  writer.add(has_offsets).add(is_narrow).add_name(name).add(fold->state().front());
  writer.add(std::span(&output, 1)).add(*program.program).add(program.accesses);
}

std::shared_ptr<ir::Module> make_scan_module(const ScanForm& form) {
  return CodeMaker(form).make();
}

}  // namespace phalanx::arrays
