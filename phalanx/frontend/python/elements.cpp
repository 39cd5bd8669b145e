#include "phalanx/frontend/python/elements.h"

#include <algorithm>
#include <map>
#include <optional>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/in_place.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/numpy/array_broadcast.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/overlap.h"

namespace phalanx::frontend::python {

void raise_out_of_range(
    Emitter& emitter, ir::Operation* position, const Value& length, const std::string& message) {
  emitter.raise_where(
      emitter.compare(
          tree::Comparison::greater_equal,
          emitter.cast(position, DType::uint64),
          emitter.cast(length, DType::uint64)),
      "IndexError",
      message);
}

bool is_array(const Value& value) {
  const auto type = type_of(value);
  return type && type->is_array();
}

namespace {

using Indices = std::vector<ir::Operation*>;

std::vector<Value> shape_of(Emitter& emitter, ir::Operation* array) {
  std::vector<Value> shape;
  for (unsigned i = 0; i < array->type.ndim(); ++i) shape.push_back(emitter.extent(array, i));
  return shape;
}

numpy::Values as_operations(Emitter& emitter, const std::vector<Value>& values) {
  numpy::Values operations;
  for (const Value& value : values) operations.push_back(emitter.materialize(value));
  return operations;
}

// What room numpy makes of constants is a constant, which is a literal here.
Value as_value(ir::Operation* operation) {
  if (operation->op == ir::Op::constant)
    return Literal{operation->type.dtype(), operation->constant, Origin::computed};
  return operation;
}

// A bool: writing to the view may change what is read of the array.
Value overlaps(Emitter& emitter, ir::Operation* written, ir::Operation* read) {
  if (numpy::needs_no_copy(written, read))
    return boolean_literal(false);
  const auto shaped = [&](ir::Operation* array) {
    return numpy::ShapedArray{array, as_operations(emitter, shape_of(emitter, array))};
  };
  const numpy::ShapedArray target = shaped(written);
  return as_value(numpy::may_change(emitter.builder(), target, shaped(read)));
}

// Sources of one loop: what is read at each index.
class Sources {
 public:
  Sources(Emitter& emitter, const std::vector<Value>& values) : emitter_(&emitter) {
    for (const Value& value : values) values_.push_back(resolved(value));
  }

  const std::vector<Value>& values() const { return values_; }
  const std::vector<ir::Operation*>& arrays() const { return arrays_; }

  // What broadcasting makes of the arrays' shapes.
  std::vector<Value> shape() {
    std::vector<Value> shape;
    for (ir::Operation* extent : numpy::broadcast_shape(emitter_->builder(), shapes()))
      shape.push_back(as_value(extent));
    return shape;
  }

  // True if every array has the extents of the shape in its dimensions.
  Value fits(const std::vector<Value>& shape) {
    const numpy::Values wanted = as_operations(*emitter_, shape);
    const auto fits = numpy::has_extents(emitter_->builder(), shapes(), wanted);
    return fits ? as_value(*fits) : boolean_literal(true);
  }

  // Raises where an extent is neither that of the shape nor 1.
  void check(const std::vector<Value>& shape, const std::string& message) {
    const numpy::Values wanted = as_operations(*emitter_, shape);
    const Raise raise = emitter_->exception("ValueError", message);
    numpy::raise_misfits(emitter_->builder(), shapes(), wanted, raise);
  }

 private:
  Value resolved(const Value& value) {
    if (const auto* lazy = value.as<LazyArray>()) {
      std::vector<Value> operands;
      for (const Value& operand : *lazy->operands) operands.push_back(resolved(operand));
      LazyArray copy = *lazy;
      copy.operands = std::make_shared<const std::vector<Value>>(std::move(operands));
      return copy;
    }
    if (!is_array(value))
      return value;
    ir::Operation* array = emitter_->materialize(value);
    if (std::ranges::find(arrays_, array) == arrays_.end())
      arrays_.push_back(array);
    return array;
  }

  const std::vector<numpy::Values>& shapes() {
    while (shapes_.size() < arrays_.size())
      shapes_.push_back(as_operations(*emitter_, shape_of(*emitter_, arrays_[shapes_.size()])));
    return shapes_;
  }

  Emitter* emitter_;
  std::vector<Value> values_;
  std::vector<ir::Operation*> arrays_;
  std::vector<numpy::Values> shapes_;  // of each, once they are asked for
};

// Reads the sources at one index.
class Reader {
 public:
  // `stretches`: an extent of 1 fits any.
  Reader(Emitter& emitter, bool stretches) : emitter_(&emitter), stretches_(stretches) {}

  // The array as one of a single dimension, where that is so for all.
  void flatten(ir::Operation* array) { flat_[array] = flattened(array); }
  ir::Operation* flat(ir::Operation* array) const { return flat_.at(array); }

  Value operator()(const Value& source, const Indices& indices) const {
    if (const auto* lazy = source.as<LazyArray>()) {
      std::vector<Value> elements;
      for (const Value& operand : *lazy->operands) elements.push_back((*this)(operand, indices));
      const Value element = (*lazy->function)(*emitter_, elements);
      return emitter_->cast(element, lazy->type.element().dtype());
    }
    if (!is_array(source))
      return source;
    ir::Operation* array = emitter_->materialize(source);
    if (const auto flat = flat_.find(array); flat != flat_.end())
      array = flat->second;
    Indices inner(indices.end() - static_cast<std::ptrdiff_t>(array->type.ndim()), indices.end());
    for (unsigned i = 0; i < array->type.ndim() && stretches_; ++i) {
      ir::Operation* extent = emitter_->materialize(emitter_->extent(array, i));
      inner[i] = numpy::stretched_index(emitter_->builder(), extent, inner[i]);
    }
    return emitter_->load(emitter_->builder().array_element(array, inner));
  }

 private:
  ir::Operation* flattened(ir::Operation* array) const {
    ir::Builder& builder = emitter_->builder();
    const ir::Type type = ir::Type::array(
        array->type.element(), 1, ir::Layout::c, array->type.space(), array->type.is_mutable());
    ir::Operation* size = emitter_->materialize(emitter_->attribute(array, "size"));
    return builder.array_make(type, builder.array_data(array), {size});
  }

  Emitter* emitter_;
  bool stretches_;
  std::map<ir::Operation*, ir::Operation*> flat_;
};

void loop_over(
    Emitter& emitter,
    const std::vector<Value>& shape,
    Indices& indices,
    const std::function<void(const Indices&)>& body) {
  if (indices.size() == shape.size()) {
    body(indices);
    return;
  }
  counted_loop(emitter, shape[indices.size()], [&](ir::Operation* position) {
    indices.push_back(position);
    loop_over(emitter, shape, indices, body);
    indices.pop_back();
  });
}

// The same on all cores, for what `body` does in any order.
void parallel_over(
    Emitter& emitter,
    const std::vector<Value>& shape,
    const std::function<void(const Indices&)>& body) {
  if (shape.empty()) {
    body({});
    return;
  }
  parallel_for(emitter, shape[0], shape, [&](const Span& span) {
    counted_loop(emitter, span.first, span.last, [&](ir::Operation* position) {
      Indices indices = {position};
      loop_over(emitter, shape, indices, body);
    });
  });
}

// Where all arrays lie without gaps and in the same order, one loop goes over all elements.
bool is_flat(const std::vector<ir::Operation*>& arrays) {
  return !arrays.empty() && arrays[0]->type.ndim() > 1 &&
         std::ranges::all_of(arrays, [&](const ir::Operation* array) {
           return array->type.layout() == ir::Layout::c &&
                  array->type.ndim() == arrays[0]->type.ndim() &&
                  !array->type.element().is_record();
         });
}

// How the elements of arrays that fit each other are gone over: in their own dimensions, or as one.
struct IterationSpace {
  IterationSpace(
      Emitter& emitter,
      const std::vector<Value>& shape,
      ir::Operation* view,
      const Sources& sources)
      : read(emitter, false), extents(shape), target(view) {
    std::vector<ir::Operation*> arrays = sources.arrays();
    if (view != nullptr)
      arrays.push_back(view);
    if (!is_flat(arrays) || !emitter.session().options().is_function)
      return;
    for (ir::Operation* array : arrays) read.flatten(array);
    target = view == nullptr ? nullptr : read.flat(view);
    extents = {emitter.attribute(arrays.back(), "size")};
  }

  Reader read;
  std::vector<Value> extents;
  ir::Operation* target;  // the view; null where nothing is written
};

// Emits the loops where every source fits the shape; `view` may be null.
void plain_loops(
    Emitter& emitter,
    const std::vector<Value>& shape,
    ir::Operation* view,
    const Sources& sources,
    const ElementVisitor& visit) {
  const IterationSpace space(emitter, shape, view, sources);
  parallel_over(emitter, space.extents, [&](const Indices& at) {
    std::vector<Value> elements;
    for (const Value& source : sources.values()) elements.push_back(space.read(source, at));
    visit(
        space.target == nullptr ? nullptr : emitter.builder().array_element(space.target, at),
        std::move(elements));
  });
}

// The elements of a span of one dimension, `width` at a time.
void lane_loops(
    Emitter& emitter,
    const Span& span,
    unsigned width,
    const IterationSpace& space,
    const Value& source,
    const Run::LaneVisitor& visit) {
  const auto i64 = [&](ir::Op op, const Value& a, const Value& b) {
    return emitter.same_type(op, DType::int64, {a, b});
  };
  const Value step = integer_literal(width);
  const Value count = i64(ir::Op::subtract, span.last, span.first);
  const Value blocks = i64(ir::Op::floor_divide, count, step);
  const Value whole = i64(ir::Op::multiply, blocks, step);
  const auto element = [&](const Value& position) {
    const Value index = i64(ir::Op::add, span.first, position);
    return space.read(source, {emitter.materialize(index)});
  };
  counted_loop(emitter, blocks, [&](ir::Operation* block) {
    const Value first = i64(ir::Op::multiply, block, step);
    for (unsigned lane = 0; lane < width; ++lane)
      visit(lane, element(i64(ir::Op::add, first, integer_literal(lane))));
  });
  counted_loop(emitter, i64(ir::Op::subtract, count, whole), [&](ir::Operation* position) {
    visit(0, element(i64(ir::Op::add, whole, position)));
  });
}

// The elements of the one source, or of a share of them.
class SourceRun final : public Run {
 public:
  SourceRun(Emitter& emitter, const IterationSpace& space, const Value& source, Span span)
      : emitter_(emitter), space_(space), source_(source), span_(std::move(span)) {}

  Value first() const override {
    Value first = span_.first;
    for (std::size_t i = 1; i < space_.extents.size(); ++i)
      first = emitter_.same_type(ir::Op::multiply, DType::int64, {first, space_.extents[i]});
    return first;
  }

  void for_each(unsigned width, const LaneVisitor& visit) const override {
    if (space_.extents.size() == 1 && width != 1) {
      lane_loops(emitter_, span_, width, space_, source_, visit);
      return;
    }
    if (space_.extents.empty()) {
      visit(0, space_.read(source_, {}));
      return;
    }
    counted_loop(emitter_, span_.first, span_.last, [&](ir::Operation* position) {
      Indices indices = {position};
      loop_over(emitter_, space_.extents, indices, [&](const Indices& at) {
        visit(0, space_.read(source_, at));
      });
    });
  }

 private:
  Emitter& emitter_;
  const IterationSpace& space_;
  const Value& source_;
  Span span_;
};

// The source, broadcast to the shape, in new memory.
ir::Operation* stretched(Emitter& emitter, const Value& source, const std::vector<Value>& shape) {
  ir::Operation* copy = new_array(emitter, type_of(source)->element(), shape, false);
  const Reader read(emitter, true);
  parallel_over(emitter, shape, [&](const Indices& at) {
    emitter.store(emitter.builder().array_element(copy, at), read(source, at));
  });
  return copy;
}

// Emits `then` where the condition holds, and else `otherwise`.
template <typename Then, typename Otherwise>
void either(
    Emitter& emitter, const Value& condition, const Then& then, const Otherwise& otherwise) {
  if (const auto known = known_truth(condition)) {
    if (*known)
      then();
    else
      otherwise();
    return;
  }
  const auto branches = emitter.builder().if_(emitter.materialize(condition));
  {
    const auto inside = emitter.builder().enter(branches.then);
    then();
  }
  const auto inside = emitter.builder().enter(branches.otherwise);
  otherwise();
}

void check_source(Emitter& emitter, ir::Operation* view, const Value& value) {
  const auto type = type_of(value);
  if (!type || (!type->is_array() && !type->is_scalar() && !type->is_pointer()))
    emitter.fail("elements of " + describe(view->type) + " cannot be set to " + describe(value));
  if (type->is_array() && type->ndim() > view->type.ndim())
    emitter.fail(describe(value) + " has more dimensions than " + describe(view->type));
}

}  // namespace

void for_each_element(
    Emitter& emitter,
    ir::Operation* view,
    const std::vector<Value>& values,
    const ElementVisitor& visit) {
  for (const Value& value : values) check_source(emitter, view, value);
  Sources sources(emitter, values);
  const std::vector<Value> shape = shape_of(emitter, view);
  const auto plain = [&](const Sources& read) { plain_loops(emitter, shape, view, read, visit); };
  if (!emitter.session().options().is_function || sources.arrays().empty()) {
    plain(sources);
    return;
  }
  sources.check(shape, "cannot assign slice from input of different size");
  std::vector<Value> conditions = {sources.fits(shape)};
  for (ir::Operation* array : sources.arrays())
    conditions.push_back(emitter.logical_not(overlaps(emitter, view, array)));
  either(
      emitter,
      emitter.all_of(conditions),
      [&] { plain(sources); },
      [&] {
        std::vector<Value> copies;
        for (const Value& source : sources.values())
          copies.push_back(is_array(source) ? Value(stretched(emitter, source, shape)) : source);
        plain(Sources(emitter, copies));
      });
}

Numbers reduced(
    Emitter& emitter,
    const Value& array,
    const Numbers& start,
    const PartOfRun& part,
    const Join& join) {
  Sources sources(emitter, {array});
  const std::vector<Value> shape = sources.shape();
  const auto plain = [&](const Sources& read) {
    const IterationSpace space(emitter, shape, nullptr, read);
    const Value& source = read.values()[0];
    const Value count = space.extents.empty() ? integer_literal(1) : space.extents[0];
    return parallel_for(
        emitter,
        count,
        space.extents,
        start,
        [&](const Span& span) { return part(SourceRun(emitter, space, source, span)); },
        join);
  };
  const Value fits = sources.fits(shape);
  if (known_truth(fits) == true)
    return plain(sources);
  sources.check(shape, numpy::misfit_message);
  std::vector<ir::VariableId> results;
  const auto keep = [&](const Numbers& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      ir::Operation* value = emitter.materialize(values[i]);
      if (results.size() == i)
        results.push_back(emitter.builder().variable("reduced", value->type));
      emitter.builder().set(results[i], value);
    }
  };
  either(
      emitter,
      fits,
      [&] { keep(plain(sources)); },
      [&] { keep(plain(Sources(emitter, {stretched(emitter, sources.values()[0], shape)}))); });
  std::vector<Value> values;
  for (const ir::VariableId result : results) values.emplace_back(emitter.builder().get(result));
  return values;
}

namespace {

// view[...] = (a, b): one element or row from each of the tuple's.
void fill_from_tuple(Emitter& emitter, ir::Operation* view, const std::vector<Value>& elements) {
  const auto count = integer_literal(static_cast<std::int64_t>(elements.size()));
  emitter.raise_where(
      emitter.compare(tree::Comparison::not_equal, emitter.extent(view, 0), count),
      "ValueError",
      "could not broadcast the elements of a tuple: the array has another number of them");
  for (std::size_t i = 0; i < elements.size(); ++i)
    emitter.set_item(view, integer_literal(static_cast<std::int64_t>(i)), elements[i]);
}

}  // namespace

void fill_view(Emitter& emitter, ir::Operation* view, const Value& value) {
  const bool takes_tuple = emitter.session().options().is_function && view->type.ndim() != 0;
  if (const auto elements = takes_tuple ? emitter.elements_of(value) : std::nullopt) {
    fill_from_tuple(emitter, view, *elements);
    return;
  }
  for_each_element(
      emitter, view, {value}, [&](ir::Operation* pointer, const std::vector<Value>& elements) {
        emitter.store(pointer, elements[0]);
      });
}

void augment_view(Emitter& emitter, ir::Op op, ir::Operation* view, const Value& value) {
  check_in_place(emitter, op, view, value);
  const std::string_view ufunc =
      emitter.session().options().is_function ? ufunc_of(op) : std::string_view();
  for_each_element(
      emitter, view, {value}, [&](ir::Operation* pointer, const std::vector<Value>& elements) {
        const Value before = emitter.load(pointer);
        const auto after =
            ufunc.empty() ? std::nullopt : emitter.element_function(ufunc, {before, elements[0]});
        emitter.store(pointer, after ? *after : emitter.binary(op, before, elements[0]));
      });
}

// ---- Arrays that are not computed yet ----

Value lazy_array(
    Emitter& emitter, DType element, std::vector<Value> operands, ElementFunction function) {
  unsigned ndim = 0;
  for (const Value& operand : operands) {
    if (!is_array(operand))
      continue;
    if (!type_of(operand)->element().is_scalar())
      emitter.fail(describe(operand) + " cannot be computed with element by element");
    ndim = std::max(ndim, type_of(operand)->ndim());
  }
  // As in NumPy: what has no dimensions becomes a number.
  if (ndim == 0) {
    for (Value& operand : operands) {
      if (is_array(operand))
        operand = emitter.item(operand, tuple_value({}));
    }
    return emitter.cast(function(emitter, operands), element);
  }
  // Materialized now: what the names mean may change until it is computed.
  for (Value& operand : operands) {
    if (is_array(operand) && !operand.is<LazyArray>())
      operand = emitter.materialize(operand);
  }
  return LazyArray{
      .type = ir::Type::array(element, ndim, ir::Layout::c, ir::Space::global),
      .operands = std::make_shared<const std::vector<Value>>(std::move(operands)),
      .function = std::make_shared<const ElementFunction>(std::move(function))};
}

ir::Operation* computed(Emitter& emitter, const LazyArray& lazy) {
  Sources sources(emitter, {lazy});
  const std::vector<Value> shape = sources.shape();
  const Value fits = sources.fits(shape);
  if (known_truth(fits) != true)
    sources.check(shape, numpy::misfit_message);
  ir::Operation* array = new_array(emitter, lazy.type.element(), shape, false);
  either(
      emitter,
      fits,
      [&] {
        plain_loops(
            emitter,
            shape,
            array,
            sources,
            [&](ir::Operation* pointer, const std::vector<Value>& elements) {
              emitter.store(pointer, elements[0]);
            });
      },
      [&] {
        const Reader read(emitter, true);
        parallel_over(emitter, shape, [&](const Indices& at) {
          emitter.store(emitter.builder().array_element(array, at), read(sources.values()[0], at));
        });
      });
  return array;
}

std::string_view ufunc_of(ir::Op op) {
  struct Row {
    ir::Op op;
    std::string_view name;
  };
  constexpr Row rows[] = {
      {ir::Op::add, "add"},
      {ir::Op::subtract, "subtract"},
      {ir::Op::multiply, "multiply"},
      {ir::Op::true_divide, "true_divide"},
      {ir::Op::floor_divide, "floor_divide"},
      {ir::Op::remainder, "remainder"},
      {ir::Op::power, "power"},
      {ir::Op::bitwise_and, "bitwise_and"},
      {ir::Op::bitwise_or, "bitwise_or"},
      {ir::Op::bitwise_xor, "bitwise_xor"},
      {ir::Op::left_shift, "left_shift"},
      {ir::Op::right_shift, "right_shift"},
      {ir::Op::equal, "equal"},
      {ir::Op::not_equal, "not_equal"},
      {ir::Op::less, "less"},
      {ir::Op::less_equal, "less_equal"},
      {ir::Op::greater, "greater"},
      {ir::Op::greater_equal, "greater_equal"},
  };
  const auto row = std::ranges::find(rows, op, &Row::op);
  return row == std::end(rows) ? std::string_view() : row->name;
}

std::optional<Value> array_operator(
    Emitter& emitter, std::string_view ufunc, const std::vector<Value>& operands) {
  if (!emitter.session().options().is_function || ufunc.empty() ||
      std::ranges::none_of(operands, is_array))
    return std::nullopt;
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    const auto type = type_of(operand);
    if (!type || (!type->is_array() && !type->is_scalar()))
      return std::nullopt;
    const ir::Type element = type->is_array() ? type->element() : *type;
    if (!element.is_scalar())
      return std::nullopt;
    dtypes.push_back(element.dtype());
  }
  const auto result = emitter.element_type(ufunc, dtypes);
  if (!result)
    return std::nullopt;
  const std::string name(ufunc);
  return lazy_array(
      emitter, *result, operands, [name](Emitter& inner, const std::vector<Value>& elements) {
        auto value = inner.element_function(name, elements);
        if (!value)
          inner.fail("numpy." + name + " does not take these types");
        return std::move(*value);
      });
}

}  // namespace phalanx::frontend::python
