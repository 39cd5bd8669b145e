#include "phalanx/frontend/python/views.h"

#include <algorithm>

#include "phalanx/frontend/python/spaces.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {
namespace {

bool is_integer_part(const Value& part) {
  const auto type = type_of(part);
  return type && type->is_scalar() && is_integer(type->dtype());
}

Value add(Emitter& emitter, const Value& a, const Value& b) {
  return emitter.binary(ir::Op::add, a, b);
}
Value subtract(Emitter& emitter, const Value& a, const Value& b) {
  return emitter.binary(ir::Op::subtract, a, b);
}

// One dimension of a view that is being made.
struct Dimension {
  Value extent;
  Value stride;  // bytes
};

// Where a slice starts, how many elements it takes and how far apart, by Python's rules.
struct Span {
  Value start;
  Value length;
  Value step;
};

class SliceRules {
 public:
  SliceRules(Emitter& emitter, const SliceValue& slice, Value extent)
      : emitter_(&emitter), slice_(&slice), extent_(std::move(extent)) {
    for (const Value& part : *slice.parts) {
      if (!part.is_none() && !is_integer_part(part))
        emitter.fail("the bounds of a slice must be integers, found " + describe(part));
    }
  }

  Span span() {
    const Value one = integer_literal(1);
    step_ = wide((*slice_->parts)[2], one);
    is_backward_ = emitter_->compare(tree::Comparison::less, step_, integer_literal(0));
    if (is_plain())
      return {integer_literal(0), extent_, one};
    const Value start = bound(0, either([&] { return last(); }, [] { return integer_literal(0); }));
    const Value stop =
        bound(1, either([] { return integer_literal(-1); }, [&] { return extent_; }));
    return {start, length(start, stop), step_};
  }

 private:
  bool is_plain() const {
    return (*slice_->parts)[0].is_none() && (*slice_->parts)[1].is_none() &&
           known_integer(step_) == 1;
  }

  // By the direction; what is known not to be needed is not computed.
  template <typename Backward, typename Forward>
  Value either(const Backward& backward, const Forward& forward) {
    if (const auto known = known_truth(is_backward_))
      return *known ? backward() : forward();
    const Value first = backward();
    return emitter_->select(is_backward_, first, forward());
  }

  Value last() { return subtract(*emitter_, extent_, integer_literal(1)); }

  Value wide(const Value& part, const Value& absent) {
    return part.is_none() ? absent : emitter_->cast(part, DType::int64);
  }

  // Wrapped once, then kept within the dimension.
  Value bound(std::size_t which, const Value& absent) {
    const Value& part = (*slice_->parts).at(which);
    if (part.is_none())
      return absent;
    Value position = wide(part, absent);
    const auto known = known_integer(position);
    if (known && *known < 0)
      position = add(*emitter_, position, extent_);
    else if (!known && is_signed(type_of(part)->dtype()))
      position = emitter_->builder().wrap_index(
          emitter_->materialize(position), emitter_->materialize(extent_));
    const Value high = either([&] { return last(); }, [&] { return extent_; });
    position = emitter_->same_type(ir::Op::minimum, DType::int64, {position, high});
    if (known && *known >= 0)
      return position;
    const Value low = emitter_->select(is_backward_, integer_literal(-1), integer_literal(0));
    return emitter_->same_type(ir::Op::maximum, DType::int64, {position, low});
  }

  Value length(const Value& start, const Value& stop) {
    Value distance = known_integer(start) == 0 ? stop : subtract(*emitter_, stop, start);
    Value step = step_;
    if (known_integer(step) != 1) {
      const Value one = integer_literal(1);
      const auto up = [&] { return subtract(*emitter_, step, one); };
      const auto down = [&] { return add(*emitter_, step, one); };
      const Value padded = add(*emitter_, distance, either(down, up));
      distance = emitter_->binary(ir::Op::floor_divide, padded, step);
    }
    return emitter_->same_type(ir::Op::maximum, DType::int64, {distance, integer_literal(0)});
  }

  Emitter* emitter_;
  const SliceValue* slice_;
  Value extent_;
  Value step_;
  Value is_backward_;
};

const SliceValue& full_slice() {
  static const SliceValue slice = {std::make_shared<const std::array<Value, 3>>(
      std::array<Value, 3>{none_value(), none_value(), none_value()})};
  return slice;
}

bool has_step(const SliceValue& slice) {
  return !(*slice.parts)[2].is_none() && known_integer((*slice.parts)[2]) != 1;
}

// Numba's rule: integers keep the array contiguous, and so does a plain slice that is innermost
// among the parts, seen from the outermost dimension.
bool keeps_contiguity(const std::vector<Value>& outer_to_inner) {
  for (std::size_t i = 0; i < outer_to_inner.size(); ++i) {
    const auto* slice = outer_to_inner[i].as<SliceValue>();
    if (slice != nullptr && (i + 1 != outer_to_inner.size() || has_step(*slice)))
      return false;
    if (outer_to_inner[i].is_none())
      return false;
  }
  return true;
}

ir::Layout view_layout(const ir::Type& array, std::vector<Value> parts, std::size_t given) {
  if (array.ndim() == 0)
    return array.layout();
  // Full slices added for the missing dimensions do not count, unless an ellipsis stood left.
  if (array.layout() == ir::Layout::c) {
    parts.resize(given);
    return keeps_contiguity(parts) ? ir::Layout::c : ir::Layout::any;
  }
  if (array.layout() == ir::Layout::f && parts.size() == given) {
    std::ranges::reverse(parts);
    return keeps_contiguity(parts) ? ir::Layout::f : ir::Layout::any;
  }
  return ir::Layout::any;
}

struct ExpandedIndex {
  std::vector<Value> parts;  // one a dimension, and one for each new axis
  std::size_t given = 0;     // how many of them, from the left, stood there
};

ExpandedIndex expand(Emitter& emitter, const ir::Type& array, const std::vector<Value>& parts) {
  std::size_t used = 0;
  std::size_t ellipses = 0;
  for (const Value& part : parts) {
    used += is_integer_part(part) || part.is<SliceValue>() ? 1 : 0;
    ellipses += part.is<EllipsisValue>() ? 1 : 0;
  }
  if (used > array.ndim())
    emitter.fail(
        describe(array) + " has " + std::to_string(array.ndim()) + " dimensions, and the index " +
        std::to_string(used));
  if (ellipses > 1)
    emitter.fail("an index takes one ellipsis (...)");
  const std::size_t missing = array.ndim() - used;
  ExpandedIndex expanded;
  for (const Value& part : parts) {
    if (part.is<EllipsisValue>())
      expanded.parts.insert(expanded.parts.end(), missing, Value(full_slice()));
    else if (is_integer_part(part) || part.is<SliceValue>() || part.is_none())
      expanded.parts.push_back(part);
    else
      emitter.fail(
          "an array is indexed by integers and slices, found " + describe(part),
          "Loop over the positions instead.");
  }
  expanded.given = expanded.parts.size();
  if (ellipses == 0)
    expanded.parts.insert(expanded.parts.end(), missing, Value(full_slice()));
  return expanded;
}

}  // namespace

Value stride_of(Emitter& emitter, ir::Operation* array, unsigned dimension) {
  if (array->op == ir::Op::array_make && array->type.layout() == ir::Layout::any)
    return array->operands.at(1 + array->type.ndim() + dimension);
  if (array->type.ndim() == 1 && array->type.layout() != ir::Layout::any)
    return integer_literal(static_cast<std::int64_t>(ir::element_stride(array->type.element())));
  return emitter.builder().array_stride(array, dimension);
}

std::vector<Value> index_parts(Emitter& emitter, const Value& index) {
  if (auto elements = emitter.elements_of(index))
    return std::move(*elements);
  return {index};
}

bool is_element_index(const ir::Type& array, const std::vector<Value>& parts) {
  return parts.size() == array.ndim() && std::ranges::none_of(parts, [](const Value& part) {
           return part.is<SliceValue>() || part.is<EllipsisValue>() || part.is_none();
         });
}

ir::Operation* make_view(
    Emitter& emitter, ir::Operation* array, const std::vector<Value>& parts, bool is_in_range) {
  ir::Builder& builder = emitter.builder();
  const auto [expanded, given] = expand(emitter, array->type, parts);
  const ir::Layout layout = view_layout(array->type, expanded, given);
  std::vector<ir::Operation*> first;
  std::vector<Dimension> dimensions;
  unsigned source = 0;
  for (const Value& part : expanded) {
    if (part.is_none()) {
      dimensions.push_back({integer_literal(1), integer_literal(0)});
      continue;
    }
    const auto extent = [&] { return emitter.extent(array, source); };
    if (const auto* slice = part.as<SliceValue>()) {
      const Span span = SliceRules(emitter, *slice, extent()).span();
      first.push_back(emitter.materialize(span.start));
      Value stride;
      if (layout == ir::Layout::any)
        stride = stride_of(emitter, array, source);
      if (layout == ir::Layout::any && known_integer(span.step) != 1)
        stride = emitter.binary(ir::Op::multiply, stride, span.step);
      dimensions.push_back({span.length, stride});
    } else {
      first.push_back(
          is_in_range ? emitter.materialize(part) : emitter.wrapped_index(part, extent));
    }
    ++source;
  }
  const auto ndim = static_cast<unsigned>(dimensions.size());
  const ir::Type type = ir::Type::array(
      array->type.element(), ndim, layout, array->type.space(), array->type.is_mutable());
  ir::Builder::Values shape;
  ir::Builder::Values strides;
  for (const Dimension& dimension : dimensions) {
    shape.push_back(emitter.materialize(dimension.extent));
    if (layout == ir::Layout::any)
      strides.push_back(emitter.materialize(dimension.stride));
  }
  return builder.array_make(type, builder.array_element(array, first), shape, strides);
}

namespace {

ir::Operation* pointer_to(Emitter& emitter, ir::Operation* pointer, const ir::Type& element) {
  const ir::Type type = ir::Type::pointer(element, space_of_parts(pointer->type.space()));
  if (pointer->type == type)
    return pointer;
  return emitter.builder().pointer_offset(pointer, emitter.builder().integer(0), type);
}

}  // namespace

Value nested_array(Emitter& emitter, ir::Operation* pointer, std::size_t field) {
  const ir::Field& known = pointer->type.element().fields().at(field);
  ir::Operation* data =
      pointer_to(emitter, emitter.builder().pointer_field(pointer, field), known.type);
  ir::Builder::Values shape;
  for (const std::int64_t extent : known.shape) shape.push_back(emitter.builder().integer(extent));
  const ir::Type type = ir::Type::array(
      known.type,
      static_cast<unsigned>(known.shape.size()),
      ir::Layout::c,
      data->type.space(),
      data->type.space() != ir::Space::constant);
  return emitter.builder().array_make(type, data, shape);
}

ir::Operation* view_at(
    Emitter& emitter, ir::Operation* pointer, const ir::Type& element, std::int64_t count) {
  ir::Operation* data = pointer_to(emitter, pointer, element);
  const ir::Type type = ir::Type::array(element, 1, ir::Layout::c, data->type.space());
  return emitter.builder().array_make(type, data, {emitter.builder().integer(count)});
}

Value field_view(Emitter& emitter, ir::Operation* array, std::size_t field) {
  ir::Builder& builder = emitter.builder();
  const ir::Type& from = array->type;
  const ir::Field& known = from.element().fields().at(field);
  const ir::Type type = ir::Type::array(
      known.type,
      from.ndim() + static_cast<unsigned>(known.shape.size()),
      ir::Layout::any,
      known.shape.empty() ? from.space() : space_of_parts(from.space()),
      from.is_mutable());
  ir::Builder::Values first;
  ir::Builder::Values shape;
  ir::Builder::Values strides;
  for (unsigned dimension = 0; dimension < from.ndim(); ++dimension) {
    first.push_back(builder.integer(0));
    shape.push_back(emitter.materialize(emitter.extent(array, dimension)));
    strides.push_back(emitter.materialize(stride_of(emitter, array, dimension)));
  }
  auto step = static_cast<std::int64_t>(ir::size_of(known));
  for (const std::int64_t extent : known.shape) {
    step = extent == 0 ? step : step / extent;
    shape.push_back(builder.integer(extent));
    strides.push_back(builder.integer(step));
  }
  ir::Operation* data = builder.pointer_field(builder.array_element(array, first), field);
  if (!known.shape.empty())
    data = pointer_to(emitter, data, known.type);
  return builder.array_make(type, data, shape, strides);
}

Value tuple_slice(Emitter& emitter, const std::vector<Value>& elements, const SliceValue& slice) {
  const Value extent = integer_literal(static_cast<std::int64_t>(elements.size()));
  const Span span = SliceRules(emitter, slice, extent).span();
  const std::int64_t start = emitter.required_integer(span.start, "the start of a tuple's slice");
  const std::int64_t length = emitter.required_integer(span.length, "the stop of a tuple's slice");
  const std::int64_t step = emitter.required_integer(span.step, "the step of a tuple's slice");
  std::vector<Value> chosen;
  for (std::int64_t i = 0; i < length; ++i)
    chosen.push_back(elements.at(static_cast<std::size_t>(start + i * step)));
  return tuple_value(std::move(chosen));
}

}  // namespace phalanx::frontend::python
