#include "phalanx/arrays/compact_code.h"

#include <string>
#include <vector>

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/numpy/elementwise_kernel.h"

namespace phalanx::arrays {
namespace {

using ir::Op;

constexpr std::uint32_t warp = 32;
constexpr std::uint32_t warps = compact_threads / warp;

class CodeMaker {
 public:
  explicit CodeMaker(const CompactForm& form)
      : form_(form), results_(form.program.program->results) {}

  std::shared_ptr<ir::Module> make() {
    auto module = std::make_shared<ir::Module>();
    ParameterList list;
    count_ = list.add_integers(1);
    extents_ = list.add_integers(form_.loops);
    const DType place = form_.is_counting ? DType::int32 : DType::int64;
    places_ = list.add(ir::Type::pointer(place, ir::Space::global));
    for (std::size_t i = 1; i < results_.size() && !form_.is_counting; ++i)
      outputs_.push_back(list.add(ir::Type::pointer(dtype_of(i), ir::Space::global)));
    program_ = add_program(list, form_.program, form_.loops);
    const std::string name = form_.is_counting ? "px_count" : "px_compact";
    ir::Builder builder(ir::add_function(*module, name, ir::FunctionKind::kernel, list.take()));
    form_.is_sequential ? emit_sequential(builder) : emit(builder);
    builder.return_();
    return module;
  }

 private:
  // What a thread has of one round.
  struct Round {
    Value is_taken = nullptr;
    Value ballot = nullptr;  // of the warp
    Values values;           // that may be taken
  };

  DType dtype_of(std::size_t result) const {
    return form_.program.program->steps[results_[result]].dtype;
  }
  static Value add(ir::Builder& builder, Value a, Value b) {
    return builder.elementwise(Op::add, {a, b});
  }
  static Value wide(ir::Builder& builder, Value value) { return builder.cast(value, DType::int64); }
  static Value set_bits(ir::Builder& builder, Value word) {
    return wide(builder, builder.elementwise(Op::popcount, {word}));
  }
  Value address(ir::Builder& builder, std::size_t parameter, Value index) const {
    const Value pointer = builder.parameter(parameter);
    const auto bytes = static_cast<std::int64_t>(size_of(pointer->type.element().dtype()));
    const Value offset = builder.elementwise(Op::multiply, {index, builder.integer(bytes)});
    return builder.pointer_offset(pointer, offset, pointer->type);
  }

  LoopIndices at(ir::Builder& builder, Value index) const {
    Values extents;
    for (std::size_t i = 0; i < form_.loops; ++i)
      extents.push_back(builder.parameter(extents_ + i));
    return {numpy::indices_of(builder, index, extents, form_.is_narrow), extents.back()};
  }

  // What is taken goes to arrays of the thread's own, without a branch for each element, and from
  // there to its place.
  void emit_sequential(ir::Builder& builder) const {
    const Value block = wide(builder, ir::thread_query(builder, Op::block_index, 0));
    const Value size = builder.integer(compact_block);
    const Value first = builder.elementwise(Op::multiply, {block, size});
    const Value end =
        builder.elementwise(Op::minimum, {add(builder, first, size), builder.parameter(count_)});
    const ir::VariableId taken = builder.variable("taken", DType::int64);
    builder.set(taken, builder.integer(0));
    Values own;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      own.push_back(ir::local_array(builder, dtype_of(i + 1), {compact_block}));
    const ir::CountedLoop loop = ir::begin_counted_loop(builder, "i", first, end);
    {
      const auto body = builder.enter(*loop.body);
      const std::span<const std::uint16_t> all(results_);
      const auto wanted = form_.is_counting ? all.first(1) : all;
      const Values values =
          emit_steps(builder, form_.program, program_, at(builder, loop.index), wanted);
      const Value number = builder.get(taken);
      for (std::size_t i = 0; i < own.size(); ++i)
        builder.array_store(own[i], {number}, values[i + 1]);
      builder.set(taken, add(builder, number, wide(builder, values.front())));
    }
    ir::step_counted_loop(builder, loop, std::int64_t{1});
    if (form_.is_counting)
      builder.store(
          address(builder, places_, block), builder.cast(builder.get(taken), DType::int32));
    else
      move_own(builder, own, builder.load(address(builder, places_, block)), builder.get(taken));
  }

  void move_own(ir::Builder& builder, const Values& own, Value place, Value count) const {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const ir::CountedLoop loop = ir::begin_counted_loop(builder, "i", builder.integer(0), count);
      {
        const auto body = builder.enter(*loop.body);
        const Value value = builder.array_load(own[i], {loop.index});
        builder.store(address(builder, outputs_[i], add(builder, place, loop.index)), value);
      }
      ir::step_counted_loop(builder, loop, std::int64_t{1});
    }
  }

  void emit(ir::Builder& builder) const {
    const Value thread = wide(builder, ir::thread_query(builder, Op::thread_index, 0));
    const Value block = wide(builder, ir::thread_query(builder, Op::block_index, 0));
    const Value lane = builder.elementwise(Op::bitwise_and, {thread, builder.integer(warp - 1)});
    const Value number = builder.elementwise(Op::right_shift, {thread, builder.integer(5)});
    const Value of_block =
        builder.elementwise(Op::multiply, {block, builder.integer(compact_block)});
    const Value of_warp = builder.elementwise(
        Op::multiply, {number, builder.integer(std::int64_t{warp} * compact_rounds)});
    const Value first = add(builder, of_block, add(builder, of_warp, lane));
    std::vector<Round> rounds;
    rounds.reserve(compact_rounds);
    for (std::int64_t i = 0; i < compact_rounds; ++i)
      rounds.push_back(round(builder, add(builder, first, builder.integer(warp * i))));
    Value taken = nullptr;  // by the warp
    for (const Round& each : rounds) {
      const Value own = set_bits(builder, each.ballot);
      taken = taken == nullptr ? own : add(builder, taken, own);
    }
    const Value counts = ir::shared_array(builder, DType::int64, {warps});
    {
      const auto one = builder.enter(ir::guard_of_one(builder, lane, builder.integer(0)));
      builder.array_store(counts, {number}, taken);
    }
    ir::barrier(builder);
    if (form_.is_counting)
      store_count(builder, thread, block, counts);
    else
      move(builder, rounds, lane, number, builder.load(address(builder, places_, block)), counts);
  }

  // Beyond the end nothing is taken; what is read there is the last element.
  Round round(ir::Builder& builder, Value index) const {
    const Value count = builder.parameter(count_);
    const Value last = builder.elementwise(Op::subtract, {count, builder.integer(1)});
    const Value inside = builder.elementwise(Op::minimum, {index, last});
    const std::span<const std::uint16_t> all(results_);
    const auto wanted = form_.is_counting ? all.first(1) : all;
    Values values = emit_steps(builder, form_.program, program_, at(builder, inside), wanted);
    Round round;
    const Value is_inside = builder.elementwise(Op::less, {index, count});
    round.is_taken = builder.elementwise(Op::bitwise_and, {values.front(), is_inside});
    round.ballot =
        ir::vote(builder, ir::Vote::ballot, builder.integer(-1, DType::int32), round.is_taken);
    values.erase(values.begin());
    round.values = std::move(values);
    return round;
  }

  void store_count(ir::Builder& builder, Value thread, Value block, Value counts) const {
    const auto one = builder.enter(ir::guard_of_one(builder, thread, builder.integer(0)));
    Value sum = builder.array_load(counts, {builder.integer(0)});
    for (std::uint32_t i = 1; i < warps; ++i)
      sum = add(builder, sum, builder.array_load(counts, {builder.integer(i)}));
    builder.store(address(builder, places_, block), builder.cast(sum, DType::int32));
  }

  // A thread's element goes behind those of the warps, rounds and lanes before it.
  void move(
      ir::Builder& builder,
      const std::vector<Round>& rounds,
      Value lane,
      Value number,
      Value place,
      Value counts) const {
    for (std::uint32_t i = 0; i + 1 < warps; ++i) {
      const Value is_before = builder.elementwise(Op::less, {builder.integer(i), number});
      const Value own = builder.array_load(counts, {builder.integer(i)});
      place = add(
          builder, place, builder.elementwise(Op::select, {is_before, own, builder.integer(0)}));
    }
    const Value one = builder.integer(1, DType::int32);
    const Value bit = builder.elementwise(Op::left_shift, {one, builder.cast(lane, DType::int32)});
    const Value before = builder.elementwise(Op::subtract, {bit, one});  // the lanes
    for (const Round& each : rounds) {
      const Value earlier = builder.elementwise(Op::bitwise_and, {each.ballot, before});
      const Value at = add(builder, place, set_bits(builder, earlier));
      {
        const auto taken = builder.enter(builder.if_(each.is_taken).then);
        for (std::size_t i = 0; i < outputs_.size(); ++i)
          builder.store(address(builder, outputs_[i], at), each.values[i]);
      }
      place = add(builder, place, set_bits(builder, each.ballot));
    }
  }

  const CompactForm& form_;
  const std::vector<std::uint16_t>& results_;
  std::size_t count_ = 0;    // the parameter
  std::size_t extents_ = 0;  // the first
  std::size_t places_ = 0;   // the parameter
  std::vector<std::size_t> outputs_;
  ProgramParameters program_;
};

}  // namespace

void CompactForm::write_key(KeyWriter& writer) const {
  writer.add('c').add(static_cast<std::uint8_t>(loops)).add(is_narrow).add(is_counting);
  writer.add(is_sequential);
  writer.add(*program.program).add(program.accesses);
}

std::shared_ptr<ir::Module> make_compact_module(const CompactForm& form) {
  return CodeMaker(form).make();
}

}  // namespace phalanx::arrays
