#include "phalanx/arrays/reduce_code.h"

#include <utility>

#include "phalanx/arrays/fold_code.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/numpy/elementwise_kernel.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

Value query(ir::Builder& builder, Op op, unsigned dimension) {
  return builder.cast(ir::thread_query(builder, op, dimension), DType::int64);
}

class CodeMaker {
 public:
  explicit CodeMaker(const ReduceForm& form) : form_(form), fold_(*form.reduction) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    rows_ = list.add_integers(3);
    kept_ = list.add_integers(form_.kept_loops);
    reduced_ = list.add_integers(form_.reduced_loops);
    const std::vector<DType> state = fold_.state();
    for (std::size_t i = form_.gives_states ? 0 : state.size() - 1; i < state.size(); ++i)
      outputs_.push_back(list.add(ir::Type::pointer(state[i], ir::Space::global)));
    program_ = add_program(list, form_.program, form_.kept_loops + form_.reduced_loops);
    ir::Builder builder(
        ir::add_function(*module, "px_" + form_.name, ir::FunctionKind::kernel, list.take()));
    emit(builder);
    builder.return_();
    return module;
  }

 private:
  void emit(ir::Builder& builder) const {
    switch (form_.way) {
      case ReduceWay::rows:
        return emit_rows(builder);
      case ReduceWay::columns:
        return emit_columns(builder);
      case ReduceWay::squares:
        return emit_squares(builder);
    }
  }

  Values parameters(ir::Builder& builder, std::size_t first, std::size_t count) const {
    Values values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(builder.parameter(first + i));
    return values;
  }

  // The program's value at iteration `number` of the reduced loops.
  Value element(
      ir::Builder& builder, const Values& kept, Value number, const KnownValues& known = {}) const {
    const LoopIndices at = indices(builder, kept, number);
    return emit_steps(builder, form_.program, program_, at, results(), known).front();
  }
  std::span<const std::uint16_t> results() const { return form_.program.program->results; }

  LoopIndices indices(ir::Builder& builder, const Values& kept, Value number) const {
    const Values extents = parameters(builder, reduced_, form_.reduced_loops);
    const Values reduced = numpy::indices_of(builder, number, extents, form_.is_narrow);
    LoopIndices at;
    if (!form_.has_columns()) {
      at.indices = kept;
      at.indices.insert(at.indices.end(), reduced.begin(), reduced.end());
      at.inner_extent = extents.back();
    } else {
      at.indices.assign(kept.begin(), kept.end() - 1);
      at.indices.insert(at.indices.end(), reduced.begin(), reduced.end());
      at.indices.push_back(kept.back());
      at.inner_extent = builder.parameter(kept_ + form_.kept_loops - 1);
    }
    return at;
  }

  struct Chunk {
    Value begin;
    Value end;
  };
  Chunk chunk(ir::Builder& builder, Value number) const {
    const Value size = builder.parameter(rows_ + 2);
    const Value begin = builder.elementwise(Op::multiply, {number, size});
    const Value end = builder.elementwise(
        Op::minimum, {builder.elementwise(Op::add, {begin, size}), builder.parameter(rows_ + 1)});
    return {begin, end};
  }

  void begin(ir::Builder& builder, FoldState& state, const Values& kept, Value first) const {
    if (fold_.identity())
      state.set_identity();
    else  // Joining the first element twice changes no extreme.
      state.set(fold_.first(builder, element(builder, kept, first), first));
  }

  Fold fold_at(ir::Builder& builder, const Values& kept) const {
    return {
        FoldState(builder, fold_),
        {[&builder, kept, this](Value index) {
           const LoopIndices where = indices(builder, kept, index);
           return emit_loads(builder, form_.program, program_, where, results());
         },
         [&builder, kept, this](Value index, const KnownValues& loaded) {
           return element(builder, kept, index, loaded);
         }}};
  }

  // Folds the iterations of a range of the chunk, for several kept indices.
  std::vector<Fold> folded(
      ir::Builder& builder,
      const std::vector<Values>& kept,
      const Chunk& chunk,
      const IndexRange& range) const {
    std::vector<Fold> folds;
    for (const Values& each : kept) {
      folds.push_back(fold_at(builder, each));
      begin(builder, folds.back().state, each, chunk.begin);
    }
    if (!form_.is_empty)
      emit_folds(builder, folds, range, form_.at_once);
    return folds;
  }

  // Where the kept index `number` of that chunk has its result.
  void store(ir::Builder& builder, const Values& state, Value number, Value chunk_number) const {
    Value index = number;
    if (form_.is_split)
      index = builder.elementwise(
          Op::add, {builder.elementwise(Op::multiply, {chunk_number, total(builder)}), number});
    const Values values =
        form_.gives_states ? fold_.settled(builder, state) : Values{fold_.result(builder, state)};
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Value value = values[i];
      const Value pointer = builder.parameter(outputs_[i]);
      const Value bytes = builder.elementwise(
          Op::multiply,
          {index, builder.integer(static_cast<std::int64_t>(size_of(value->type.dtype())))});
      builder.store(builder.pointer_offset(pointer, bytes, pointer->type), value);
    }
  }
  // How many kept indices there are.
  Value total(ir::Builder& builder) const {
    Value count = builder.parameter(rows_);
    if (form_.has_columns())
      count = builder.elementwise(
          Op::multiply, {count, builder.parameter(kept_ + form_.kept_loops - 1)});
    return count;
  }

  // x: the innermost kept loop; y: the other ones; z: chunks.
  void emit_columns(ir::Builder& builder) const {
    const Value inner = builder.parameter(kept_ + form_.kept_loops - 1);
    if (form_.wide == 1) {
      const Value x = ir::global_index(builder, 0);
      const auto inside = builder.enter(ir::guard(builder, x, inner));
      emit_columns_at(builder, {x});
      return;
    }
    const Value width = query(builder, Op::block_extent, 0);
    const Value of_block = builder.elementwise(Op::multiply, {width, builder.integer(form_.wide)});
    const Value begin =
        builder.elementwise(Op::multiply, {query(builder, Op::block_index, 0), of_block});
    Values x = {plus(builder, begin, query(builder, Op::thread_index, 0))};
    while (x.size() < form_.wide) x.push_back(plus(builder, x.back(), width));
    emit_columns_at(builder, x);
  }

  // Of indices beyond the extent, where there are several, the last one's elements are folded.
  void emit_columns_at(ir::Builder& builder, const Values& columns) const {
    const Value inner = builder.parameter(kept_ + form_.kept_loops - 1);
    const Value chunk_number = query(builder, Op::block_index, 2);
    const Chunk own = chunk(builder, chunk_number);
    const Value by = query(builder, Op::grid_extent, 1);
    const ir::CountedLoop loop = ir::begin_counted_loop(
        builder, "row", query(builder, Op::block_index, 1), builder.parameter(rows_));
    {
      const auto body = builder.enter(*loop.body);
      const Values extents = parameters(builder, kept_, form_.kept_loops - 1);
      const Values row = numpy::indices_of(builder, loop.index, extents, form_.is_narrow);
      std::vector<Values> kept(columns.size(), row);
      for (std::size_t i = 0; i < columns.size(); ++i)
        kept[i].push_back(columns.size() == 1 ? columns[i] : last_of(builder, columns[i], inner));
      const std::vector<Fold> folds =
          folded(builder, kept, own, {own.begin, own.end, builder.integer(1)});
      const Value first = builder.elementwise(Op::multiply, {loop.index, inner});
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const Value number = plus(builder, first, columns[i]);
        if (columns.size() == 1) {
          store(builder, folds[i].state.get(), number, chunk_number);
          continue;
        }
        const auto inside = builder.enter(ir::guard(builder, columns[i], inner));
        store(builder, folds[i].state.get(), number, chunk_number);
      }
    }
    ir::step_counted_loop(builder, loop, by);
  }

  // x: kept indices; y: chunks. A tree joins the threads' states.
  void emit_rows(ir::Builder& builder) const {
    const Value thread = query(builder, Op::thread_index, 0);
    const Value chunk_number = query(builder, Op::block_index, 1);
    const Value number = query(builder, Op::block_index, 0);
    const Chunk own = chunk(builder, chunk_number);
    const Values extents = parameters(builder, kept_, form_.kept_loops);
    const Values kept = numpy::indices_of(builder, number, extents, form_.is_narrow);
    const Value first = builder.elementwise(Op::add, {own.begin, thread});
    const IndexRange range = {
        first,
        own.end,
        builder.integer(form_.threads),
        form_.whole_blocks_first ? thread : nullptr};
    std::vector<Fold> folds = folded(builder, {kept}, own, range);
    FoldState& state = folds.front().state;
    join_threads(builder, fold_, state, form_.threads);
    const auto first_thread = builder.enter(ir::guard(builder, thread, builder.integer(1)));
    store(builder, state.get(), number, chunk_number);
  }

  static Value plus(ir::Builder& builder, Value a, Value b) {
    return builder.elementwise(Op::add, {a, b});
  }
  static Value last_of(ir::Builder& builder, Value index, Value extent) {
    const Value last = builder.elementwise(Op::subtract, {extent, builder.integer(1)});
    return builder.elementwise(Op::minimum, {index, last});
  }

  // One of the rows of a square: what a thread folds for it.
  struct SquareRow {
    Value number;  // of the kept indices but the innermost
    Values kept;   // its own, no index beyond the extents
    FoldState state;
  };

  // x: squares along the innermost kept loop; y: along the rows of the others; z: chunks. Threads
  // beyond the extents do what the last ones do, but for the result: a barrier waits for all.
  void emit_squares(ir::Builder& builder) const {
    const Value inner = builder.parameter(kept_ + form_.kept_loops - 1);
    const Value rows = builder.parameter(rows_);
    const Value lane = query(builder, Op::thread_index, 0);
    const Value own_row = query(builder, Op::thread_index, 1);
    const Value side = builder.integer(fold_side);
    const auto begin_of = [&](unsigned dimension) {
      return builder.elementwise(Op::multiply, {query(builder, Op::block_index, dimension), side});
    };
    const Value first_x = begin_of(0);
    const Value first_row = begin_of(1);
    const Value chunk_number = query(builder, Op::block_index, 2);
    const Chunk own = chunk(builder, chunk_number);
    const Value x = plus(builder, first_x, lane);

    std::vector<SquareRow> all;
    for (std::uint32_t i = 0; i < fold_side; i += fold_rows) {
      const Value number = plus(builder, first_row, plus(builder, own_row, builder.integer(i)));
      const Values extents = parameters(builder, kept_, form_.kept_loops - 1);
      Values kept =
          numpy::indices_of(builder, last_of(builder, number, rows), extents, form_.is_narrow);
      kept.push_back(last_of(builder, x, inner));
      all.push_back({number, std::move(kept), FoldState(builder, fold_)});
      begin(builder, all.back().state, all.back().kept, own.begin);
    }
    fold_parts(builder, all, own, first_x);
    const auto inside_x = builder.enter(ir::guard(builder, x, inner));
    for (const SquareRow& row : all) {
      const auto inside_row = builder.enter(ir::guard(builder, row.number, rows));
      const Value number = plus(builder, builder.elementwise(Op::multiply, {row.number, inner}), x);
      store(builder, row.state.get(), number, chunk_number);
    }
  }

  // A square's side of iterations at a time.
  void fold_parts(
      ir::Builder& builder, std::vector<SquareRow>& rows, const Chunk& own, Value first_x) const {
    Values tiles(form_.is_crossed.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (form_.is_crossed[i])  // one column more: columns lie in banks of their own then
        tiles[i] =
            ir::shared_array(builder, form_.program.accesses[i].dtype, {fold_side, fold_side + 1});
    }
    const ir::CountedLoop parts = ir::begin_counted_loop(builder, "part", own.begin, own.end);
    {
      const auto body = builder.enter(*parts.body);
      ir::barrier(builder);  // all have read the part before
      fetch(builder, rows.front().kept, tiles, {parts.index, own.end}, first_x);
      ir::barrier(builder);
      const Value end = plus(builder, parts.index, builder.integer(fold_side));
      const auto whole = builder.if_(builder.elementwise(Op::less_equal, {end, own.end}));
      {
        const auto inside = builder.enter(whole.then);
        fold_part(builder, rows, tiles, {parts.index, end}, form_.at_once);
      }
      const auto inside = builder.enter(whole.otherwise);
      fold_part(builder, rows, tiles, {parts.index, own.end}, 1);
    }
    ir::step_counted_loop(builder, parts, std::int64_t{fold_side});
  }

  // The elements of the part for each of the square's columns, [iteration][column].
  void fetch(
      ir::Builder& builder,
      const Values& kept,
      const Values& tiles,
      const Chunk& part,
      Value first_x) const {
    const Value lane = query(builder, Op::thread_index, 0);
    const Value own_row = query(builder, Op::thread_index, 1);
    const Value inner = builder.parameter(kept_ + form_.kept_loops - 1);
    const Value number = plus(builder, part.begin, lane);
    const auto guarded = builder.enter(ir::guard(builder, number, part.end));
    for (std::uint32_t i = 0; i < fold_side; i += fold_rows) {
      const Value column = plus(builder, own_row, builder.integer(i));
      Values at = kept;
      at.back() = last_of(builder, plus(builder, first_x, column), inner);
      for (std::size_t access = 0; access < tiles.size(); ++access) {
        if (tiles[access] != nullptr)
          builder.array_store(tiles[access], {lane, column}, loaded(builder, at, number, access));
      }
    }
  }

  Value loaded(ir::Builder& builder, const Values& kept, Value number, std::size_t access) const {
    const LoopIndices at = indices(builder, kept, number);
    return Element(builder, form_.program.accesses[access], program_.accesses[access], at).load();
  }

  void fold_part(
      ir::Builder& builder,
      std::vector<SquareRow>& rows,
      const Values& tiles,
      const Chunk& part,
      unsigned at_once) const {
    const Value lane = query(builder, Op::thread_index, 0);
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "r", part.begin, part.end);
    {
      const auto body = builder.enter(*loop.body);
      for (unsigned i = 0; i < at_once; ++i) {
        const Value number = plus(builder, loop.index, builder.integer(i));
        const Value row = builder.elementwise(Op::subtract, {number, part.begin});
        KnownValues known;
        for (const Value tile : tiles)
          known.of_access.push_back(
              tile == nullptr ? nullptr : builder.array_load(tile, {row, lane}));
        for (SquareRow& each : rows)
          each.state.step(element(builder, each.kept, number, known), number);
      }
    }
    ir::step_counted_loop(builder, loop, std::int64_t{at_once});
  }

  const ReduceForm& form_;
  const numpy::Reduction& fold_;
  std::size_t rows_ = 0;     // the first of three parameters
  std::size_t kept_ = 0;     // the first
  std::size_t reduced_ = 0;  // the first
  std::vector<std::size_t> outputs_;
  ProgramParameters program_;
};

}  // namespace

void ReduceForm::write_key(KeyWriter& writer) const {
  writer.add('r').add(way).add(static_cast<std::uint8_t>(kept_loops));
  writer.add(static_cast<std::uint8_t>(reduced_loops))
      .add(threads)
      .add(at_once)
      .add(wide)
      .add(whole_blocks_first);
  writer.add(is_split).add(gives_states).add(is_narrow).add(is_empty);
  for (const bool is : is_crossed) writer.add(is);
  writer.add_name(name);
  for (const DType dtype : reduction->state()) writer.add(dtype);
  writer.add(*program.program).add(program.accesses);
}

std::shared_ptr<ir::Module> make_reduce_module(const ReduceForm& form) {
  return CodeMaker(form).make();
}

}  // namespace phalanx::arrays
