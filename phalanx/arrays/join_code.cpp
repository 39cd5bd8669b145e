#include "phalanx/arrays/join_code.h"

#include <vector>

#include "phalanx/arrays/fold_code.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

Value query(ir::Builder& builder, Op op, unsigned dimension) {
  return builder.cast(ir::thread_query(builder, op, dimension), DType::int64);
}

class CodeMaker {
 public:
  CodeMaker(const std::string& name, const numpy::Reduction& fold, const JoinForm& form)
      : name_(name), fold_(fold), form_(form), types_(fold.state()) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    list.add_integers(2);
    for (const DType dtype : types_) list.add(ir::Type::pointer(dtype, ir::Space::global));
    output_ = 2 + types_.size();
    for (std::size_t i = form_.gives_states ? 0 : types_.size() - 1; i < types_.size(); ++i)
      list.add(ir::Type::pointer(types_[i], ir::Space::global));
    ir::Builder builder(
        ir::add_function(*module, "px_join_" + name_, ir::FunctionKind::kernel, list.take()));
    form_.indices == 1 ? emit_one(builder) : emit_several(builder);
    builder.return_();
    return module;
  }

 private:
  Value address(ir::Builder& builder, std::size_t parameter, Value index) const {
    const Value pointer = builder.parameter(parameter);
    const auto bytes = static_cast<std::int64_t>(size_of(pointer->type.element().dtype()));
    const Value offset = builder.elementwise(Op::multiply, {index, builder.integer(bytes)});
    return builder.pointer_offset(pointer, offset, pointer->type);
  }

  Values state_of(ir::Builder& builder, Value chunk, Value index) const {
    const Value row = builder.elementwise(Op::multiply, {chunk, builder.parameter(0)});
    const Value at = builder.elementwise(Op::add, {row, index});
    Values values;
    for (std::size_t i = 0; i < types_.size(); ++i)
      values.push_back(builder.load(address(builder, 2 + i, at)));
    return values;
  }

  void store(ir::Builder& builder, const FoldState& state, Value index) const {
    const Values values =
        form_.gives_states ? fold_.settled(builder, state.get()) : Values{state.result()};
    for (std::size_t i = 0; i < values.size(); ++i)
      builder.store(address(builder, output_ + i, index), values[i]);
  }

  // Every n-th chunk from the group's own.
  void fold_chunks(ir::Builder& builder, FoldState& state, Value group, Value index) const {
    state.set(state_of(builder, group, index));
    const Value second = builder.elementwise(Op::add, {group, builder.integer(form_.groups)});
    const ir::CountedLoop loop =
        ir::begin_counted_loop(builder, "chunk", second, builder.parameter(1));
    {
      const auto body = builder.enter(*loop.body);
      state.join(state_of(builder, loop.index, index));
    }
    ir::step_counted_loop(builder, loop, std::int64_t{form_.groups});
  }

  void emit_one(ir::Builder& builder) const {
    FoldState state(builder, fold_);
    const Value thread = query(builder, Op::thread_index, 0);
    const Value index = query(builder, Op::block_index, 0);
    fold_chunks(builder, state, thread, index);
    join_threads(builder, fold_, state, form_.groups);
    const auto one = builder.enter(ir::guard_of_one(builder, thread, builder.integer(0)));
    store(builder, state, index);
  }

  // Threads beyond the last index do what its own do, but for the result: a barrier waits for all.
  void emit_several(ir::Builder& builder) const {
    FoldState state(builder, fold_);
    const Value group = query(builder, Op::thread_index, 1);
    const Value index = ir::global_index(builder, 0);
    const Value last =
        builder.elementwise(Op::subtract, {builder.parameter(0), builder.integer(1)});
    const Value inside = builder.elementwise(Op::minimum, {index, last});
    if (form_.groups == 1) {
      const auto guarded = builder.enter(ir::guard(builder, index, builder.parameter(0)));
      fold_chunks(builder, state, group, index);
      store(builder, state, index);
      return;
    }
    fold_chunks(builder, state, group, inside);
    join_groups(builder, state, group);
    const auto first_group = builder.enter(ir::guard_of_one(builder, group, builder.integer(0)));
    const auto guarded = builder.enter(ir::guard(builder, index, builder.parameter(0)));
    store(builder, state, index);
  }

  // The first group has it all then.
  void join_groups(ir::Builder& builder, FoldState& state, Value group) const {
    const Value lane = query(builder, Op::thread_index, 0);
    Values tiles;
    for (const DType dtype : types_)
      tiles.push_back(ir::shared_array(builder, dtype, {form_.groups, form_.indices}));
    const Values own = state.get();
    for (std::size_t i = 0; i < tiles.size(); ++i)
      builder.array_store(tiles[i], {group, lane}, own[i]);
    ir::barrier(builder);
    const auto first_group = builder.enter(ir::guard_of_one(builder, group, builder.integer(0)));
    for (std::uint32_t other = 1; other < form_.groups; ++other) {
      Values values;
      for (const Value tile : tiles)
        values.push_back(builder.array_load(tile, {builder.integer(other), lane}));
      state.join(values);
    }
  }

  const std::string& name_;
  const numpy::Reduction& fold_;
  const JoinForm& form_;
  std::vector<DType> types_;
  std::size_t output_ = 0;
};

}  // namespace

std::shared_ptr<ir::Module> make_join_module(
    const std::string& name, const numpy::Reduction& fold, const JoinForm& form) {
  return CodeMaker(name, fold, form).make();
}

}  // namespace phalanx::arrays
