#include "phalanx/arrays/reduce_code.h"

#include <utility>

#include "phalanx/arrays/fold_code.h"
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
    for (std::size_t i = form_.is_split ? 0 : state.size() - 1; i < state.size(); ++i)
      outputs_.push_back(list.add(ir::Type::pointer(state[i], ir::Space::global)));
    program_ = add_program(list, form_.program, form_.kept_loops + form_.reduced_loops);
    ir::Builder builder(
        ir::add_function(*module, "px_" + form_.name, ir::FunctionKind::kernel, list.take()));
    form_.way == ReduceWay::rows ? emit_rows(builder) : emit_columns(builder);
    builder.return_();
    return module;
  }

 private:
  Values parameters(ir::Builder& builder, std::size_t first, std::size_t count) const {
    Values values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(builder.parameter(first + i));
    return values;
  }

  // The program's value at iteration `number` of the reduced loops.
  Value element(ir::Builder& builder, const Values& kept, Value number) const {
    const Values extents = parameters(builder, reduced_, form_.reduced_loops);
    const Values reduced = numpy::indices_of(builder, number, extents, form_.is_narrow);
    LoopIndices at;
    if (form_.way == ReduceWay::rows) {
      at.indices = kept;
      at.indices.insert(at.indices.end(), reduced.begin(), reduced.end());
      at.inner_extent = extents.back();
    } else {
      at.indices.assign(kept.begin(), kept.end() - 1);
      at.indices.insert(at.indices.end(), reduced.begin(), reduced.end());
      at.indices.push_back(kept.back());
      at.inner_extent = builder.parameter(kept_ + form_.kept_loops - 1);
    }
    return emit_steps(builder, form_.program, program_, at, form_.program.program->results).front();
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

  // Folds the iterations from `first` in steps up to the end of the chunk.
  void fold(
      ir::Builder& builder,
      FoldState& state,
      const Values& kept,
      const Chunk& chunk,
      Value first,
      Value by) const {
    if (fold_.identity())
      state.set_identity();
    else  // Joining the first element twice changes no extreme.
      state.set(fold_.first(builder, element(builder, kept, chunk.begin), chunk.begin));
    if (form_.is_empty)
      return;
    emit_fold(builder, state, {first, chunk.end, by}, form_.at_once, [&](Value index) {
      return element(builder, kept, index);
    });
  }

  // Where the kept index `number` of that chunk has its result.
  void store(ir::Builder& builder, const Values& state, Value number, Value chunk_number) const {
    Value index = number;
    if (form_.is_split)
      index = builder.elementwise(
          Op::add, {builder.elementwise(Op::multiply, {chunk_number, total(builder)}), number});
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Value value = state[state.size() - outputs_.size() + i];
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
    if (form_.way == ReduceWay::columns)
      count = builder.elementwise(
          Op::multiply, {count, builder.parameter(kept_ + form_.kept_loops - 1)});
    return count;
  }

  // x: the innermost kept loop; y: the other ones; z: chunks.
  void emit_columns(ir::Builder& builder) const {
    FoldState state(builder, fold_);
    const Value x = ir::global_index(builder, 0);
    const Value inner = builder.parameter(kept_ + form_.kept_loops - 1);
    const auto inside = builder.enter(ir::guard(builder, x, inner));
    const Value chunk_number = query(builder, Op::block_index, 2);
    const Chunk own = chunk(builder, chunk_number);
    const Value by = query(builder, Op::grid_extent, 1);
    const ir::CountedLoop loop = ir::begin_counted_loop(
        builder, "row", query(builder, Op::block_index, 1), builder.parameter(rows_));
    {
      const auto body = builder.enter(*loop.body);
      const Values extents = parameters(builder, kept_, form_.kept_loops - 1);
      Values kept = numpy::indices_of(builder, loop.index, extents, form_.is_narrow);
      kept.push_back(x);
      fold(builder, state, kept, own, own.begin, builder.integer(1));
      const Value number =
          builder.elementwise(Op::add, {builder.elementwise(Op::multiply, {loop.index, inner}), x});
      store(builder, state.get(), number, chunk_number);
    }
    ir::step_counted_loop(builder, loop, by);
  }

  // x: kept indices; y: chunks. A tree joins the threads' states.
  void emit_rows(ir::Builder& builder) const {
    FoldState state(builder, fold_);
    const Value thread = query(builder, Op::thread_index, 0);
    const Value chunk_number = query(builder, Op::block_index, 1);
    const Value number = query(builder, Op::block_index, 0);
    const Chunk own = chunk(builder, chunk_number);
    const Values extents = parameters(builder, kept_, form_.kept_loops);
    const Values kept = numpy::indices_of(builder, number, extents, form_.is_narrow);
    const Value first = builder.elementwise(Op::add, {own.begin, thread});
    fold(builder, state, kept, own, first, builder.integer(form_.threads));
    join_threads(builder, fold_, state, form_.threads);
    const auto first_thread = builder.enter(ir::guard(builder, thread, builder.integer(1)));
    store(builder, state.get(), number, chunk_number);
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
  writer.add(static_cast<std::uint8_t>(reduced_loops)).add(threads).add(at_once);
  writer.add(is_split).add(is_narrow).add(is_empty);
  writer.add_name(name);
  for (const DType dtype : reduction->state()) writer.add(dtype);
  writer.add(*program.program).add(program.accesses);
}

std::shared_ptr<ir::Module> make_reduce_module(const ReduceForm& form) {
  return CodeMaker(form).make();
}

}  // namespace phalanx::arrays
