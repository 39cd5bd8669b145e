#include "phalanx/arrays/elementwise_code.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

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

Value sum(ir::Builder& builder, Value value, std::int64_t number) {
  return builder.elementwise(Op::add, {value, builder.integer(number)});
}

class CodeMaker {
 public:
  explicit CodeMaker(const ElementwiseForm& form) : form_(form) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    const bool is_squares = form_.way == ElementwiseWay::squares;
    extents_ = list.add_integers(form_.loops + (is_squares ? 2 : 0));
    for (const OperandForm& output : form_.outputs)
      outputs_.push_back(add_operand(list, output, form_.loops));
    program_ = add_program(list, form_.program, form_.loops);
    ir::Builder builder(ir::add_function(*module, name(), ir::FunctionKind::kernel, list.take()));
    for (std::size_t loop = 0; loop < form_.loops; ++loop)
      shape_.push_back(builder.parameter(extents_ + loop));
    if (is_squares)
      emit_squares(builder);
    else if (form_.way == ElementwiseWay::strips)
      emit_strips(builder);
    else if (form_.way == ElementwiseWay::rows && form_.strip > 1)
      emit_row_groups(builder);
    else
      emit_items(builder);
    builder.return_();
    return module;
  }

 private:
  // After what it computes at last.
  std::string name() const {
    const Program& program = *form_.program.program;
    const Step& last = program.steps[program.results.front()];
    return "px_" + (last.function != nullptr ? last.function->name : std::string("copy"));
  }

  std::span<const std::uint16_t> results() const { return form_.program.program->results; }
  KnownValues load(ir::Builder& builder, const LoopIndices& at, const KnownValues& known) const {
    return emit_loads(builder, form_.program, program_, at, results(), known);
  }
  Values compute(ir::Builder& builder, const LoopIndices& at, const KnownValues& known = {}) const {
    const KnownValues loaded = load(builder, at, known);
    return emit_steps(builder, form_.program, program_, at, results(), loaded);
  }
  void store(ir::Builder& builder, const LoopIndices& at, const Values& results) const {
    for (std::size_t i = 0; i < results.size(); ++i)
      Element(builder, form_.outputs[i], outputs_[i], at).store(results[i]);
  }

  void emit_items(ir::Builder& builder) const {
    const auto traversal =
        form_.way == ElementwiseWay::rows ? numpy::Traversal::rows : numpy::Traversal::items;
    const auto visit = [&](const Values& indices) {
      const LoopIndices at = {indices, shape_.back()};
      store(builder, at, compute(builder, at));
    };
    numpy::for_each_item(builder, traversal, shape_, visit, form_.is_narrow);
  }

  // A thread has an element of each of `strip` rows that follow each other, whose loads are under
  // way together: neighbours along both loops come from the cache of their multiprocessor.
  void emit_row_groups(ir::Builder& builder) const {
    const std::span<const Value> outer = std::span(shape_).first(shape_.size() - 1);
    const Value x = ir::global_index(builder, 0);
    const auto guarded = builder.enter(ir::guard(builder, x, shape_.back()));
    Value rows = outer.front();
    for (const Value extent : outer.subspan(1))
      rows = builder.elementwise(Op::multiply, {rows, extent});
    const auto indices = [&](Value row) {
      LoopIndices at = {numpy::indices_of(builder, row, outer, form_.is_narrow), shape_.back()};
      at.indices.push_back(x);
      return at;
    };
    const Value of_group = builder.integer(form_.strip);
    const ir::CountedLoop loop = ir::begin_counted_loop(
        builder,
        "first",
        builder.elementwise(Op::multiply, {query(builder, Op::block_index, 1), of_group}),
        rows);
    {
      const auto body = builder.enter(*loop.body);
      const Value end = sum(builder, loop.index, form_.strip);
      const auto whole = builder.if_(builder.elementwise(Op::less_equal, {end, rows}));
      {
        const auto inside = builder.enter(whole.then);
        std::vector<LoopIndices> all;
        all.reserve(form_.strip);
        for (unsigned i = 0; i < form_.strip; ++i)
          all.push_back(indices(i == 0 ? loop.index : sum(builder, loop.index, i)));
        emit_together(builder, all, {});
      }
      const auto inside = builder.enter(whole.otherwise);  // of the last rows
      emit_rows_one_by_one(builder, loop.index, rows, indices);
    }
    const auto step = builder.enter(*loop.step);
    ir::step_counted_loop(
        builder,
        loop,
        builder.elementwise(Op::multiply, {query(builder, Op::grid_extent, 1), of_group}));
  }

  template <typename Indices>
  void emit_rows_one_by_one(
      ir::Builder& builder, Value first, Value rows, const Indices& indices) const {
    const Value one = builder.integer(1);
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "row", first, rows);
    {
      const auto body = builder.enter(*loop.body);
      const LoopIndices each = indices(loop.index);
      store(builder, each, compute(builder, each));
    }
    ir::step_counted_loop(builder, loop, one);
  }

  // All loads of a thread are under way before its first store, which they could not pass: it may
  // write to what they read.
  void emit_strips(ir::Builder& builder) const {
    const Value count = shape_.front();
    const std::int64_t pack = form_.pack;
    const Value width = query(builder, Op::block_extent, 0);
    const Value step = builder.elementwise(Op::multiply, {width, builder.integer(pack)});
    const Value strip = builder.elementwise(Op::multiply, {step, builder.integer(form_.strip)});
    const Value begin =
        builder.elementwise(Op::multiply, {query(builder, Op::block_index, 0), strip});
    const Value thread = query(builder, Op::thread_index, 0);
    Value first = builder.elementwise(
        Op::add, {begin, builder.elementwise(Op::multiply, {thread, builder.integer(pack)})});
    Values firsts;
    std::vector<LoopIndices> at;
    for (unsigned i = 0; i < form_.strip; ++i) {
      firsts.push_back(first);
      for (std::int64_t lane = 0; lane < pack; ++lane)
        at.push_back({{lane == 0 ? first : sum(builder, first, lane)}, count});
      first = builder.elementwise(Op::add, {first, step});
    }
    const Value end = builder.elementwise(Op::add, {begin, strip});
    const auto whole = builder.if_(builder.elementwise(Op::less_equal, {end, count}));
    {
      const auto inside = builder.enter(whole.then);
      if (pack == 1)
        emit_together(builder, at, {});
      else
        store_packs(builder, firsts, computed(builder, at, loaded_packs(builder, firsts)));
    }
    const auto inside = builder.enter(whole.otherwise);  // of the last block
    const Value own = builder.elementwise(Op::add, {begin, thread});
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "i", own, count);
    {
      const auto body = builder.enter(*loop.body);
      const LoopIndices each = {{loop.index}, count};
      store(builder, each, compute(builder, each));
    }
    ir::step_counted_loop(builder, loop, width);
  }

  // The neighbours from an index on, as one vector in memory.
  Value pack_pointer(ir::Builder& builder, DType dtype, std::size_t pointer, Value first) const {
    const auto item = static_cast<std::int64_t>(size_of(dtype));
    const ir::Type vector = ir::Type::vector(dtype, form_.pack);
    return builder.pointer_offset(
        builder.parameter(pointer),
        builder.elementwise(Op::multiply, {first, builder.integer(item)}),
        ir::Type::pointer(vector, ir::Space::global));
  }

  // Of indices of which each `pack` follow each other, beginning with `firsts`: what accesses have
  // there, loaded as vectors.
  std::vector<KnownValues> loaded_packs(ir::Builder& builder, const Values& firsts) const {
    std::vector<KnownValues> loaded(firsts.size() * form_.pack);
    for (KnownValues& known : loaded) known.of_access.resize(program_.accesses.size());
    for (std::size_t access = 0; access < program_.accesses.size(); ++access) {
      const OperandForm& form = form_.program.accesses[access];
      if (form.inner != Inner::contiguous || form_.program.program->accesses[access].is_gathered)
        continue;
      for (std::size_t i = 0; i < firsts.size(); ++i) {
        const Value vector = builder.load(
            pack_pointer(builder, form.dtype, program_.accesses[access].pointer, firsts[i]));
        for (std::size_t lane = 0; lane < form_.pack; ++lane)
          loaded[i * form_.pack + lane].of_access[access] = builder.vector_get(vector, lane);
      }
    }
    return loaded;
  }

  // Likewise, of results: [index][output].
  void store_packs(
      ir::Builder& builder, const Values& firsts, const std::vector<Values>& results) const {
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      for (std::size_t output = 0; output < outputs_.size(); ++output) {
        const DType dtype = form_.outputs[output].dtype;
        Values lanes;
        for (std::size_t lane = 0; lane < form_.pack; ++lane)
          lanes.push_back(results[i * form_.pack + lane][output]);
        builder.store(
            pack_pointer(builder, dtype, outputs_[output].pointer, firsts[i]),
            builder.vector_make(ir::Type::vector(dtype, form_.pack), std::move(lanes)));
      }
    }
  }

  // Loads before all that is computed. `given`: for each index what accesses have there.
  std::vector<Values> computed(
      ir::Builder& builder,
      const std::vector<LoopIndices>& at,
      const std::vector<KnownValues>& given) const {
    std::vector<KnownValues> loaded;
    loaded.reserve(at.size());
    for (std::size_t i = 0; i < at.size(); ++i)
      loaded.push_back(load(builder, at[i], given.empty() ? KnownValues() : given[i]));
    std::vector<Values> results;
    results.reserve(at.size());
    for (std::size_t i = 0; i < at.size(); ++i)
      results.push_back(compute(builder, at[i], loaded[i]));
    return results;
  }

  // Loads before stores.
  void emit_together(
      ir::Builder& builder,
      const std::vector<LoopIndices>& at,
      const std::vector<KnownValues>& given) const {
    const std::vector<Values> results = computed(builder, at, given);
    for (std::size_t i = 0; i < at.size(); ++i) store(builder, at[i], results[i]);
  }

  // Where a block's square is, and a thread in it.
  struct Square {
    Values outer;              // the indices of the loops before the last two
    Value first[2];            // of the last two loops
    Value x, y;                // the thread's
    Value is_whole = nullptr;  // no index of it is beyond the extents
  };

  Square square(ir::Builder& builder) const {
    const std::size_t outer = form_.loops - 2;
    Values counts(shape_.begin(), shape_.end() - 2);
    for (std::size_t i = 0; i < 2; ++i)
      counts.push_back(builder.parameter(extents_ + form_.loops + i));
    Values where =
        numpy::indices_of(builder, query(builder, Op::block_index, 0), counts, form_.is_narrow);
    Square square;
    for (std::size_t i = 0; i < 2; ++i) {
      square.first[i] =
          builder.elementwise(Op::multiply, {where[outer + i], builder.integer(square_side)});
      const Value end = sum(builder, square.first[i], square_side);
      const Value fits = builder.elementwise(Op::less_equal, {end, shape_[outer + i]});
      square.is_whole =
          i == 0 ? fits : builder.elementwise(Op::bitwise_and, {square.is_whole, fits});
    }
    where.resize(outer);
    square.outer = std::move(where);
    square.x = query(builder, Op::thread_index, 0);
    square.y = query(builder, Op::thread_index, 1);
    return square;
  }

  // The indices at that row and column of a square.
  LoopIndices at(ir::Builder& builder, const Square& square, Value row, Value column) const {
    LoopIndices at{square.outer, shape_.back()};
    at.indices.push_back(builder.elementwise(Op::add, {square.first[0], row}));
    at.indices.push_back(builder.elementwise(Op::add, {square.first[1], column}));
    return at;
  }

  // Within the extents
  template <typename Emit>
  void guarded(ir::Builder& builder, const LoopIndices& at, const Emit& emit) const {
    const std::size_t outer = form_.loops - 2;
    const auto row = builder.enter(ir::guard(builder, at.indices[outer], shape_[outer]));
    const auto column = builder.enter(ir::guard(builder, at.indices[outer + 1], shape_[outer + 1]));
    emit();
  }

  // The elements of crossed operands come to shared memory by threads that are neighbours along
  // the last loop but one, and are read from there by those that are along the last.
  void emit_squares(ir::Builder& builder) const {
    const Square all = square(builder);
    Values tiles(form_.is_crossed.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (form_.is_crossed[i])  // one column more: columns lie in banks of their own then
        tiles[i] = ir::shared_array(
            builder, form_.program.accesses[i].dtype, {square_side, square_side + 1});
    }
    const auto fetch = builder.if_(all.is_whole);
    {
      const auto inside = builder.enter(fetch.then);
      emit_fetch(builder, all, tiles, true);
    }
    {
      const auto inside = builder.enter(fetch.otherwise);
      emit_fetch(builder, all, tiles, false);
    }
    ir::barrier(builder);
    const auto whole = builder.if_(all.is_whole);
    {
      const auto inside = builder.enter(whole.then);
      std::vector<LoopIndices> indices;
      std::vector<KnownValues> given;
      for (unsigned row = 0; row < square_side; row += square_rows) {
        const Value y = sum(builder, all.y, row);
        indices.push_back(at(builder, all, y, all.x));
        given.push_back({fetched(builder, tiles, all.x, y)});
      }
      emit_together(builder, indices, given);
    }
    const auto inside = builder.enter(whole.otherwise);
    for (unsigned row = 0; row < square_side; row += square_rows) {
      const Value y = sum(builder, all.y, row);
      const LoopIndices indices = at(builder, all, y, all.x);
      guarded(builder, indices, [&] {
        const KnownValues known = {fetched(builder, tiles, all.x, y)};
        store(builder, indices, compute(builder, indices, known));
      });
    }
  }

  Values fetched(ir::Builder& builder, const Values& tiles, Value column, Value row) const {
    Values values(tiles.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (tiles[i] != nullptr)
        values[i] = builder.array_load(tiles[i], {column, row});
    }
    return values;
  }

  void emit_fetch(
      ir::Builder& builder, const Square& all, const Values& tiles, bool is_whole) const {
    struct Fetched {
      Value tile, row, value;
    };
    std::vector<Fetched> under_way;
    for (unsigned step = 0; step < square_side; step += square_rows) {
      const Value column = sum(builder, all.y, step);
      const LoopIndices indices = at(builder, all, all.x, column);
      for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (tiles[i] == nullptr)
          continue;
        const auto load = [&] {
          return Element(builder, form_.program.accesses[i], program_.accesses[i], indices).load();
        };
        if (is_whole)
          under_way.push_back({tiles[i], column, load()});
        else
          guarded(
              builder, indices, [&] { builder.array_store(tiles[i], {column, all.x}, load()); });
      }
    }
    for (const Fetched& each : under_way)
      builder.array_store(each.tile, {each.row, all.x}, each.value);
  }

  const ElementwiseForm& form_;
  std::size_t extents_ = 0;  // the first of the parameters
  Values shape_;             // the loops' extents
  std::vector<OperandParameters> outputs_;
  ProgramParameters program_;
};

}  // namespace

void ElementwiseForm::write_key(KeyWriter& writer) const {
  writer.add('e')
      .add(static_cast<std::uint8_t>(loops))
      .add(way)
      .add(is_narrow)
      .add(strip)
      .add(pack);
  for (const bool is : is_crossed) writer.add(is);
  writer.add(*program.program).add(program.accesses).add(outputs);
}

std::shared_ptr<ir::Module> make_elementwise_module(const ElementwiseForm& form) {
  return CodeMaker(form).make();
}

}  // namespace phalanx::arrays
