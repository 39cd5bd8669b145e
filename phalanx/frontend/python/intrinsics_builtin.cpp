// Python's own functions.
#include <algorithm>
#include <array>
#include <limits>

#include "phalanx/frontend/python/computed_text.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/text.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/build_calls.h"

namespace phalanx::frontend::python {
namespace {

std::vector<Value> elements_or_fail(Emitter& emitter, const Value& value, std::string_view what) {
  auto elements = emitter.elements_of(value);
  if (!elements)
    emitter.fail(std::string(what) + " takes a tuple, found " + describe(value));
  return std::move(*elements);
}

Value length(Emitter& emitter, const Arguments& arguments) {
  const Value& value = arguments[0];
  if (const auto elements = emitter.elements_of(value))
    return as_computed(integer_literal(static_cast<std::int64_t>(elements->size())));
  if (auto count = text_length(emitter, value))
    return std::move(*count);
  if (is_list(value))
    return list_length(emitter, value);
  const auto type = type_of(value);
  if (!type || !type->is_array() || type->ndim() == 0)
    emitter.fail(describe(value) + " has no len()");
  return emitter.extent(value, 0);
}

// The code of a character known now.
Value code_of(Emitter& emitter, const Arguments& arguments) {
  const auto* text = arguments[0].as<TextEntity>();
  const bool is_ascii =
      text != nullptr && text->text.size() == 1 && static_cast<unsigned char>(text->text[0]) < 128;
  if (!is_ascii)
    emitter.fail(
        "ord() takes a constant of one ASCII character, found " + describe(arguments[0]),
        "Elements of arrays of bytes are numbers already.");
  return integer_literal(text->text[0]);
}

// What CPU functions reduce: the elements of a vector.
std::optional<Value> reduced_vector(Emitter& emitter, std::string_view name, const Value& value) {
  const auto type = type_of(value);
  if (!emitter.session().options().is_function || !type || !type->is_array() || type->ndim() != 1)
    return std::nullopt;
  return call_intrinsic(emitter, "numpy." + std::string(name), {.arguments = {value}});
}

bool is_instance_of(Emitter& emitter, const Value& value, const Value& kind) {
  if (const auto kinds = emitter.elements_of(kind))
    return std::ranges::any_of(
        *kinds, [&](const Value& each) { return is_instance_of(emitter, value, each); });
  const auto type = type_of(value);
  if (const auto* exact = kind.as<TypeEntity>())
    return type == exact->type;
  const auto* named = kind.as<IntrinsicEntity>();
  const std::string_view name = named == nullptr ? std::string_view() : named->name;
  if (name == "numpy.ndarray")
    return type && type->is_array();
  const auto* tuple = value.as<TupleValue>();
  const bool is_display = tuple != nullptr && tuple->list_at;
  if (name == "builtins.list")
    return is_list(value) || is_display;
  if (name == "builtins.tuple")
    return emitter.elements_of(value).has_value() && !is_display;
  if (name == "builtins.str")
    return value.is<TextEntity>();
  const auto stands_for = dtype_of_builtin(name);
  if (!stands_for)
    emitter.fail(
        "isinstance() does not know " + describe(kind),
        "It takes int, float, bool, complex, str, tuple, numpy.ndarray and types of numbers.");
  return type == ir::Type(*stands_for);  // as in Python: a float32 is no float
}

// Types are known now, and so is the answer.
Value is_instance(Emitter& emitter, const Arguments& arguments) {
  return boolean_literal(is_instance_of(emitter, arguments[0], arguments[1]));
}

// Python's min and max compare: the later value is taken where it is less, so that NaN stays where
// it came first. Kernels call the device's fmin and fmax, as numba.cuda does.
bool is_in_order(Emitter& emitter, const Value& chosen, const Value& next) {
  const auto is_float = [&](const Value& value) {
    return emitter.is_scalar(value) && is_floating(type_of(value)->dtype());
  };
  return emitter.session().options().is_function && emitter.is_scalar(chosen) &&
         emitter.is_scalar(next) && (is_float(chosen) || is_float(next));
}

std::optional<Value> in_order(
    Emitter& emitter, bool is_minimum, const Value& chosen, const Value& next) {
  const auto type = infer::unify(*type_of(chosen), *type_of(next));
  if (!type)
    return std::nullopt;
  const Value before = emitter.cast(chosen, type->dtype());
  const Value after = emitter.cast(next, type->dtype());
  const auto comparison = is_minimum ? tree::Comparison::less : tree::Comparison::greater;
  return emitter.select(emitter.compare(comparison, after, before), after, before);
}

template <bool is_minimum>
Value extreme(Emitter& emitter, const Arguments& arguments) {
  constexpr std::string_view name = is_minimum ? "min" : "max";
  if (auto value =
          arguments.size() == 1 ? reduced_vector(emitter, name, arguments[0]) : std::nullopt)
    return std::move(*value);
  const auto values =
      arguments.size() == 1 ? elements_or_fail(emitter, arguments[0], name) : arguments;
  if (values.empty())
    emitter.fail(std::string(name) + "() needs a value");
  Value chosen = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    const auto next = is_in_order(emitter, chosen, values[i])
                          ? in_order(emitter, is_minimum, chosen, values[i])
                          : emitter.scalar_function(name, {chosen, values[i]});
    if (!next)
      emitter.fail(
          std::string(name) + "() does not take " + describe(chosen) + " and " +
          describe(values[i]));
    chosen = *next;
  }
  return as_computed(chosen);
}

Value sum(Emitter& emitter, const Arguments& arguments) {
  const bool has_start = !arguments[1].is<Unbound>();
  Value total = has_start ? arguments[1] : integer_literal(0);
  if (auto value = reduced_vector(emitter, "sum", arguments[0]))
    return has_start ? emitter.binary(ir::Op::add, total, *value) : std::move(*value);
  for (const Value& element : elements_or_fail(emitter, arguments[0], "sum"))
    total = emitter.binary(ir::Op::add, total, element);
  return total;
}

Value absolute(Emitter& emitter, const Arguments& arguments) {
  if (auto array = array_operator(emitter, "absolute", {arguments[0]}))
    return std::move(*array);
  const Value& value = arguments[0];
  const DType dtype = emitter.scalar_dtype(value, "the argument of abs");
  if (is_complex(dtype)) {
    const Value real = emitter.attribute(value, "real");
    return *emitter.scalar_function("math.hypot", {real, emitter.attribute(value, "imag")});
  }
  const auto result = emitter.scalar_function("abs", {value});
  if (!result)
    emitter.fail("abs() does not take " + describe(value));
  return *result;
}

Value divmod(Emitter& emitter, const Arguments& arguments) {
  return tuple_value(
      {emitter.binary(ir::Op::floor_divide, arguments[0], arguments[1]),
       emitter.binary(ir::Op::remainder, arguments[0], arguments[1])});
}

Value power(Emitter& emitter, const Arguments& arguments) {
  return emitter.binary(ir::Op::power, arguments[0], arguments[1]);
}

// 10.0 ** count, exact as far as a float64 holds it.
Value power_of_ten(Emitter& emitter, const Value& count) {
  if (const auto known = known_integer(count)) {
    double power = 1.0;
    for (std::int64_t i = 0; i < *known; ++i) power *= 10.0;
    return float_literal(power);
  }
  ir::Builder& builder = emitter.builder();
  const ir::VariableId power = builder.variable("power", DType::float64);
  builder.set(power, builder.constant(DType::float64, 1.0));
  counted_loop(emitter, count, [&](ir::Operation*) {
    ir::Operation* ten = builder.constant(DType::float64, 10.0);
    builder.set(power, builder.elementwise(ir::Op::multiply, {builder.get(power), ten}));
  });
  return builder.get(power);
}

// round(x, digits): scaled, rounded with halves to even, and scaled back, in float64.
Value round_digits(Emitter& emitter, const Value& value, const Value& digits) {
  const std::array dtypes = {
      emitter.scalar_dtype(value, "the argument of round"),
      emitter.scalar_dtype(digits, "the digits of round")};
  const auto typing = infer::resolve("round", dtypes);
  if (!typing)
    emitter.fail("round() does not take " + describe(value) + " and " + describe(digits));
  const Value number = emitter.cast(value, DType::float64);
  const Value count = emitter.cast(digits, DType::int64);
  const Value is_fraction =
      emitter.compare(tree::Comparison::greater_equal, count, integer_literal(0));
  const Value negated = emitter.binary(ir::Op::subtract, integer_literal(0), count);
  const Value scale = power_of_ten(emitter, emitter.select(is_fraction, count, negated));
  const auto scaled = [&](const Value& x, bool up) {
    const Value times = emitter.binary(ir::Op::multiply, x, scale);
    const Value divided = emitter.binary(ir::Op::true_divide, x, scale);
    return up ? emitter.select(is_fraction, times, divided)
              : emitter.select(is_fraction, divided, times);
  };
  const Value moved = scaled(number, true);
  const Value rounded = emitter.same_type(ir::Op::rint, DType::float64, {moved});
  const Value is_finite = emitter.same_type(ir::Op::isfinite, DType::float64, {moved});
  return emitter.cast(emitter.select(is_finite, scaled(rounded, false), number), typing->result);
}

Value round(Emitter& emitter, const Arguments& arguments) {
  if (!arguments[1].is<Unbound>() && !arguments[1].is_none())
    return round_digits(emitter, arguments[0], arguments[1]);
  const auto result = emitter.scalar_function("round", {arguments[0]});
  if (!result)
    emitter.fail("round() does not take " + describe(arguments[0]));
  return *result;
}

Value to_bool(Emitter& emitter, const Arguments& arguments) {
  return arguments[0].is<Unbound>() ? boolean_literal(false)
                                    : as_computed(emitter.truth(arguments[0]));
}

Value converted(Emitter& emitter, std::string_view name, const Value& value) {
  const std::array dtypes = {emitter.scalar_dtype(value, "what " + std::string(name) + "() takes")};
  const auto typing = infer::resolve(name, dtypes);
  if (!typing)
    emitter.fail(std::string(name) + "() does not take " + describe(value));
  return as_computed(emitter.cast(value, typing->result));
}

Value to_int(Emitter& emitter, const Arguments& arguments) {
  return arguments[0].is<Unbound>() ? integer_literal(0) : converted(emitter, "int", arguments[0]);
}

Value to_float(Emitter& emitter, const Arguments& arguments) {
  if (arguments[0].is<Unbound>())
    return float_literal(0.0);
  if (const auto* text = arguments[0].as<TextEntity>()) {
    if (text->text == "inf" || text->text == "+inf")
      return float_literal(std::numeric_limits<double>::infinity());
    if (text->text == "-inf")
      return float_literal(-std::numeric_limits<double>::infinity());
    if (text->text == "nan")
      return float_literal(std::numeric_limits<double>::quiet_NaN());
  }
  return converted(emitter, "float", arguments[0]);
}

Value to_complex(Emitter& emitter, const Arguments& arguments) {
  if (arguments[0].is<Unbound>() && arguments[1].is<Unbound>())
    return Literal{DType::complex128, std::complex<double>()};
  if (arguments[1].is<Unbound>())
    return converted(emitter, "complex", arguments[0]);
  const DType imaginary_dtype = emitter.scalar_dtype(arguments[1], "the imaginary part");
  // complex(imag=y): its real part is 0.
  const Value given =
      arguments[0].is<Unbound>() ? emitter.cast(integer_literal(0), imaginary_dtype) : arguments[0];
  const std::array dtypes = {emitter.scalar_dtype(given, "the real part"), imaginary_dtype};
  const auto typing = infer::resolve("complex", dtypes);
  if (!typing)
    emitter.fail("complex() does not take " + describe(given) + " and " + describe(arguments[1]));
  const DType part = real_part_of(typing->result);
  const Value real = emitter.cast(given, part);
  const Value imaginary = emitter.cast(arguments[1], part);
  return emitter.builder().complex_make(emitter.materialize(real), emitter.materialize(imaginary));
}

// A tuple prints as Python shows it.
void add_printed(
    Emitter& emitter, const Value& value, std::string& format, ir::Builder::Values& values) {
  if (const auto* text = value.as<TextEntity>()) {
    for (const char c : text->text)
      format += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  } else if (value.is_none()) {
    format += "None";
  } else if (const auto elements = emitter.elements_of(value)) {
    format += "(";
    for (std::size_t i = 0; i < elements->size(); ++i) {
      format += i == 0 ? "" : ", ";
      add_printed(emitter, (*elements)[i], format, values);
    }
    format += elements->size() == 1 ? ",)" : ")";
  } else if (emitter.is_scalar(value)) {
    format += "{}";
    values.push_back(emitter.materialize(value));
  } else {
    emitter.fail("print() does not take " + describe(value), "Print its elements.");
  }
}

Value print(Emitter& emitter, const Arguments& arguments) {
  std::string format;
  ir::Builder::Values values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    format += i == 0 ? "" : " ";
    add_printed(emitter, arguments[i], format, values);
  }
  ir::print(emitter.builder(), std::move(format), std::move(values));
  return none_value();
}

Value tuple_of(Emitter& emitter, const Arguments& arguments) {
  if (arguments[0].is<Unbound>())
    return tuple_value({});
  return tuple_value(elements_or_fail(emitter, arguments[0], "tuple"));
}

ir::Operation* pointer_argument(Emitter& emitter, const Value& value) {
  const auto type = type_of(value);
  if (!type || !type->is_pointer())
    emitter.fail("a pointer is needed here, found " + describe(value));
  return emitter.materialize(value);
}

// A number, or a tuple of them.
ir::Builder::Values whole_numbers(Emitter& emitter, const Value& value, const char* what) {
  std::vector<Value> parts = {value};
  if (const auto elements = emitter.elements_of(value))
    parts = *elements;
  ir::Builder::Values numbers;
  for (const Value& part : parts) numbers.push_back(emitter.convert(part, DType::int64, what));
  return numbers;
}

// carray(pointer, shape, dtype): what lies at a pointer, as an array.
template <ir::Layout layout>
Value array_at(Emitter& emitter, const Arguments& arguments) {
  ir::Builder& builder = emitter.builder();
  ir::Operation* pointer = pointer_argument(emitter, arguments[0]);
  const ir::Type element = arguments[2].is<Unbound>() || arguments[2].is_none()
                               ? pointer->type.element()
                               : dtype_argument(emitter, arguments[2]);
  const ir::Space space = pointer->type.space();
  if (element != pointer->type.element())
    pointer =
        builder.pointer_offset(pointer, builder.integer(0), ir::Type::pointer(element, space));
  const auto shape = whole_numbers(emitter, arguments[1], "an extent of the array");
  const auto ndim = static_cast<unsigned>(shape.size());
  return builder.array_make(
      ir::Type::array(element, ndim, ndim < 2 ? ir::Layout::c : layout, space), pointer, shape);
}

// ffi.from_buffer(array): a pointer to its first element, for linked code.
Value pointer_to(Emitter& emitter, const Arguments& arguments) {
  const auto type = type_of(arguments[0]);
  if (!type || !type->is_array())
    emitter.fail("from_buffer takes an array in a kernel, found " + describe(arguments[0]));
  if (type->layout() == ir::Layout::any && type->ndim() != 0)
    emitter.fail(
        "from_buffer takes an array whose elements lie together, found " + describe(arguments[0]),
        "Declare the argument as contiguous, such as float32[::1].");
  return emitter.builder().array_data(emitter.materialize(arguments[0]));
}

Value same(Emitter&, const Arguments& arguments) { return arguments[0]; }

Value to_text(Emitter& emitter, const Arguments& arguments) {
  return text_of(emitter, arguments[0]);
}

Value represented(Emitter& emitter, const Arguments& arguments) {
  if (const auto* text = arguments[0].as<TextEntity>())
    return TextEntity{quoted(text->text)};
  if (arguments[0].is<ComputedText>())
    emitter.fail(
        "repr() of a string that is made when the code runs is not known",
        "Leave !r or repr() away.");
  return text_of(emitter, arguments[0]);
}

Value formatted(Emitter& emitter, const Arguments& arguments) {
  const auto* spec = arguments[1].as<TextEntity>();
  if (spec == nullptr && !arguments[1].is<Unbound>())
    emitter.fail("how a number is formatted must be a constant string");
  return text_of(emitter, arguments[0], spec == nullptr ? "" : spec->text);
}

// The type of a number, to be called or compared with.
Value type_of_number(Emitter& emitter, const Arguments& arguments) {
  return TypeEntity{emitter.scalar_dtype(arguments[0], "the argument of type()")};
}

// types.from_dtype(np.dtype(...)): what both name is one thing here.
Value type_from_dtype(Emitter& emitter, const Arguments& arguments) {
  return TypeEntity{dtype_argument(emitter, arguments[0])};
}

constexpr std::array table = {
    Intrinsic{"builtins.len", "object", length},
    Intrinsic{"builtins.ord", "c", code_of},
    Intrinsic{"builtins.str", "object", to_text},
    Intrinsic{"builtins.repr", "object", represented},
    Intrinsic{"builtins.format", "value format_spec?", formatted},
    Intrinsic{"builtins.type", "object", type_of_number},
    Intrinsic{"builtins.isinstance", "object class", is_instance},
    Intrinsic{"builtins.min", "*", extreme<true>},
    Intrinsic{"builtins.max", "*", extreme<false>},
    Intrinsic{"builtins.sum", "tuple start?", sum},
    Intrinsic{"builtins.abs", "x", absolute},
    Intrinsic{"builtins.divmod", "x y", divmod},
    Intrinsic{"builtins.pow", "x y", power},
    Intrinsic{"builtins.round", "x ndigits?", round},
    Intrinsic{"builtins.bool", "x?", to_bool},
    Intrinsic{"builtins.int", "x?", to_int},
    Intrinsic{"builtins.float", "x?", to_float},
    Intrinsic{"builtins.complex", "real? imag?", to_complex},
    Intrinsic{"builtins.print", "*", print},
    Intrinsic{"builtins.tuple", "iterable?", tuple_of},
    Intrinsic{"numba.literal_unroll", "tuple", same},
    Intrinsic{"numba.literally", "obj", same},
    Intrinsic{"types.from_dtype", "dtype", type_from_dtype},
    Intrinsic{"numba.carray", "pointer shape dtype?", array_at<ir::Layout::c>},
    Intrinsic{"numba.farray", "pointer shape dtype?", array_at<ir::Layout::f>},
    Intrinsic{"cffi.from_buffer", "array", pointer_to},
};

}  // namespace

std::span<const Intrinsic> builtin_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
