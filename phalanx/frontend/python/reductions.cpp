// One number of a whole array: sums, extremes, positions, moments.
#include <algorithm>
#include <array>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/axis_reductions.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/views.h"

namespace phalanx::frontend::python {
namespace {

void check_array(Emitter& emitter, const Value& value, std::string_view name) {
  const auto type = type_of(value);
  if (!type || !type->is_array() || !type->element().is_scalar())
    emitter.fail(std::string(name) + " takes an array of numbers, found " + describe(value));
}

ir::Operation* array_in(Emitter& emitter, const Value& value, std::string_view name) {
  check_array(emitter, value, name);
  return emitter.materialize(value);
}

DType element_of(const Value& array) { return type_of(array)->element().dtype(); }

bool has_axis(const Arguments& arguments) {
  return !arguments[1].is<Unbound>() && !arguments[1].is_none();
}

// As NumPy: narrow integers and bool add up in 64 bits.
DType sum_dtype(DType element) {
  if (is_boolean(element) || (is_integer(element) && is_signed(element)))
    return DType::int64;
  return is_integer(element) ? DType::uint64 : element;
}

// Emits a loop over all elements with a variable that goes through it.
template <typename Step>
Value accumulate(Emitter& emitter, const Value& array, const Value& start, const Step& step) {
  ir::Builder& builder = emitter.builder();
  const DType dtype = type_of(start)->dtype();
  const ir::VariableId total = builder.variable("total", dtype);
  builder.set(total, emitter.materialize(start));
  for_each_value(emitter, array, [&](const Value& element) {
    const Value next = step(Value(builder.get(total)), element);
    builder.set(total, emitter.convert(next, dtype));
  });
  return builder.get(total);
}

// Floats are added up in several sums, which do not wait for each other.
constexpr unsigned sums = 8;

// The sum of what `part` makes of each element.
template <typename Part>
Value summed(Emitter& emitter, const Value& array, DType dtype, const Part& part) {
  ir::Builder& builder = emitter.builder();
  const bool is_split = emitter.session().options().is_function && is_floating(dtype);
  std::vector<ir::VariableId> totals;
  for (unsigned i = 0; i < (is_split ? sums : 1); ++i) {
    totals.push_back(builder.variable("total", dtype));
    builder.set(totals[i], emitter.materialize(emitter.cast(integer_literal(0), dtype)));
  }
  for_each_value(
      emitter,
      array,
      static_cast<unsigned>(totals.size()),
      [&](unsigned lane, const Value& element) {
        const Value next = emitter.binary(
            ir::Op::add, Value(builder.get(totals[lane])), part(emitter.cast(element, dtype)));
        builder.set(totals[lane], emitter.convert(next, dtype));
      });
  std::vector<Value> values;
  for (const ir::VariableId total : totals) values.emplace_back(builder.get(total));
  while (values.size() > 1) {
    for (std::size_t i = 0; i < values.size() / 2; ++i)
      values[i] = emitter.binary(ir::Op::add, values[2 * i], values[2 * i + 1]);
    values.resize(values.size() / 2);
  }
  return values[0];
}

template <ir::Op op, int start>
Value folded(Emitter& emitter, const Arguments& arguments) {
  const Value& array = arguments[0];
  check_array(emitter, array, op == ir::Op::add ? "sum" : "prod");
  const DType dtype = arguments[2].is<Unbound>() ? sum_dtype(element_of(array))
                                                 : dtype_argument(emitter, arguments[2]).dtype();
  if (has_axis(arguments))
    return sum_along(emitter, array, arguments[1], op, dtype);
  if (op == ir::Op::add)
    return summed(emitter, array, dtype, [](const Value& element) { return element; });
  return accumulate(
      emitter,
      array,
      emitter.cast(integer_literal(start), dtype),
      [&](const Value& total, const Value& element) {
        return emitter.binary(op, total, emitter.cast(element, dtype));
      });
}

void refuse_empty(Emitter& emitter, ir::Operation* array, const std::string& message) {
  if (emitter.session().options().is_function)
    emitter.raise_where(
        emitter.compare(
            tree::Comparison::equal, emitter.attribute(array, "size"), integer_literal(0)),
        "ValueError",
        message);
}

// The element at index 0 of each dimension.
Value first_element(Emitter& emitter, ir::Operation* array) {
  const std::vector<ir::Operation*> zeros(array->type.ndim(), emitter.builder().integer(0));
  return emitter.load(emitter.builder().array_element(array, zeros));
}

template <ir::Op op>
Value extreme(Emitter& emitter, const Arguments& arguments) {
  constexpr std::string_view name = op == ir::Op::minimum ? "min" : "max";
  ir::Operation* array = array_in(emitter, arguments[0], name);
  const DType dtype = element_of(array);
  if (is_complex(dtype))
    emitter.fail(std::string(name) + " does not take complex numbers");
  if (has_axis(arguments))
    return extreme_along(emitter, array, arguments[1], op);
  refuse_empty(emitter, array, "zero-size array to reduction operation not possible");
  return accumulate(
      emitter, array, first_element(emitter, array), [&](const Value& best, const Value& element) {
        return emitter.same_type(op, dtype, {best, element});
      });
}

// The first place of the extreme; a NaN counts as it.
template <tree::Comparison is_better>
Value position(Emitter& emitter, const Arguments& arguments) {
  constexpr bool is_minimum = is_better == tree::Comparison::less;
  constexpr std::string_view name = is_minimum ? "argmin" : "argmax";
  ir::Operation* array = array_in(emitter, arguments[0], name);
  const DType dtype = element_of(array);
  if (has_axis(arguments))
    return position_along(emitter, array, arguments[1], is_better);
  refuse_empty(emitter, array, "attempt to get " + std::string(name) + " of an empty sequence");
  ir::Builder& builder = emitter.builder();
  const ir::VariableId place = builder.variable("place", DType::int64);
  const ir::VariableId here = builder.variable("here", DType::int64);
  builder.set(place, builder.integer(0));
  builder.set(here, builder.integer(0));
  accumulate(
      emitter,
      array,
      first_element(emitter, array),
      [&](const Value& best, const Value& element) -> Value {
        Value wins = emitter.compare(is_better, element, best);
        if (is_floating(dtype)) {
          const Value is_old = emitter.compare(tree::Comparison::equal, best, best);
          const Value is_new = emitter.compare(tree::Comparison::not_equal, element, element);
          wins = emitter.select(is_new, is_old, wins);
        }
        builder.set(
            place,
            emitter.materialize(emitter.select(wins, builder.get(here), builder.get(place))));
        builder.set(
            here, builder.elementwise(ir::Op::add, {builder.get(here), builder.integer(1)}));
        return emitter.select(wins, element, best);
      });
  return builder.get(place);
}

template <bool wants_all>
Value truth_of(Emitter& emitter, const Arguments& arguments) {
  const Value& array = arguments[0];
  check_array(emitter, array, wants_all ? "all" : "any");
  return accumulate(
      emitter,
      array,
      boolean_literal(wants_all),
      [&](const Value& known, const Value& element) -> Value {
        const ir::Op op = wants_all ? ir::Op::bitwise_and : ir::Op::bitwise_or;
        return emitter.same_type(op, DType::boolean, {known, emitter.truth(element)});
      });
}

// As NumPy's ufunc: a division by zero gives NaN.
Value divided(Emitter& emitter, const Value& value, const Value& count) {
  const DType dtype = type_of(value)->dtype();
  return emitter.same_type(ir::Op::true_divide, dtype, {value, emitter.cast(count, dtype)});
}

Value mean(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* array = array_in(emitter, arguments[0], "mean");
  const DType element = element_of(array);
  const DType dtype = is_integer(element) || is_boolean(element) ? DType::float64 : element;
  if (has_axis(arguments))
    return mean_along(emitter, array, arguments[1], dtype);
  const Value total =
      summed(emitter, array, dtype, [](const Value& element_value) { return element_value; });
  return divided(emitter, total, emitter.attribute(array, "size"));
}

// Real numbers only.
Value variance(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* array = array_in(emitter, arguments[0], "var");
  if (is_complex(element_of(array)))
    emitter.fail("var does not take complex numbers");
  const Value middle = mean(emitter, {array, Unbound{}});
  const DType dtype = type_of(middle)->dtype();
  const Value total = summed(emitter, array, dtype, [&](const Value& one) {
    const Value away = emitter.binary(ir::Op::subtract, one, middle);
    return emitter.binary(ir::Op::multiply, away, away);
  });
  return divided(emitter, total, emitter.attribute(array, "size"));
}

Value deviation(Emitter& emitter, const Arguments& arguments) {
  const Value square = variance(emitter, arguments);
  return emitter.same_type(ir::Op::sqrt, type_of(square)->dtype(), {square});
}

constexpr std::array table = {
    Intrinsic{"numpy.sum", "a axis? dtype?", folded<ir::Op::add, 0>},
    Intrinsic{"numpy.prod", "a axis? dtype?", folded<ir::Op::multiply, 1>},
    Intrinsic{"numpy.min", "a axis?", extreme<ir::Op::minimum>},
    Intrinsic{"numpy.amin", "a axis?", extreme<ir::Op::minimum>},
    Intrinsic{"numpy.max", "a axis?", extreme<ir::Op::maximum>},
    Intrinsic{"numpy.amax", "a axis?", extreme<ir::Op::maximum>},
    Intrinsic{"numpy.argmin", "a axis?", position<tree::Comparison::less>},
    Intrinsic{"numpy.argmax", "a axis?", position<tree::Comparison::greater>},
    Intrinsic{"numpy.any", "a", truth_of<false>},
    Intrinsic{"numpy.all", "a", truth_of<true>},
    Intrinsic{"numpy.mean", "a axis?", mean},
    Intrinsic{"numpy.var", "a", variance},
    Intrinsic{"numpy.std", "a", deviation},
};

constexpr std::array<std::string_view, 12> methods = {
    "sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std", "copy"};

}  // namespace

bool is_array_method(std::string_view name) {
  return std::ranges::find(methods, name) != methods.end();
}

std::span<const Intrinsic> reduction_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
