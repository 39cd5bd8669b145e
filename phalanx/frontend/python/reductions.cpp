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

// Reductions of floats keep several results, which do not wait for each other.
constexpr unsigned lanes = 8;

// One number that goes through all elements; those of two runs join as an element does.
using Step = std::function<Value(const Value& so_far, const Value& element)>;
Value accumulate(Emitter& emitter, const Value& array, const Value& start, const Step& step) {
  ir::Builder& builder = emitter.builder();
  const DType dtype = type_of(start)->dtype();
  const auto part = [&](const Run& run) -> Numbers {
    const ir::VariableId total = builder.variable("total", dtype);
    builder.set(total, emitter.materialize(start));
    run.for_each([&](const Value& element) {
      const Value next = step(Value(builder.get(total)), element);
      builder.set(total, emitter.convert(next, dtype));
    });
    return {builder.get(total)};
  };
  return reduced(emitter, array, {start}, part, [&](const Numbers& left, const Numbers& right) {
    return Numbers{step(left[0], right[0])};
  })[0];
}

// The sum of what `part` makes of each element.
using Part = std::function<Value(const Value& element)>;
Value summed(Emitter& emitter, const Value& array, DType dtype, const Part& part) {
  ir::Builder& builder = emitter.builder();
  const bool is_split = emitter.session().options().is_function && is_floating(dtype);
  const Value zero = emitter.cast(integer_literal(0), dtype);
  const auto both = [&](const Value& a, const Value& b) {
    return emitter.binary(ir::Op::add, a, b);
  };
  const auto sum_of = [&](const Run& run) -> Numbers {
    std::vector<ir::VariableId> totals;
    for (unsigned i = 0; i < (is_split ? lanes : 1); ++i) {
      totals.push_back(builder.variable("total", dtype));
      builder.set(totals[i], emitter.materialize(zero));
    }
    run.for_each(static_cast<unsigned>(totals.size()), [&](unsigned lane, const Value& element) {
      const Value next = both(Value(builder.get(totals[lane])), part(emitter.cast(element, dtype)));
      builder.set(totals[lane], emitter.convert(next, dtype));
    });
    std::vector<Value> values;
    for (const ir::VariableId total : totals) values.emplace_back(builder.get(total));
    while (values.size() > 1) {
      for (std::size_t i = 0; i < values.size() / 2; ++i)
        values[i] = both(values[2 * i], values[2 * i + 1]);
      values.resize(values.size() / 2);
    }
    return {emitter.convert(values[0], dtype)};
  };
  return reduced(emitter, array, {zero}, sum_of, [&](const Numbers& left, const Numbers& right) {
    return Numbers{both(left[0], right[0])};
  })[0];
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
  if (has_axis(arguments))
    return extreme_along(emitter, array, arguments[1], op);
  refuse_empty(emitter, array, "zero-size array to reduction operation not possible");
  return accumulate(
      emitter, array, first_element(emitter, array), [&](const Value& best, const Value& element) {
        return emitter.same_type(op, dtype, {best, element});
      });
}

// ---- Indices of extremes: pairs of a number and its index; a NaN counts as the extreme ----

// A pair in variables.
class Extreme {
 public:
  Extreme(Emitter& emitter, DType dtype, const Numbers& start)
      : emitter_(&emitter),
        number_(emitter.builder().variable("best", dtype)),
        index_(emitter.builder().variable("index", DType::int64)) {
    set(start);
  }

  Numbers get() const {
    return {emitter_->builder().get(number_), emitter_->builder().get(index_)};
  }
  void set(const Numbers& pair) {
    emitter_->builder().set(number_, emitter_->materialize(pair[0]));
    emitter_->builder().set(index_, emitter_->materialize(pair[1]));
  }

 private:
  Emitter* emitter_;
  ir::VariableId number_;
  ir::VariableId index_;
};

Numbers selected(
    Emitter& emitter, const Value& condition, const Numbers& then, const Numbers& otherwise) {
  return {
      emitter.select(condition, then[0], otherwise[0]),
      emitter.select(condition, then[1], otherwise[1])};
}

Value is_number(Emitter& emitter, const Value& value) {
  return emitter.compare(tree::Comparison::equal, value, value);
}

// True if a number wins over one of an earlier index.
Value is_better_later(
    Emitter& emitter, tree::Comparison is_better, const Value& old, const Value& later) {
  if (!is_floating(type_of(old)->dtype()))
    return emitter.compare(is_better, later, old);
  // Not "later is no better": that holds for a NaN, too.
  const auto is_no_better = is_better == tree::Comparison::less ? tree::Comparison::greater_equal
                                                                : tree::Comparison::less_equal;
  return emitter.all_of(
      {emitter.logical_not(emitter.compare(is_no_better, later, old)), is_number(emitter, old)});
}

// The better of two pairs; of equals, that with the first index.
Numbers better(
    Emitter& emitter, tree::Comparison is_better, const Numbers& left, const Numbers& right) {
  const Value wins = is_better_later(emitter, is_better, left[0], right[0]);
  const Value loses = is_better_later(emitter, is_better, right[0], left[0]);
  const Value is_first = emitter.compare(tree::Comparison::less, right[1], left[1]);
  const Value wins_tie = emitter.all_of({emitter.logical_not(loses), is_first});
  return selected(
      emitter,
      emitter.same_type(ir::Op::bitwise_or, DType::boolean, {wins, wins_tie}),
      right,
      left);
}

// The first index of the extreme.
template <tree::Comparison is_better>
Value position(Emitter& emitter, const Arguments& arguments) {
  constexpr bool is_minimum = is_better == tree::Comparison::less;
  constexpr std::string_view name = is_minimum ? "argmin" : "argmax";
  ir::Operation* array = array_in(emitter, arguments[0], name);
  const DType dtype = element_of(array);
  refuse_complex(emitter, dtype, name);
  if (has_axis(arguments))
    return position_along(emitter, array, arguments[1], is_better);
  refuse_empty(emitter, array, "attempt to get " + std::string(name) + " of an empty sequence");
  ir::Builder& builder = emitter.builder();
  const Numbers start = {first_element(emitter, array), integer_literal(0)};
  const unsigned width = is_floating(dtype) && emitter.session().options().is_function ? lanes : 1;
  const auto best_of = [&](const Run& run) -> Numbers {
    const ir::VariableId here = builder.variable("here", DType::int64);
    builder.set(here, emitter.materialize(run.first()));
    std::vector<Extreme> bests;
    for (unsigned i = 0; i < width; ++i) bests.push_back(Extreme(emitter, dtype, start));
    run.for_each(width, [&](unsigned lane, const Value& element) {
      const Numbers best = bests[lane].get();
      const Value wins = is_better_later(emitter, is_better, best[0], element);
      bests[lane].set(selected(emitter, wins, {element, builder.get(here)}, best));
      builder.set(here, builder.elementwise(ir::Op::add, {builder.get(here), builder.integer(1)}));
    });
    Numbers best = bests[0].get();
    for (unsigned i = 1; i < width; ++i) best = better(emitter, is_better, best, bests[i].get());
    return best;
  };
  return reduced(emitter, array, start, best_of, [&](const Numbers& left, const Numbers& right) {
    return better(emitter, is_better, left, right);
  })[1];
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

// What a mean is computed in: a sum of whole numbers or small floats would not fit their own type.
DType type_of_mean(DType element) {
  if (is_integer(element) || is_boolean(element))
    return DType::float64;
  const bool is_small = element == DType::float16 || element == DType::bfloat16;
  return is_small ? DType::float32 : element;
}

Value mean(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* array = array_in(emitter, arguments[0], "mean");
  const DType dtype = type_of_mean(element_of(array));
  if (has_axis(arguments))
    return mean_along(emitter, array, arguments[1], dtype);
  const Value total =
      summed(emitter, array, dtype, [](const Value& element_value) { return element_value; });
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

// Of complex numbers that of their distances, a real number.
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
