#include "phalanx/frontend/python/arrays.h"

#include <algorithm>
#include <array>
#include <optional>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/parallel_for.h"
#include "phalanx/frontend/python/ufuncs.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {

ir::Operation* new_array(
    Emitter& emitter, const ir::Type& element, const std::vector<Value>& extents, bool is_zeroed) {
  if (!emitter.session().options().is_function)
    emitter.fail(
        "arrays cannot be made in a kernel",
        "Use cuda.local.array or cuda.shared.array, or pass an array to write to.");
  if (!element.is_scalar())
    emitter.fail("arrays of " + describe(element) + " cannot be made here");
  ir::Builder& builder = emitter.builder();
  Value bytes = integer_literal(static_cast<std::int64_t>(ir::element_stride(element)));
  ir::Builder::Values shape;
  for (const Value& extent : extents) {
    if (!emitter.is_scalar(extent) || !is_integer(type_of(extent)->dtype()))
      emitter.fail("a shape is made of integers, found " + describe(extent));
    const Value wide = emitter.cast(extent, DType::int64);
    emitter.raise_where(
        emitter.compare(tree::Comparison::less, wide, integer_literal(0)),
        "ValueError",
        "negative dimensions not allowed");
    shape.push_back(emitter.materialize(wide));
    bytes = emitter.binary(ir::Op::multiply, bytes, wide);
  }
  ir::Operation* memory = builder.allocate(emitter.materialize(bytes), is_zeroed);
  const Value address = builder.bitcast(memory, DType::int64);
  emitter.raise_where(
      emitter.compare(tree::Comparison::equal, address, integer_literal(0)),
      "MemoryError",
      "unable to allocate a new array: there is not that much memory");
  ir::Operation* data = builder.pointer_offset(
      memory, builder.integer(0), ir::Type::pointer(element, ir::Space::global));
  const ir::Type type = ir::Type::array(
      element, static_cast<unsigned>(shape.size()), ir::Layout::c, ir::Space::global);
  return builder.array_make(type, data, shape);
}

namespace {

std::vector<Value> extents_of(Emitter& emitter, const Value& shape) {
  if (auto elements = emitter.elements_of(shape))
    return std::move(*elements);
  return {shape};
}

std::vector<Value> shape_of(Emitter& emitter, const Value& array) {
  const auto type = type_of(array);
  if (!type || !type->is_array())
    emitter.fail("an array is needed here, found " + describe(array));
  return *emitter.elements_of(emitter.attribute(array, "shape"));
}

ir::Type element_of(Emitter& emitter, const Value& dtype, const ir::Type& otherwise) {
  return dtype.is<Unbound>() || dtype.is_none() ? otherwise : dtype_argument(emitter, dtype);
}

Value filled(
    Emitter& emitter,
    const ir::Type& element,
    const std::vector<Value>& shape,
    const Value& value) {
  ir::Operation* array = new_array(emitter, element, shape, false);
  fill_view(emitter, array, value);
  return array;
}

Value empty(Emitter& emitter, const Arguments& arguments) {
  const ir::Type element = element_of(emitter, arguments[1], DType::float64);
  return new_array(emitter, element, extents_of(emitter, arguments[0]), false);
}

Value zeros(Emitter& emitter, const Arguments& arguments) {
  const ir::Type element = element_of(emitter, arguments[1], DType::float64);
  return new_array(emitter, element, extents_of(emitter, arguments[0]), true);
}

Value ones(Emitter& emitter, const Arguments& arguments) {
  const ir::Type element = element_of(emitter, arguments[1], DType::float64);
  return filled(emitter, element, extents_of(emitter, arguments[0]), integer_literal(1));
}

Value full(Emitter& emitter, const Arguments& arguments) {
  const DType own = emitter.scalar_dtype(arguments[1], "the value of numpy.full");
  const ir::Type element = element_of(emitter, arguments[2], own);
  return filled(emitter, element, extents_of(emitter, arguments[0]), arguments[1]);
}

Value empty_like(Emitter& emitter, const Arguments& arguments) {
  const std::vector<Value> shape = shape_of(emitter, arguments[0]);
  const ir::Type element = element_of(emitter, arguments[1], type_of(arguments[0])->element());
  return new_array(emitter, element, shape, false);
}

Value zeros_like(Emitter& emitter, const Arguments& arguments) {
  const std::vector<Value> shape = shape_of(emitter, arguments[0]);
  const ir::Type element = element_of(emitter, arguments[1], type_of(arguments[0])->element());
  return new_array(emitter, element, shape, true);
}

Value ones_like(Emitter& emitter, const Arguments& arguments) {
  const std::vector<Value> shape = shape_of(emitter, arguments[0]);
  const ir::Type element = element_of(emitter, arguments[1], type_of(arguments[0])->element());
  return filled(emitter, element, shape, integer_literal(1));
}

Value full_like(Emitter& emitter, const Arguments& arguments) {
  const std::vector<Value> shape = shape_of(emitter, arguments[0]);
  const ir::Type element = element_of(emitter, arguments[2], type_of(arguments[0])->element());
  return filled(emitter, element, shape, arguments[1]);
}

Value copy(Emitter& emitter, const Arguments& arguments) {
  shape_of(emitter, arguments[0]);  // fails for what is no array
  return copied(emitter, emitter.materialize(arguments[0]));
}

Value ndim(Emitter& emitter, const Arguments& arguments) {
  const auto type = type_of(arguments[0]);
  if (!type || (!type->is_array() && !type->is_scalar()))
    emitter.fail("an array or a number is needed here, found " + describe(arguments[0]));
  return integer_literal(type->is_array() ? type->ndim() : 0);
}

Value contiguous(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* array = emitter.materialize(arguments[0]);
  shape_of(emitter, array);  // fails for what is no array
  if (array->type.ndim() == 0)
    return reshaped(emitter, array, {integer_literal(1)});
  return array->type.layout() == ir::Layout::c ? Value(array) : copied(emitter, array);
}

// The type that holds the elements of all.
Value result_type(Emitter& emitter, const Arguments& arguments) {
  std::optional<DType> result;
  for (const Value& value : arguments) {
    const auto type = type_of(value);
    const ir::Type element = !type              ? dtype_argument(emitter, value)
                             : type->is_array() ? type->element()
                                                : *type;
    if (!element.is_scalar())
      emitter.fail("numpy.result_type takes arrays, numbers and their types");
    result = result ? infer::promoted(*result, element.dtype()) : element.dtype();
  }
  if (!result)
    emitter.fail("numpy.result_type needs an argument");
  return TypeEntity{*result};
}

// start + i * step for each i.
Value progression(
    Emitter& emitter, DType dtype, const Value& start, const Value& step, const Value& count) {
  ir::Operation* array = new_array(emitter, dtype, {count}, false);
  parallel_for(emitter, count, {count}, [&](const Span& span) {
    counted_loop(emitter, span.first, span.last, [&](ir::Operation* position) {
      const Value offset = emitter.binary(
          ir::Op::multiply, emitter.cast(position, dtype), emitter.cast(step, dtype));
      const Value value = emitter.binary(ir::Op::add, emitter.cast(start, dtype), offset);
      emitter.builder().array_store(array, {position}, emitter.convert(value, dtype));
    });
  });
  return array;
}

Value arange(Emitter& emitter, const Arguments& arguments) {
  const bool has_stop = !arguments[1].is<Unbound>() && !arguments[1].is_none();
  const Value start = has_stop ? arguments[0] : integer_literal(0);
  const Value stop = has_stop ? arguments[1] : arguments[0];
  const Value step = arguments[2].is<Unbound>() ? integer_literal(1) : arguments[2];
  const bool is_whole = std::ranges::all_of(std::array{start, stop, step}, [&](const Value& part) {
    return is_integer(emitter.scalar_dtype(part, "a bound of numpy.arange"));
  });
  const DType own = is_whole ? DType::int64 : DType::float64;
  const ir::Type element = element_of(emitter, arguments[3], own);
  const auto wide = [&](const Value& part) { return emitter.cast(part, DType::float64); };
  const Value distance = emitter.binary(ir::Op::subtract, wide(stop), wide(start));
  const Value steps = emitter.same_type(
      ir::Op::ceil, DType::float64, {emitter.binary(ir::Op::true_divide, distance, wide(step))});
  const Value count = emitter.same_type(
      ir::Op::maximum, DType::int64, {emitter.cast(steps, DType::int64), integer_literal(0)});
  return progression(emitter, element.dtype(), start, step, count);
}

Value linspace(Emitter& emitter, const Arguments& arguments) {
  const Value count =
      arguments[2].is<Unbound>() ? integer_literal(50) : emitter.cast(arguments[2], DType::int64);
  const Value start = emitter.cast(arguments[0], DType::float64);
  const Value stop = emitter.cast(arguments[1], DType::float64);
  const Value gaps = emitter.same_type(
      ir::Op::maximum,
      DType::int64,
      {emitter.binary(ir::Op::subtract, count, integer_literal(1)), integer_literal(1)});
  const Value step =
      emitter.binary(ir::Op::true_divide, emitter.binary(ir::Op::subtract, stop, start), gaps);
  const Value array = progression(emitter, DType::float64, start, step, count);
  // Exactly `stop` at the end, where there is more than one number.
  ir::Builder& builder = emitter.builder();
  const Value has_end = emitter.compare(tree::Comparison::greater, count, integer_literal(1));
  const auto branches = builder.if_(emitter.materialize(has_end));
  const auto inside = builder.enter(branches.then);
  const Value last = emitter.binary(ir::Op::subtract, count, integer_literal(1));
  builder.array_store(
      emitter.materialize(array), {emitter.materialize(last)}, emitter.materialize(stop));
  return array;
}

constexpr std::array table = {
    Intrinsic{"numpy.empty", "shape dtype?", empty},
    Intrinsic{"numpy.zeros", "shape dtype?", zeros},
    Intrinsic{"numpy.ones", "shape dtype?", ones},
    Intrinsic{"numpy.full", "shape fill_value dtype?", full},
    Intrinsic{"numpy.empty_like", "prototype dtype?", empty_like},
    Intrinsic{"numpy.zeros_like", "a dtype?", zeros_like},
    Intrinsic{"numpy.ones_like", "a dtype?", ones_like},
    Intrinsic{"numpy.full_like", "a fill_value dtype?", full_like},
    Intrinsic{"numpy.copy", "a", copy},
    Intrinsic{"numpy.arange", "start stop? step? dtype?", arange},
    Intrinsic{"numpy.ndim", "a", ndim},
    Intrinsic{"numpy.ascontiguousarray", "a", contiguous},
    Intrinsic{"numpy.result_type", "*", result_type},
    Intrinsic{"numpy.where", "condition x y", where},
    Intrinsic{"numpy.linspace", "start stop num?", linspace},
};

}  // namespace

Value copied(Emitter& emitter, ir::Operation* array) {
  return filled(emitter, array->type.element(), shape_of(emitter, array), array);
}

std::span<const Intrinsic> array_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
