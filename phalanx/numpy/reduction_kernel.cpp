#include "phalanx/numpy/reduction_kernel.h"

#include <array>

#include "phalanx/base/errors.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

class ReductionKernel {
 public:
  ReductionKernel(ir::Builder& builder, const Fold& fold)
      : builder_(builder),
        fold_(fold),
        values_(builder.parameter(0)),
        spacing_(builder.parameter(1)),
        step_(builder.parameter(2)),
        out_(builder.parameter(3)),
        initial_(builder.parameter(4)),
        is_last_(builder.parameter(5)),
        thread_(wide(Op::thread_index)),
        block_(wide(Op::block_index)) {}

  void emit() {
    shared_ = ir::shared_array(builder_, fold_.state, {reduction_block});
    // The same for all threads, so that vectors of them load whole lines on the CPU.
    const Value first = i64(Op::multiply, block_, spacing_);
    const Value size = builder_.array_shape(values_, 0);
    const Value next = i64(Op::minimum, i64(Op::add, first, spacing_), size);
    const Value takes_all = i64(Op::equal, step_, builder_.integer(reduction_tile));
    end_ = builder_.elementwise(Op::select, {takes_all, next, size});
    const Value left = i64(Op::subtract, end_, first);
    const Value width = i64(Op::minimum, left, builder_.integer(reduction_block));
    {
      const auto inside = builder_.enter(ir::guard(builder_, thread_, width));
      reduce_tiles(first);
    }
    ir::barrier(builder_);
    reduce_shared(width);
    const Value is_first = i64(Op::equal, thread_, builder_.integer(0));
    const auto inside = builder_.enter(builder_.if_(is_first).then);
    deliver();
  }

 private:
  Value wide(Op op) { return builder_.cast(ir::thread_query(builder_, op, 0), DType::int64); }
  Value i64(Op op, Value a, Value b) { return builder_.elementwise(op, {a, b}); }
  Value first_state(Value index) {
    return fold_.first(builder_, builder_.array_load(values_, {index}));
  }
  Value shared(Value index) { return builder_.array_load(shared_, {index}); }
  void keep(Value index, Value state) { builder_.array_store(shared_, {index}, state); }

  void join(ir::VariableId total, Value more) {
    builder_.set(total, fold_.join(builder_, builder_.get(total), more));
  }

  // while condition(): body()
  template <typename Condition, typename Body>
  void while_(const Condition& condition, const Body& body) {
    const ir::Builder::Loop loop = builder_.loop();
    const auto inside = builder_.enter(loop.body);
    const auto branches = builder_.if_(condition());
    {
      const auto leaving = builder_.enter(branches.otherwise);
      builder_.break_();
    }
    const auto going_on = builder_.enter(branches.then);
    body();
  }

  // True if there is a whole tile from `base` on.
  Value has_tile(Value base) {
    return i64(Op::less_equal, i64(Op::add, base, builder_.integer(reduction_tile)), end_);
  }

  // The thread's elements of the tile there, combined in pairs.
  Value whole_tile(Value base) {
    const Value first = i64(Op::add, base, thread_);
    std::array<Value, reduction_loads> parts = {};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto offset = static_cast<std::int64_t>(k) * reduction_block;
      parts[k] = first_state(k == 0 ? first : i64(Op::add, first, builder_.integer(offset)));
    }
    for (std::size_t count = parts.size(); count > 1; count /= 2) {
      for (std::size_t k = 0; k < count / 2; ++k)
        parts[k] = fold_.join(builder_, parts[2 * k], parts[2 * k + 1]);
    }
    return parts[0];
  }

  // The thread's elements of what is left from `base` on, but for the first ones.
  void rest(ir::VariableId total, Value base, std::int64_t first) {
    const ir::CountedLoop loop = ir::begin_counted_loop(
        builder_, "k", builder_.integer(first), builder_.integer(reduction_loads));
    {
      const auto inside = builder_.enter(*loop.body);
      const Value before = i64(Op::multiply, loop.index, builder_.integer(reduction_block));
      const Value index = i64(Op::add, i64(Op::add, base, before), thread_);
      const auto guarded = builder_.enter(ir::guard(builder_, index, end_));
      join(total, first_state(index));
    }
    ir::step_counted_loop(builder_, loop, 1);
  }

  void reduce_tiles(Value first) {
    const ir::VariableId total = builder_.variable("total", fold_.state);
    const ir::VariableId base = builder_.variable("base", DType::int64);
    const auto branches = builder_.if_(has_tile(first));
    {
      const auto inside = builder_.enter(branches.then);
      builder_.set(total, whole_tile(first));
    }
    {
      const auto inside = builder_.enter(branches.otherwise);
      builder_.set(total, first_state(i64(Op::add, first, thread_)));
      rest(total, first, 1);
    }
    builder_.set(base, i64(Op::add, first, step_));
    while_(
        [&] { return has_tile(builder_.get(base)); },
        [&] {
          const Value now = builder_.get(base);
          join(total, whole_tile(now));
          builder_.set(base, i64(Op::add, now, step_));
        });
    rest(total, builder_.get(base), 0);
    keep(thread_, builder_.get(total));
  }

  // Halves what is left of the block's results until there is one.
  void reduce_shared(Value count) {
    const ir::VariableId width = builder_.variable("width", DType::int64);
    builder_.set(width, count);
    while_(
        [&] {
          const Value now = builder_.get(width);
          return i64(Op::greater, now, builder_.integer(1));
        },
        [&] {
          const Value now = builder_.get(width);
          const Value more = i64(Op::add, now, builder_.integer(1));
          const Value half = i64(Op::floor_divide, more, builder_.integer(2));
          {
            const Value pairs = i64(Op::subtract, now, half);
            const auto inside = builder_.enter(ir::guard(builder_, thread_, pairs));
            const Value other = shared(i64(Op::add, thread_, half));
            keep(thread_, fold_.join(builder_, shared(thread_), other));
          }
          ir::barrier(builder_);
          builder_.set(width, half);
        });
  }

  void deliver() {
    const Value zero = builder_.integer(0);
    const auto branches = builder_.if_(is_last_);
    {
      const auto inside = builder_.enter(branches.then);
      const Value whole = fold_.join(builder_, shared(zero), initial_);
      builder_.array_store(out_, {zero}, fold_.element(builder_, whole));
    }
    const auto inside = builder_.enter(branches.otherwise);
    builder_.array_store(out_, {block_}, fold_.element(builder_, shared(zero)));
  }

  ir::Builder& builder_;
  const Fold& fold_;
  Value values_;
  Value spacing_;
  Value step_;
  Value out_;
  Value initial_;
  Value is_last_;
  Value thread_;
  Value block_;
  Value shared_ = nullptr;
  Value end_ = nullptr;  // of the elements that are the block's
};

}  // namespace

void emit_reduction(ir::Builder& builder, const Fold& fold) {
  PHX_ASSERT(builder.function().parameters.size() == reduction_parameters);
  ReductionKernel(builder, fold).emit();
}

void emit_row_reduction(ir::Builder& builder, const Fold& fold) {
  PHX_ASSERT(builder.function().parameters.size() == row_reduction_parameters);
  const Value values = builder.parameter(0);
  PHX_ASSERT(values->type.ndim() == 2);
  const Value row = ir::global_index(builder, 0);
  const auto guarded = builder.enter(ir::guard(builder, row, builder.array_shape(values, 0)));
  const ir::VariableId total = builder.variable("total", fold.state);
  builder.set(total, fold.first(builder, builder.array_load(values, {row, builder.integer(0)})));
  const Value extent = builder.array_shape(values, 1);
  const ir::CountedLoop loop = ir::begin_counted_loop(builder, "k", builder.integer(1), extent);
  {
    const auto inside = builder.enter(*loop.body);
    const Value element = builder.array_load(values, {row, loop.index});
    const Value next = fold.first(builder, element);
    builder.set(total, fold.join(builder, builder.get(total), next));
  }
  ir::step_counted_loop(builder, loop, 1);
  builder.array_store(builder.parameter(1), {row}, fold.element(builder, builder.get(total)));
}

}  // namespace phalanx::numpy
