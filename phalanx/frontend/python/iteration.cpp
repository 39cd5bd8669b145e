// What a for loop goes over: ranges, arrays, tuples, enumerate, zip.
#include <algorithm>
#include <functional>

#include "phalanx/frontend/python/carried.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/flat.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/constants.h"

namespace phalanx::frontend::python {
namespace {

ir::Operation* less(ir::Builder& builder, ir::Operation* a, ir::Operation* b) {
  return builder.elementwise(ir::Op::less, {a, b});
}

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

}  // namespace

// Counts the iterations, as Numba does.
void Walker::counted_range(
    const tree::Statement& at, const tree::For& node, const Iterable& range) {
  const DType dtype = range.type.dtype();
  ir::Operation* count = emitter_.materialize(range_length(range));
  const ir::VariableId index = builder().variable("i", DType::uint64);
  builder().set(index, builder().constant(DType::uint64, std::int64_t{0}));
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder().get(index);
    return less(builder(), position, count);
  };
  const auto begin = [&] {
    const Value distance = emitter_.same_type(
        ir::Op::multiply, dtype, {emitter_.cast(position, dtype), (*range.parts)[2]});
    assign(*node.target, emitter_.same_type(ir::Op::add, dtype, {(*range.parts)[0], distance}));
  };
  const auto advance = [&] {
    ir::Operation* one = builder().constant(DType::uint64, std::int64_t{1});
    builder().set(index, builder().elementwise(ir::Op::add, {builder().get(index), one}));
  };
  loop(
      at,
      {.body = node.body,
       .otherwise = node.otherwise,
       .condition = condition,
       .begin = begin,
       .step = advance});
}

// A hidden variable counts, so that the loop's name may be assigned to inside.
void Walker::range_loop(const tree::Statement& at, const tree::For& node, const Iterable& range) {
  const DType dtype = range.type.dtype();
  ir::Operation* start = emitter_.convert((*range.parts)[0], dtype);
  ir::Operation* stop = emitter_.convert((*range.parts)[1], dtype);
  const Value& step_value = (*range.parts)[2];
  ir::Operation* step = emitter_.convert(step_value, dtype);
  const auto known_step = known_integer(step_value);
  if (known_step == 0)
    fail(node.iterable->location, "the step of a range must not be 0");
  ir::Operation* zero = known_step ? nullptr : builder().constant(dtype, std::int64_t{0});
  ir::Operation* is_up = known_step ? nullptr : less(builder(), zero, step);
  ir::Operation* is_down = known_step ? nullptr : less(builder(), step, zero);
  ir::VariableId index = 0;
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder().get(index);
    if (known_step)
      return *known_step > 0 ? less(builder(), position, stop) : less(builder(), stop, position);
    // A step of 0 would go on for ever.
    ir::Operation* down =
        builder().elementwise(ir::Op::bitwise_and, {is_down, less(builder(), stop, position)});
    return builder().elementwise(ir::Op::select, {is_up, less(builder(), position, stop), down});
  };
  const auto advance = [&] {
    ir::Operation* next = builder().elementwise(ir::Op::add, {builder().get(index), step});
    builder().set(index, next);
  };
  if (step_value.is<Runtime>())
    emitter_.raise_where(
        emitter_.compare(tree::Comparison::equal, step_value, integer_literal(0)),
        "ValueError",
        "range() arg 3 must not be zero");
  bind_before_loop(node, dtype);
  if (may_wrap(*session_, range))
    return counted_range(at, node, range);
  index = builder().variable("i", dtype);
  builder().set(index, start);
  loop(
      at,
      {.body = node.body,
       .otherwise = node.otherwise,
       .condition = condition,
       .begin = [&] { assign(*node.target, position); },
       .step = advance});
}

// Each thread of a chunk takes every iteration that is as many on as there are threads.
void Walker::chunk_loop(
    const tree::Statement& at, const tree::For& node, const Iterable& iterations) {
  const std::vector<Value>& parts = *iterations.parts;
  ir::Operation* last = emitter_.convert(parts[1], DType::int64);
  ir::Operation* threads = emitter_.materialize(
      emitter_.cast(ir::thread_query(builder(), ir::Op::block_extent, 0), DType::int64));
  const ir::VariableId index = builder().variable("iteration", DType::int64);
  builder().set(index, emitter_.convert(parts[0], DType::int64));
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder().get(index);
    return less(builder(), position, last);
  };
  const auto begin = [&] {
    const DType dtype = iterations.type.dtype();
    Value number = emitter_.cast(position, dtype);
    if (known_integer(parts[3]) != 1)
      number = emitter_.same_type(ir::Op::multiply, dtype, {number, parts[3]});
    if (known_integer(parts[2]) != 0)
      number = emitter_.same_type(ir::Op::add, dtype, {number, parts[2]});
    assign(*node.target, number);
  };
  const auto advance = [&] {
    ir::Operation* next = builder().elementwise(ir::Op::add, {builder().get(index), threads});
    builder().set(index, next);
  };
  loop(
      at,
      {.body = node.body,
       .otherwise = node.otherwise,
       .condition = condition,
       .begin = begin,
       .step = advance});
}

// The loop's name may be read after a loop that never ran; it is 0 there, as in Numba.
void Walker::bind_before_loop(const tree::For& node, DType dtype) {
  const auto* name = std::get_if<tree::Name>(&node.target->node);
  const NameId* id = name == nullptr ? nullptr : known_names_->find(name->text);
  if (id == nullptr || !names_.at(*id).value.is<Unbound>())
    return;
  bind(name->text, integer_literal(0, dtype), node.target->location);
  if (known_names_->flags != 0)
    names_.at(*id + known_names_->flags).value = boolean_literal(false);
}

// How many numbers the range has, as a u64: exact up to the ends of the type, as it never computes
// the number after the last. A step of 0 gives none.
Value Walker::range_length(const Iterable& range) {
  const std::vector<Value>& parts = *range.parts;
  const auto u64 = [&](ir::Op op, const Value& a, const Value& b) {
    return emitter_.same_type(op, DType::uint64, {a, b});
  };
  const auto one_way = [&](const Value& from, const Value& to, const Value& step) {
    const Value one = integer_literal(1, DType::uint64);
    const Value distance =
        u64(ir::Op::subtract, emitter_.cast(to, DType::uint64), emitter_.cast(from, DType::uint64));
    const Value steps = u64(ir::Op::floor_divide, u64(ir::Op::subtract, distance, one), step);
    return emitter_.select(
        emitter_.compare(tree::Comparison::less, from, to),
        u64(ir::Op::add, steps, one),
        integer_literal(0, DType::uint64));
  };
  const Value zero = emitter_.cast(integer_literal(0), range.type.dtype());
  const Value step = emitter_.cast(parts[2], DType::uint64);
  const Value back = u64(ir::Op::subtract, integer_literal(0, DType::uint64), step);
  const Value is_up = emitter_.compare(tree::Comparison::greater, parts[2], zero);
  const auto known = known_truth(is_up);
  if (known)
    return *known ? one_way(parts[0], parts[1], step) : one_way(parts[1], parts[0], back);
  return emitter_.select(
      is_up, one_way(parts[0], parts[1], step), one_way(parts[1], parts[0], back));
}

// How many elements there are, as an i64.
Value Walker::iteration_extent(const Value& iterable) {
  if (const auto elements = emitter_.elements_of(iterable))
    return integer_literal(static_cast<std::int64_t>(elements->size()));
  if (is_array(iterable) && type_of(iterable)->ndim() > 0)
    return emitter_.extent(iterable, 0);
  if (is_list(iterable))
    return list_length(emitter_, iterable);
  const auto* lazy = iterable.as<Iterable>();
  if (lazy == nullptr)
    emitter_.fail(
        describe(iterable) + " cannot be gone over",
        "Loops go over range, arrays, lists, tuples, enumerate, zip, numpy.ndindex, "
        "numpy.ndenumerate and numpy.nditer.");
  if (lazy->kind == Iterable::Kind::range)
    return emitter_.cast(range_length(*lazy), DType::int64);
  if (lazy->kind == Iterable::Kind::enumerate)
    return iteration_extent((*lazy->parts)[0]);
  if (lazy->kind >= Iterable::Kind::indices)
    return index_count(emitter_, *lazy);
  Value shortest = iteration_extent(lazy->parts->front());
  for (std::size_t i = 1; i < lazy->parts->size(); ++i) {
    const Value extent = iteration_extent((*lazy->parts)[i]);
    const Value is_less = emitter_.compare(tree::Comparison::less, extent, shortest);
    shortest = emitter_.select(is_less, extent, shortest);
  }
  return shortest;
}

namespace {

using IndexOf = std::function<Value(const Iterable& iterable)>;

// `position`: how many elements were before it; of an iterable over indices `index_of` gives the
// indices.
Value element_at(
    Emitter& emitter, const Value& iterable, ir::Operation* position, const IndexOf& index_of) {
  if (emitter.elements_of(iterable))
    return emitter.item(iterable, position);
  if (is_array(iterable))
    return emitter.row(iterable, position);
  if (is_list(iterable))
    return list_element_at(emitter, iterable, position);
  const auto& lazy = *iterable.as<Iterable>();
  switch (lazy.kind) {
    case Iterable::Kind::range: {
      const DType dtype = lazy.type.dtype();
      const Value offset = emitter.binary(ir::Op::multiply, position, (*lazy.parts)[2]);
      return emitter.cast(emitter.binary(ir::Op::add, (*lazy.parts)[0], offset), dtype);
    }
    case Iterable::Kind::enumerate: {
      const Value count = emitter.binary(ir::Op::add, (*lazy.parts)[1], position);
      return tuple_value({count, element_at(emitter, (*lazy.parts)[0], position, index_of)});
    }
    case Iterable::Kind::indices:
      return index_of(lazy);
    case Iterable::Kind::elements: {
      const Value index = index_of(lazy);
      return tuple_value({index, element_at_index(emitter, lazy.parts->front(), index)});
    }
    case Iterable::Kind::flat:
      return element_at_index(emitter, lazy.parts->front(), index_of(lazy));
    case Iterable::Kind::operands:
      return operands_at(emitter, lazy, index_of(lazy));
    case Iterable::Kind::zip:
    case Iterable::Kind::iterations:
      break;
  }
  std::vector<Value> elements;
  for (const Value& part : *lazy.parts)
    elements.push_back(element_at(emitter, part, position, index_of));
  return tuple_value(std::move(elements));
}

}  // namespace

void Walker::counted_iteration(
    const tree::Statement& at, const tree::For& node, const Value& iterable) {
  const bool may_grow = holds_list(iterable);
  ir::Operation* known = may_grow ? nullptr : emitter_.materialize(iteration_extent(iterable));
  const auto extent = [&] {
    return may_grow ? emitter_.materialize(iteration_extent(iterable)) : known;
  };
  const auto combine = [&](ir::Op op, ir::Operation* a, ir::Operation* b) {
    return builder().elementwise(op, {a, b});
  };
  const ir::VariableId index = builder().variable("i", DType::int64);
  builder().set(index, builder().integer(0));
  const auto go_on = [&](ir::Operation* by) {
    builder().set(index, combine(ir::Op::add, builder().get(index), by));
  };
  IndexCounters counters(emitter_, iterable);
  const bool has_runs = !counters.is_empty();  // `index` is that of the first in the run
  ir::Operation* position = nullptr;
  const auto condition = [&]() -> Value {
    position = builder().get(index);
    if (has_runs)
      position = combine(ir::Op::add, position, counters.done_of_run());
    // The same for a whole run: so the loop over its elements has one exit edge.
    if (has_runs && !may_grow)
      return counters.has_run();
    return less(builder(), position, extent());
  };
  const auto begin = [&] {
    if (has_runs)
      counters.leave_after_run();
    const auto index_of = [&](const Iterable& indices) {
      return counters.index(indices, position);
    };
    assign(*node.target, element_at(emitter_, iterable, position, index_of));
  };
  LoopParts parts = {
      .body = node.body,
      .otherwise = node.otherwise,
      .condition = condition,
      .begin = begin,
      .step = [&] { has_runs ? counters.advance() : go_on(builder().integer(1)); }};
  if (has_runs) {
    parts.before_run = [&] {
      counters.begin_run(combine(ir::Op::subtract, extent(), builder().get(index)));
    };
    parts.after_run = [&] { go_on(counters.end_run()); };
  }
  loop(at, parts);
}

// The elements, where all that is gone over are tuples.
std::optional<std::vector<Value>> Walker::static_elements(const Value& iterable) {
  if (auto elements = emitter_.elements_of(iterable))
    return elements;
  const auto* lazy = iterable.as<Iterable>();
  if (lazy == nullptr || lazy->kind == Iterable::Kind::range ||
      lazy->kind >= Iterable::Kind::indices)
    return std::nullopt;
  if (lazy->kind == Iterable::Kind::enumerate) {
    auto elements = static_elements((*lazy->parts)[0]);
    const auto start = known_integer((*lazy->parts)[1]);
    if (!elements || !start)
      return std::nullopt;
    for (std::size_t i = 0; i < elements->size(); ++i)
      (*elements)[i] =
          tuple_value({integer_literal(*start + static_cast<std::int64_t>(i)), (*elements)[i]});
    return elements;
  }
  std::vector<std::vector<Value>> rows;
  for (const Value& part : *lazy->parts) {
    const auto elements = static_elements(part);
    if (!elements)
      return std::nullopt;
    rows.resize(rows.empty() ? elements->size() : std::min(rows.size(), elements->size()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back((*elements)[i]);
  }
  std::vector<Value> elements;
  for (std::vector<Value>& row : rows) elements.push_back(tuple_value(std::move(row)));
  return elements;
}

// Each element has its own copy of the body, so that each may have its own type.
void Walker::unrolled(
    const tree::Statement& at, const tree::For& node, const std::vector<Value>& elements) {
  const JoinNames& joins = known_names_->joins.at(&at);
  const Bindings entry = names_;
  LoopFrame frame = {.continue_breaks = true};
  {
    const auto outer = builder().enter(builder().block());
    frame.break_depth = ++depth_;
    for (const Value& element : elements) {
      if (!is_reachable_)
        break;
      const Bindings before = names_;
      frame.continues.clear();
      {
        const auto inner = builder().enter(builder().block());
        frame.continue_depth = ++depth_;
        loops_.push_back(&frame);
        memory_.clear();  // the loops inside start afresh: types may differ
        assign(*node.target, element);
        body(node.body);
        loops_.pop_back();
        --depth_;
        if (is_reachable_)
          frame.continues.push_back(edge());
      }
      NameSet live = joins.live_head;
      join(joins.assigned, live, frame.continues, before);
    }
    if (is_reachable_)
      body(node.otherwise);
    if (is_reachable_)
      frame.breaks.push_back(edge());
    --depth_;
  }
  join(joins.assigned, joins.live_after, std::move(frame.breaks), entry);
}

void Walker::for_loop(const tree::Statement& at, const tree::For& node) {
  const Value iterable = evaluate(*node.iterable);
  const auto* lazy = iterable.as<Iterable>();
  if (lazy != nullptr && lazy->kind == Iterable::Kind::iterations)
    chunk_loop(at, node, *lazy);
  else if (lazy != nullptr && lazy->is_parallel && parallel_loop(at, node, *lazy))
    return;
  else if (lazy != nullptr && lazy->kind == Iterable::Kind::range)
    range_loop(at, node, *lazy);
  else if (const auto elements = static_elements(iterable))
    unrolled(at, node, *elements);
  else
    counted_iteration(at, node, iterable);
}

}  // namespace phalanx::frontend::python
