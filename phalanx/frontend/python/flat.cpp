#include "phalanx/frontend/python/flat.h"

#include <algorithm>
#include <array>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/numpy/broadcast.h"

namespace phalanx::frontend::python {
namespace {

// Extents follow one value, of indices none.
std::size_t values_before_extents(Iterable::Kind kind) {
  return kind == Iterable::Kind::indices ? 0 : 1;
}

Value iterable_over(Emitter& emitter, Iterable::Kind kind, const Value& first, const Value& shape) {
  ir::Operation* array = emitter.materialize(shape);
  std::vector<Value> parts = {first};
  for (unsigned i = 0; i < array->type.ndim(); ++i) parts.push_back(emitter.extent(array, i));
  return Iterable{
      .kind = kind, .parts = std::make_shared<const std::vector<Value>>(std::move(parts))};
}

Value required_array(Emitter& emitter, std::string_view function, const Value& value) {
  if (!is_array(value))
    emitter.fail(std::string(function) + " takes arrays, found " + describe(value));
  return emitter.materialize(value);
}

}  // namespace

std::span<const Value> extents_of(const Iterable& iterable) {
  return std::span(*iterable.parts).subspan(values_before_extents(iterable.kind));
}

Value index_count(Emitter& emitter, const Iterable& iterable) {
  Value count = integer_literal(1);
  for (const Value& extent : extents_of(iterable))
    count = emitter.binary(ir::Op::multiply, count, extent);
  return count;
}

Value index_at(Emitter& emitter, const Iterable& iterable, ir::Operation* position) {
  const std::span<const Value> extents = extents_of(iterable);
  std::vector<Value> indices(extents.size());
  Value rest = position;
  for (std::size_t i = extents.size(); i-- > 0;) {
    indices[i] = i == 0 ? rest : emitter.binary(ir::Op::remainder, rest, extents[i]);
    if (i > 0)
      rest = emitter.binary(ir::Op::floor_divide, rest, extents[i]);
  }
  return tuple_value(std::move(indices));
}

// ---- Counters ----

namespace {

ir::Operation* sum(ir::Builder& builder, ir::Operation* a, ir::Operation* b) {
  return builder.elementwise(ir::Op::add, {a, b});
}

}  // namespace

IndexCounters::IndexCounters(Emitter& emitter, const Value& iterable) : emitter_(&emitter) {
  if (!emitter.session().options().is_function)
    return;
  add(iterable);
  if (!is_empty())
    done_ = emitter.builder().variable("done", DType::int64);
}

void IndexCounters::add(const Value& iterable) {
  const auto* lazy = iterable.as<Iterable>();
  if (lazy == nullptr)
    return;
  if (lazy->kind == Iterable::Kind::zip || lazy->kind == Iterable::Kind::enumerate) {
    for (const Value& part : *lazy->parts) add(part);
    return;
  }
  const bool is_known =
      std::ranges::find(counters_, lazy->parts.get(), &Counter::parts) != counters_.end();
  if (lazy->kind < Iterable::Kind::indices || extents_of(*lazy).size() < 2 || is_known)
    return;
  ir::Builder& builder = emitter_->builder();
  Counter counter = {.parts = lazy->parts.get()};
  for (const Value& extent : extents_of(*lazy)) {
    counter.extents.push_back(emitter_->materialize(extent));
    counter.indices.push_back(builder.variable("i", DType::int64));
    builder.set(counter.indices.back(), builder.integer(0));
  }
  counters_.push_back(std::move(counter));
}

// Each goes to the end of its row, or as far as the shortest of them. The bounds, which no array
// comes near, tell the range analysis that no index is negative.
void IndexCounters::begin_run(ir::Operation* left) {
  constexpr std::int64_t most = std::int64_t{1} << 61;
  ir::Builder& builder = emitter_->builder();
  run_ = builder.elementwise(ir::Op::minimum, {left, builder.integer(most)});
  for (Counter& counter : counters_) {
    counter.first.clear();
    for (const ir::VariableId index : counter.indices) {
      ir::Operation* natural =
          builder.elementwise(ir::Op::maximum, {builder.get(index), builder.integer(0)});
      counter.first.push_back(
          builder.elementwise(ir::Op::minimum, {natural, builder.integer(most)}));
    }
    ir::Operation* row =
        builder.elementwise(ir::Op::subtract, {counter.extents.back(), counter.first.back()});
    run_ = builder.elementwise(ir::Op::minimum, {run_, row});
  }
  builder.set(done_, builder.integer(0));
}

ir::Operation* IndexCounters::end_run() const {
  for (const Counter& counter : counters_) carry(counter, counter.indices.size() - 1, run_);
  return run_;
}

void IndexCounters::carry(
    const Counter& counter, std::size_t dimension, ir::Operation* steps) const {
  ir::Builder& builder = emitter_->builder();
  const ir::VariableId index = counter.indices[dimension];
  ir::Operation* next = sum(builder, builder.get(index), steps);
  builder.set(index, next);
  if (dimension == 0)
    return;
  const ir::Builder::Branches branches =
      builder.if_(builder.elementwise(ir::Op::equal, {next, counter.extents[dimension]}));
  const auto inside = builder.enter(branches.then);
  builder.set(index, builder.integer(0));
  carry(counter, dimension - 1, builder.integer(1));
}

ir::Operation* IndexCounters::has_run() const {
  ir::Builder& builder = emitter_->builder();
  return builder.elementwise(ir::Op::not_equal, {run_, builder.integer(0)});
}

void IndexCounters::leave_after_run() const {
  ir::Builder& builder = emitter_->builder();
  ir::leave_unless(builder, ir::is_before_end(builder, done_of_run(), run_));
}

void IndexCounters::advance() const {
  ir::Builder& builder = emitter_->builder();
  ir::step_counter(builder, done_, builder.integer(1));
}

Value IndexCounters::index(const Iterable& iterable, ir::Operation* position) const {
  const auto counter = std::ranges::find(counters_, iterable.parts.get(), &Counter::parts);
  if (counter == counters_.end())
    return index_at(*emitter_, iterable, position);
  std::vector<Value> indices(counter->first.begin(), counter->first.end());
  ir::Operation* last = sum(emitter_->builder(), counter->first.back(), done_of_run());
  indices.back() = Value(last);
  return tuple_value(std::move(indices));
}

// ---- a.flat ----

Value element_at_index(Emitter& emitter, const Value& array, const Value& index) {
  const std::vector<Value> parts = emitter.elements_of(index).value();
  std::vector<ir::Operation*> indices;
  for (const Value& along : parts) indices.push_back(emitter.materialize(along));
  ir::Operation* from = emitter.materialize(array);
  return from->type.element().is_record() ? emitter.builder().array_element(from, indices)
                                          : emitter.builder().array_load(from, indices);
}

bool is_flat(const Value& value) {
  const auto* iterable = value.as<Iterable>();
  return iterable != nullptr && iterable->kind == Iterable::Kind::flat;
}

namespace {

Value unraveled_index(Emitter& emitter, const Iterable& flat, const Value& index) {
  if (!emitter.is_scalar(index))
    emitter.fail(
        "a.flat takes one integer as its index, found " + describe(index),
        "a.ravel() is an array, which takes slices and masks.");
  const Value count = index_count(emitter, flat);
  ir::Operation* position = emitter.wrapped_index(index, [&] { return count; });
  if (emitter.session().options().checks_bounds)
    raise_out_of_range(emitter, position, count, "index is out of bounds");
  return index_at(emitter, flat, position);
}

}  // namespace

Value flat_item(Emitter& emitter, const Value& flat, const Value& index) {
  const auto& iterable = *flat.as<Iterable>();
  return emitter.item(iterable.parts->front(), unraveled_index(emitter, iterable, index));
}

void set_flat_item(Emitter& emitter, const Value& flat, const Value& index, const Value& value) {
  const auto& iterable = *flat.as<Iterable>();
  emitter.set_item(iterable.parts->front(), unraveled_index(emitter, iterable, index), value);
}

// ---- nditer ----

namespace {

ir::Type element_view(const ir::Type& array) {
  return ir::Type::array(array.element(), 0, ir::Layout::c, array.space(), array.is_mutable());
}

// The element of the array at the index, whose last dimensions are the array's.
Value operand_at(Emitter& emitter, const Value& operand, const std::vector<Value>& index) {
  ir::Operation* array = emitter.materialize(operand);
  std::vector<ir::Operation*> indices;
  for (const Value& along : std::span(index).last(array->type.ndim()))
    indices.push_back(emitter.materialize(along));
  return emitter.builder().array_make(
      element_view(array->type), emitter.builder().array_element(array, indices), {});
}

// The elements as they lie in memory, of a C or an F array.
Value in_memory_order(Emitter& emitter, const Value& operand) {
  ir::Operation* array = emitter.materialize(operand);
  const ir::Type& type = array->type;
  return emitter.builder().array_make(
      ir::Type::array(type.element(), 1, ir::Layout::c, type.space(), type.is_mutable()),
      emitter.builder().array_data(array),
      {emitter.materialize(emitter.attribute(operand, "size"))});
}

// True if all lie alike, so that they can be gone through as vectors.
bool share_order(const std::vector<Value>& operands) {
  const auto first = type_of(operands.front());
  return first->ndim() > 1 && first->layout() != ir::Layout::any &&
         std::ranges::all_of(operands, [&](const Value& each) {
           const auto type = type_of(each);
           return type->ndim() == first->ndim() && type->layout() == first->layout();
         });
}

// As in Numba: an operand has the shape of the one with most dimensions, or of its last ones.
void check_shapes(Emitter& emitter, const std::vector<Value>& operands, std::size_t largest_at) {
  const Value& largest = operands.at(largest_at);
  const unsigned ndim = type_of(largest)->ndim();
  for (std::size_t at = 0; at < operands.size(); ++at) {
    const Value& operand = operands[at];
    const unsigned fewer = ndim - type_of(operand)->ndim();
    for (unsigned i = fewer; i < ndim && at != largest_at; ++i)
      emitter.raise_where(
          emitter.compare(
              tree::Comparison::not_equal,
              emitter.extent(largest, i),
              emitter.extent(operand, i - fewer)),
          "ValueError",
          std::string("nditer(): ") + numpy::misfit_message);
  }
}

Value nditer(Emitter& emitter, const Arguments& arguments) {
  const auto elements = emitter.elements_of(arguments[0]);
  std::vector<Value> operands = elements ? *elements : std::vector<Value>{arguments[0]};
  if (operands.empty())
    emitter.fail("np.nditer() takes an array, or a tuple of them, found an empty tuple");
  for (Value& operand : operands) operand = required_array(emitter, "np.nditer()", operand);
  const auto ndim_of = [](const Value& operand) { return type_of(operand)->ndim(); };
  const auto largest =
      static_cast<std::size_t>(std::ranges::max_element(operands, {}, ndim_of) - operands.begin());
  check_shapes(emitter, operands, largest);
  if (share_order(operands))
    for (Value& operand : operands) operand = in_memory_order(emitter, operand);
  const Value all = elements ? tuple_value(operands) : operands.front();
  return iterable_over(emitter, Iterable::Kind::operands, all, operands[largest]);
}

Value flat(Emitter& emitter, const Arguments& arguments) {
  const Value array = required_array(emitter, "a.flat", arguments[0]);
  return iterable_over(emitter, Iterable::Kind::flat, array, array);
}

Value indexed_elements(Emitter& emitter, const Arguments& arguments) {
  const Value array = required_array(emitter, "numpy.ndenumerate", arguments[0]);
  return iterable_over(emitter, Iterable::Kind::elements, array, array);
}

constexpr std::array table = {
    Intrinsic{"phalanx.flat", "array", flat},
    Intrinsic{"numpy.ndenumerate", "array", indexed_elements},
    Intrinsic{"numpy.nditer", "op", nditer},
};

}  // namespace

Value operands_at(Emitter& emitter, const Iterable& iterable, const Value& index) {
  const std::vector<Value> indices = emitter.elements_of(index).value();
  const Value& all = iterable.parts->front();
  const auto operands = emitter.elements_of(all);
  if (!operands)
    return operand_at(emitter, all, indices);
  std::vector<Value> there;
  for (const Value& operand : *operands) there.push_back(operand_at(emitter, operand, indices));
  return tuple_value(std::move(there));
}

std::span<const Intrinsic> flat_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
