#include "phalanx/frontend/python/iteration.h"

#include <algorithm>

#include "phalanx/frontend/python/flat.h"
#include "phalanx/frontend/python/iterables.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/loops.h"
#include "phalanx/frontend/python/parallel.h"
#include "phalanx/frontend/python/walker.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::frontend::python {
namespace {

// Lists may grow while they are gone over.
bool holds_list(const Value& iterable) {
  const auto* lazy = iterable.as<Iterable>();
  return is_list(iterable) || (lazy != nullptr && std::ranges::any_of(*lazy->parts, holds_list));
}

// True if the number after the last may be beyond the type. Kernels take for granted that it is
// not, so that loops with the grid's stride keep their shape.
bool may_wrap(const Session& session, const Iterable& range) {
  const auto stop = known_integer((*range.parts)[1]);
  const auto step = known_integer((*range.parts)[2]);
  std::int64_t after = 0;
  const bool is_near = !stop || !step || __builtin_add_overflow(*stop, *step, &after) ||
                       ir::normalized(after, range.type.dtype()) != ir::Constant(after);
  return session.options().is_function && step != 0 && step != 1 && step != -1 && is_near;
}

// One for loop.
class ForLoop {
 public:
  ForLoop(Walker& walker, const tree::Statement& at, const tree::For& node)
      : walker_(walker),
        walk_(walker.walk()),
        emitter_(walk_.emitter),
        builder_(walk_.builder()),
        at_(at),
        node_(node) {}

  void emit(const Value& iterable);

 private:
  void range_loop(const Iterable& range);
  void counted_range(const Iterable& range);
  void chunk_loop(const Iterable& iterations);
  void counted_iteration(const Value& iterable);
  void bind_before(DType dtype);

  Walker& walker_;
  Walk& walk_;
  Emitter& emitter_;
  ir::Builder& builder_;
  const tree::Statement& at_;
  const tree::For& node_;
};

// Counts the iterations, as Numba does.
void ForLoop::counted_range(const Iterable& range) {
  const DType dtype = range.type.dtype();
  ir::Operation* count = emitter_.materialize(range_length(emitter_, range));
  const ir::VariableId index = ir::start_counter(builder_, "i", builder_.integer(0, DType::uint64));
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder_.get(index);
    return ir::is_before_end(builder_, position, count);
  };
  const auto begin = [&] {
    const Value distance = emitter_.same_type(
        ir::Op::multiply, dtype, {emitter_.cast(position, dtype), (*range.parts)[2]});
    walker_.assign(
        *node_.target, emitter_.same_type(ir::Op::add, dtype, {(*range.parts)[0], distance}));
  };
  const auto advance = [&] {
    ir::step_counter(builder_, index, builder_.integer(1, DType::uint64));
  };
  walker_.loops().emit(
      at_,
      {.body = node_.body,
       .otherwise = node_.otherwise,
       .condition = condition,
       .begin = begin,
       .step = advance});
}

// A hidden variable counts, so that the loop's name may be assigned to inside.
void ForLoop::range_loop(const Iterable& range) {
  const DType dtype = range.type.dtype();
  ir::Operation* start = emitter_.convert((*range.parts)[0], dtype);
  ir::Operation* stop = emitter_.convert((*range.parts)[1], dtype);
  const Value& step_value = (*range.parts)[2];
  ir::Operation* step = emitter_.convert(step_value, dtype);
  const auto known_step = known_integer(step_value);
  if (known_step == 0)
    walk_.fail(node_.iterable->location, "the step of a range must not be 0");
  const ir::StepSign sign = known_step ? ir::StepSign{} : ir::sign_of_step(builder_, step);
  ir::VariableId index = 0;
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder_.get(index);
    if (!known_step)
      return ir::has_not_ended(builder_, sign, position, stop);
    return *known_step > 0 ? ir::is_before_end(builder_, position, stop)
                           : ir::is_after_end(builder_, position, stop);
  };
  if (step_value.is<Runtime>())
    emitter_.raise_where(
        emitter_.compare(tree::Comparison::equal, step_value, integer_literal(0)),
        "ValueError",
        "range() arg 3 must not be zero");
  bind_before(dtype);
  if (may_wrap(walk_.session, range))
    return counted_range(range);
  index = ir::start_counter(builder_, "i", start);
  walker_.loops().emit(
      at_,
      {.body = node_.body,
       .otherwise = node_.otherwise,
       .condition = condition,
       .begin = [&] { walker_.assign(*node_.target, position); },
       .step = [&] { ir::step_counter(builder_, index, step); }});
}

// Each thread of a chunk takes every iteration that is as many on as there are threads.
void ForLoop::chunk_loop(const Iterable& iterations) {
  const std::vector<Value>& parts = *iterations.parts;
  ir::Operation* last = emitter_.convert(parts[1], DType::int64);
  ir::Operation* threads = emitter_.materialize(
      emitter_.cast(ir::thread_query(builder_, ir::Op::block_extent, 0), DType::int64));
  const ir::VariableId index =
      ir::start_counter(builder_, "iteration", emitter_.convert(parts[0], DType::int64));
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder_.get(index);
    return ir::is_before_end(builder_, position, last);
  };
  const auto begin = [&] {
    const DType dtype = iterations.type.dtype();
    Value number = emitter_.cast(position, dtype);
    if (known_integer(parts[3]) != 1)
      number = emitter_.same_type(ir::Op::multiply, dtype, {number, parts[3]});
    if (known_integer(parts[2]) != 0)
      number = emitter_.same_type(ir::Op::add, dtype, {number, parts[2]});
    walker_.assign(*node_.target, number);
  };
  walker_.loops().emit(
      at_,
      {.body = node_.body,
       .otherwise = node_.otherwise,
       .condition = condition,
       .begin = begin,
       .step = [&] { ir::step_counter(builder_, index, threads); }});
}

// The loop's name may be read after a loop that never ran; it is 0 there, as in Numba.
void ForLoop::bind_before(DType dtype) {
  const auto* name = std::get_if<tree::Name>(&node_.target->node);
  const NameId* id = name == nullptr ? nullptr : walk_.known_names.find(name->text);
  if (id == nullptr || !walk_.names.at(*id).value.is<Unbound>())
    return;
  walk_.bind(name->text, integer_literal(0, dtype), node_.target->location);
  if (walk_.known_names.flags != 0)
    walk_.names.at(*id + walk_.known_names.flags).value = boolean_literal(false);
}

void ForLoop::counted_iteration(const Value& iterable) {
  const bool may_grow = holds_list(iterable);
  ir::Operation* known =
      may_grow ? nullptr : emitter_.materialize(iteration_extent(emitter_, iterable));
  const auto extent = [&] {
    return may_grow ? emitter_.materialize(iteration_extent(emitter_, iterable)) : known;
  };
  const auto combine = [&](ir::Op op, ir::Operation* a, ir::Operation* b) {
    return builder_.elementwise(op, {a, b});
  };
  const ir::VariableId index = ir::start_counter(builder_, "i", builder_.integer(0));
  const auto go_on = [&](ir::Operation* by) { ir::step_counter(builder_, index, by); };
  IndexCounters counters(emitter_, iterable);
  const bool has_runs = !counters.is_empty();  // `index` is that of the first in the run
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder_.get(index);
    if (has_runs)
      position = combine(ir::Op::add, position, counters.done_of_run());
    // The same for a whole run: so the loop over its elements has one exit edge.
    if (has_runs && !may_grow)
      return counters.has_run();
    return ir::is_before_end(builder_, position, extent());
  };
  const auto begin = [&] {
    if (has_runs)
      counters.leave_after_run();
    const auto index_of = [&](const Iterable& indices) {
      return counters.index(indices, position);
    };
    walker_.assign(*node_.target, iteration_element(emitter_, iterable, position, index_of));
  };
  LoopParts parts = {
      .body = node_.body,
      .otherwise = node_.otherwise,
      .condition = condition,
      .begin = begin,
      .step = [&] { has_runs ? counters.advance() : go_on(builder_.integer(1)); }};
  if (has_runs) {
    parts.before_run = [&] {
      counters.begin_run(combine(ir::Op::subtract, extent(), builder_.get(index)));
    };
    parts.after_run = [&] { go_on(counters.end_run()); };
  }
  walker_.loops().emit(at_, parts);
}

void ForLoop::emit(const Value& iterable) {
  const auto* lazy = iterable.as<Iterable>();
  if (lazy != nullptr && lazy->kind == Iterable::Kind::iterations)
    chunk_loop(*lazy);
  else if (
      lazy != nullptr && lazy->is_parallel &&
      parallel_loop(walk_, walker_.closures(), at_, node_, *lazy))
    return;
  else if (lazy != nullptr && lazy->kind == Iterable::Kind::range)
    range_loop(*lazy);
  else if (const auto elements = static_elements(emitter_, iterable))
    walker_.loops().unroll(at_, node_, *elements);
  else
    counted_iteration(iterable);
}

}  // namespace

void for_loop(Walker& walker, const tree::Statement& at, const tree::For& node) {
  ForLoop(walker, at, node).emit(walker.evaluate(*node.iterable));
}

}  // namespace phalanx::frontend::python
