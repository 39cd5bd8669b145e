// One number of a whole array: sums, extremes, positions, moments.
#include <algorithm>
#include <array>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/axis_reductions.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::frontend::python {
namespace {

void check_array(Emitter& emitter, const Value& value, std::string_view name) {
  const auto type = type_of(value);
  if (!type || !type->is_array() || !type->element().is_scalar())
    emitter.fail(
        std::string(name) + " takes an array of numbers, found " + describe(value),
        is_list(value) || value.is<TupleValue>() ? "np.array(...) makes an array of it." : "");
}

ir::Operation* array_in(Emitter& emitter, const Value& value, std::string_view name) {
  check_array(emitter, value, name);
  return emitter.materialize(value);
}

DType element_of(const Value& array) { return type_of(array)->element().dtype(); }

bool has_axis(const Arguments& arguments) {
  return !arguments[1].is<Unbound>() && !arguments[1].is_none();
}

// Reductions of floats keep several states, which do not wait for each other.
constexpr unsigned lanes = 8;

unsigned lanes_for(Emitter& emitter, DType dtype) {
  return emitter.session().options().is_function && is_floating(dtype) ? lanes : 1;
}

numpy::Values materialized(Emitter& emitter, const Numbers& numbers) {
  numpy::Values values;
  for (const Value& number : numbers) values.push_back(emitter.materialize(number));
  return values;
}

// The state of a reduction, in variables.
class State {
 public:
  State(Emitter& emitter, const numpy::Reduction& reduction, const Numbers& start)
      : builder_(&emitter.builder()) {
    for (const DType dtype : reduction.state())
      variables_.push_back(builder_->variable("total", dtype));
    set(materialized(emitter, start));
  }

  numpy::Values get() const {
    numpy::Values values;
    for (const ir::VariableId variable : variables_) values.push_back(builder_->get(variable));
    return values;
  }
  void set(const numpy::Values& values) const {
    for (std::size_t i = 0; i < values.size(); ++i) builder_->set(variables_[i], values[i]);
  }

 private:
  ir::Builder* builder_;
  std::vector<ir::VariableId> variables_;
};

// Sums in pairs, as NumPy rounds them. Numbers with their indices one after the other: LLVM then
// finds the vectors of the loop before; of a tree it made half as wide ones (1.5 to 1.9 times the
// time).
numpy::Values join_all(
    ir::Builder& builder, const numpy::Reduction& reduction, std::vector<numpy::Values> states) {
  const bool is_tree = reduction.state().size() == 1;
  while (states.size() > 1) {
    const std::size_t joins = is_tree ? states.size() / 2 : 1;
    std::vector<numpy::Values> joined;
    for (std::size_t i = 0; i < joins; ++i)
      joined.push_back(reduction.join(builder, states[2 * i], states[2 * i + 1]));
    joined.insert(
        joined.end(), states.begin() + static_cast<std::ptrdiff_t>(2 * joins), states.end());
    states = std::move(joined);
  }
  return states.front();
}

// What is reduced of each element: the element, or what a sum is of.
using Part = std::function<Value(const Value& element)>;

// The result of the reduction, which begins with the state `start`.
Value reduce(
    Emitter& emitter,
    const Value& array,
    const numpy::Reduction& reduction,
    const Numbers& start,
    unsigned width,
    const Part& part) {
  ir::Builder& builder = emitter.builder();
  const bool has_index = reduction.state().size() > 1;
  const auto of_run = [&](const Run& run) -> Numbers {
    const ir::VariableId here = has_index ? builder.variable("here", DType::int64) : 0;
    if (has_index)
      builder.set(here, emitter.materialize(run.first()));
    std::vector<State> states;
    for (unsigned i = 0; i < width; ++i) states.emplace_back(emitter, reduction, start);
    run.for_each(width, [&](unsigned lane, const Value& element) {
      ir::Operation* index = has_index ? builder.get(here) : nullptr;
      ir::Operation* one = emitter.materialize(part(element));
      states[lane].set(reduction.step(builder, states[lane].get(), one, index));
      if (has_index)
        builder.set(here, builder.elementwise(ir::Op::add, {index, builder.integer(1)}));
    });
    std::vector<numpy::Values> values;
    for (const State& state : states) values.push_back(state.get());
    const numpy::Values all = join_all(builder, reduction, std::move(values));
    return {all.begin(), all.end()};
  };
  const auto join = [&](const Numbers& left, const Numbers& right) -> Numbers {
    const numpy::Values joined =
        reduction.join(builder, materialized(emitter, left), materialized(emitter, right));
    return {joined.begin(), joined.end()};
  };
  return reduced(emitter, array, start, of_run, join).back();
}

Value itself(const Value& element) { return element; }

// A reduction that has a result for no elements.
Value reduce_from_identity(
    Emitter& emitter,
    const Value& array,
    const numpy::Reduction& reduction,
    unsigned width = 1,
    const Part& part = itself) {
  const Literal start = {reduction.state()[0], *reduction.identity(), Origin::computed};
  return reduce(emitter, array, reduction, {start}, width, part);
}

// The sum of what `part` makes of each element, as a number of that type.
Value summed(Emitter& emitter, const Value& array, DType dtype, const Part& part) {
  const auto reduction = *numpy::Reduction::find("sum", dtype, dtype);
  const auto cast_part = [&](const Value& element) { return part(emitter.cast(element, dtype)); };
  return reduce_from_identity(emitter, array, reduction, lanes_for(emitter, dtype), cast_part);
}

template <ir::Op op>
Value folded(Emitter& emitter, const Arguments& arguments) {
  constexpr std::string_view name = op == ir::Op::add ? "sum" : "prod";
  const Value& array = arguments[0];
  check_array(emitter, array, name);
  const auto given = arguments[2].is<Unbound>()
                         ? std::nullopt
                         : std::optional(dtype_argument(emitter, arguments[2]).dtype());
  const DType dtype = numpy::type_of_sum(element_of(array), given);
  const auto reduction = *numpy::Reduction::find(name, dtype, dtype);
  if (has_axis(arguments))
    return reduced_along(emitter, array, arguments[1], reduction, "");
  if (op == ir::Op::add)
    return summed(emitter, array, dtype, itself);
  return reduce_from_identity(emitter, array, reduction);
}

void refuse_empty(Emitter& emitter, ir::Operation* array, const std::string& message) {
  if (emitter.session().options().is_function)
    emitter.raise_where(
        emitter.compare(
            tree::Comparison::equal, emitter.attribute(array, "size"), integer_literal(0)),
        "ValueError",
        message);
}

void refuse_complex(Emitter& emitter, DType dtype, std::string_view name) {
  if (is_complex(dtype))
    emitter.fail(std::string(name) + " does not take complex numbers");
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
  refuse_complex(emitter, dtype, name);
  const std::string empty = "zero-size array to reduction operation not possible";
  const auto reduction = *numpy::Reduction::find(name, dtype);
  if (has_axis(arguments))
    return reduced_along(emitter, array, arguments[1], reduction, empty);
  refuse_empty(emitter, array, empty);
  return reduce(emitter, array, reduction, {first_element(emitter, array)}, 1, itself);
}

// The first index of the extreme.
template <tree::Comparison is_better>
Value position(Emitter& emitter, const Arguments& arguments) {
  constexpr bool is_minimum = is_better == tree::Comparison::less;
  constexpr std::string_view name = is_minimum ? "argmin" : "argmax";
  ir::Operation* array = array_in(emitter, arguments[0], name);
  const DType dtype = element_of(array);
  refuse_complex(emitter, dtype, name);
  const std::string empty = "attempt to get " + std::string(name) + " of an empty sequence";
  const auto reduction = *numpy::Reduction::find(name, dtype);
  if (has_axis(arguments))
    return reduced_along(emitter, array, arguments[1], reduction, empty);
  refuse_empty(emitter, array, empty);
  const Numbers start = {first_element(emitter, array), integer_literal(0)};
  return reduce(emitter, array, reduction, start, lanes_for(emitter, dtype), itself);
}

template <bool wants_all>
Value truth_of(Emitter& emitter, const Arguments& arguments) {
  const Value& array = arguments[0];
  constexpr std::string_view name = wants_all ? "all" : "any";
  check_array(emitter, array, name);
  const auto reduction = *numpy::Reduction::find(name, DType::boolean);
  return reduce_from_identity(emitter, array, reduction);
}

// As NumPy's ufunc: a division by zero gives NaN.
Value divided(Emitter& emitter, const Value& value, const Value& count) {
  const DType dtype = type_of(value)->dtype();
  return emitter.same_type(ir::Op::true_divide, dtype, {value, emitter.cast(count, dtype)});
}

Value mean(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* array = array_in(emitter, arguments[0], "mean");
  const DType dtype = numpy::type_of_mean(element_of(array));
  if (has_axis(arguments))
    return mean_along(emitter, array, arguments[1], dtype);
  const Value total = summed(emitter, array, dtype, itself);
  return divided(emitter, total, emitter.attribute(array, "size"));
}

// What a variance is divided by: the number of elements less `ddof`, and not below 0.
Value degrees_of_freedom(Emitter& emitter, ir::Operation* array, const Value& ddof) {
  const Value size = emitter.attribute(array, "size");
  if (ddof.is<Unbound>())
    return size;
  const auto f64 = [&](const Value& number) { return emitter.cast(number, DType::float64); };
  const Value less = emitter.same_type(ir::Op::subtract, DType::float64, {f64(size), f64(ddof)});
  return emitter.same_type(ir::Op::maximum, DType::float64, {less, f64(integer_literal(0))});
}

// The variance of complex numbers is that of their distances, a real number.
Value variance(Emitter& emitter, const Arguments& arguments) {
  for (std::size_t i = 1; i < 4; ++i) {
    if (!arguments[i].is<Unbound>() && !arguments[i].is_none())
      emitter.fail(
          "a variance takes an array and ddof=, and no axis, dtype or out",
          "Write a loop over the rows, or compute a mean along the axis.");
  }
  ir::Operation* array = array_in(emitter, arguments[0], "var");
  const Value middle = mean(emitter, {array, Unbound{}});
  const DType dtype = type_of(middle)->dtype();
  const Value total = summed(emitter, array, dtype, [&](const Value& one) {
    const Value away = emitter.binary(ir::Op::subtract, one, middle);
    return emitter.binary(
        ir::Op::multiply,
        away,
        is_complex(dtype) ? *emitter.element_function("conj", {away}) : away);
  });
  return divided(
      emitter,
      is_complex(dtype) ? emitter.attribute(total, "real") : total,
      degrees_of_freedom(emitter, array, arguments[4]));
}

Value deviation(Emitter& emitter, const Arguments& arguments) {
  const Value square = variance(emitter, arguments);
  return emitter.same_type(ir::Op::sqrt, type_of(square)->dtype(), {square});
}

constexpr std::array table = {
    Intrinsic{"numpy.sum", "a axis? dtype?", folded<ir::Op::add>},
    Intrinsic{"numpy.prod", "a axis? dtype?", folded<ir::Op::multiply>},
    Intrinsic{"numpy.min", "a axis?", extreme<ir::Op::minimum>},
    Intrinsic{"numpy.amin", "a axis?", extreme<ir::Op::minimum>},
    Intrinsic{"numpy.max", "a axis?", extreme<ir::Op::maximum>},
    Intrinsic{"numpy.amax", "a axis?", extreme<ir::Op::maximum>},
    Intrinsic{"numpy.argmin", "a axis?", position<tree::Comparison::less>},
    Intrinsic{"numpy.argmax", "a axis?", position<tree::Comparison::greater>},
    Intrinsic{"numpy.any", "a", truth_of<false>},
    Intrinsic{"numpy.all", "a", truth_of<true>},
    Intrinsic{"numpy.mean", "a axis?", mean},
    Intrinsic{"numpy.var", "a axis? dtype? out? ddof?", variance},
    Intrinsic{"numpy.std", "a axis? dtype? out? ddof?", deviation},
};

constexpr std::array<std::string_view, 12> methods = {
    "sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std", "copy"};

}  // namespace

bool is_array_method(std::string_view name) {
  return std::ranges::find(methods, name) != methods.end();
}

std::vector<std::string_view> array_members() {
  std::vector<std::string_view> members = {
      "shape", "strides", "ndim", "size", "itemsize", "nbytes", "dtype", "T", "real", "imag"};
  members.insert(members.end(), view_methods.begin(), view_methods.end());
  members.insert(members.end(), methods.begin(), methods.end());
  return members;
}

std::span<const Intrinsic> reduction_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
