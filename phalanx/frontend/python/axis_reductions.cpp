#include "phalanx/frontend/python/axis_reductions.h"

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/parallel_for.h"
#include "phalanx/frontend/python/views.h"

namespace phalanx::frontend::python {

namespace {

using Indices = std::vector<ir::Operation*>;

// Goes over an array in the order of its memory, with the indices into the result: the inner loop
// runs over the last dimension, whichever is reduced.
class Along {
 public:
  Along(Emitter& emitter, const Value& value, const Value& axis)
      : emitter_(&emitter), array_(emitter.materialize(value)) {
    if (!emitter.session().options().is_function)
      emitter.fail(
          "arrays cannot be made in a kernel", "Loop over the elements, or reduce one row.");
    const auto ndim = static_cast<std::int64_t>(array_->type.ndim());
    const std::int64_t given = emitter.required_integer(axis, "the axis");
    if (given < -ndim || given >= ndim)
      emitter.fail("axis " + std::to_string(given) + " is out of bounds for " + describe(value));
    axis_ = static_cast<unsigned>(given < 0 ? given + ndim : given);
    for (unsigned i = 0; i < array_->type.ndim(); ++i) {
      if (i != axis_)
        shape_.push_back(emitter.extent(array_, i));
    }
  }

  DType dtype() const { return array_->type.element().dtype(); }
  Value length() const { return emitter_->extent(array_, axis_); }
  ir::Operation* result(DType dtype) const { return new_array(*emitter_, dtype, shape_, false); }
  // What is a number where nothing is left of the shape.
  Value finished(ir::Operation* result) const {
    return shape_.empty() ? emitter_->load(emitter_->builder().array_element(result, {}))
                          : Value(result);
  }

  // `visit(target, element, along)`: indices into the result, and the index along the axis.
  // Elements with one target are visited in order.
  template <typename Visitor>
  void for_each(const Visitor& visit) const {
    visit_all(false, visit);
  }

  // The same for the first element along the axis alone.
  template <typename Visitor>
  void for_each_first(const Visitor& visit) const {
    visit_all(true, visit);
  }

  void refuse_empty(const std::string& message) const {
    emitter_->raise_where(
        emitter_->compare(tree::Comparison::equal, length(), integer_literal(0)),
        "ValueError",
        message);
  }

 private:
  template <typename Visitor>
  void at(const Indices& indices, const Visitor& visit) const {
    Indices target = indices;
    target.erase(target.begin() + axis_);
    const Value element = emitter_->load(emitter_->builder().array_element(array_, indices));
    visit(target, element, indices[axis_]);
  }

  // On all cores: each has elements of its own in the result.
  template <typename Visitor>
  void visit_all(bool only_first, const Visitor& visit) const {
    const unsigned ndim = array_->type.ndim();
    if (ndim == 1) {
      Indices indices;
      loop(indices, only_first, ndim, Span{}, visit);
      return;
    }
    const unsigned split = axis_ == 0 ? 1 : 0;
    std::vector<Value> extents;
    for (unsigned i = 0; i < ndim; ++i) extents.push_back(emitter_->extent(array_, i));
    parallel_for(*emitter_, extents[split], extents, [&](const Span& span) {
      Indices indices;
      loop(indices, only_first, split, span, visit);
    });
  }

  // `span`: of the dimension `split`.
  template <typename Visitor>
  void loop(
      Indices& indices, bool only_first, unsigned split, const Span& span, const Visitor& visit)
      const {
    if (indices.size() == array_->type.ndim()) {
      at(indices, visit);
      return;
    }
    const auto dimension = static_cast<unsigned>(indices.size());
    const auto step = [&](ir::Operation* position) {
      indices.push_back(position);
      loop(indices, only_first, split, span, visit);
      indices.pop_back();
    };
    if (only_first && dimension == axis_)
      step(emitter_->builder().integer(0));
    else if (dimension == split)
      counted_loop(*emitter_, span.first, span.last, step);
    else
      counted_loop(*emitter_, emitter_->extent(array_, dimension), step);
  }

  Emitter* emitter_;
  ir::Operation* array_;
  unsigned axis_ = 0;
  std::vector<Value> shape_;
};

// The arrays of the reduction's states, after all elements.
std::vector<ir::Operation*> states_along(
    Emitter& emitter,
    const Along& along,
    const numpy::Reduction& reduction,
    const std::string& empty) {
  ir::Builder& builder = emitter.builder();
  std::vector<ir::Operation*> states;
  for (const DType dtype : reduction.state()) states.push_back(along.result(dtype));
  const auto store = [&](const Indices& target, const numpy::Values& state) {
    for (std::size_t i = 0; i < states.size(); ++i)
      emitter.store(builder.array_element(states[i], target), state[i]);
  };
  if (const auto identity = reduction.identity()) {
    fill_view(emitter, states[0], Literal{reduction.state()[0], *identity});
  } else {
    along.refuse_empty(empty);
    along.for_each_first([&](const Indices& target, const Value& element, ir::Operation* at) {
      store(target, reduction.first(builder, emitter.materialize(element), at));
    });
  }
  along.for_each([&](const Indices& target, const Value& element, ir::Operation* at) {
    numpy::Values state;
    for (ir::Operation* each : states)
      state.push_back(emitter.materialize(emitter.load(builder.array_element(each, target))));
    store(target, reduction.step(builder, state, emitter.materialize(element), at));
  });
  return states;
}

}  // namespace

Value reduced_along(
    Emitter& emitter,
    const Value& array,
    const Value& axis,
    const numpy::Reduction& reduction,
    const std::string& empty) {
  const Along along(emitter, array, axis);
  return along.finished(states_along(emitter, along, reduction, empty).back());
}

Value mean_along(Emitter& emitter, const Value& array, const Value& axis, DType dtype) {
  const Along along(emitter, array, axis);
  const auto sum = *numpy::Reduction::find("sum", dtype, dtype);
  ir::Operation* result = states_along(emitter, along, sum, "").back();
  const Value count = emitter.cast(along.length(), dtype);
  for_each_element(emitter, result, {}, [&](ir::Operation* pointer, const std::vector<Value>&) {
    emitter.store(
        pointer, emitter.same_type(ir::Op::true_divide, dtype, {emitter.load(pointer), count}));
  });
  return along.finished(result);
}

}  // namespace phalanx::frontend::python
