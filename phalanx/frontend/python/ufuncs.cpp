#include "phalanx/frontend/python/ufuncs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "phalanx/frontend/python/complex_math.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/infer/ufuncs.h"

namespace phalanx::frontend::python {
namespace {

using Operands = std::vector<Value>;

// Emits operations on values of one type, the type of the loop that NumPy would take.
class Loop {
 public:
  Loop(Emitter& emitter, DType dtype) : emitter_(&emitter), dtype_(dtype) {}

  DType dtype() const { return dtype_; }
  Emitter& emitter() const { return *emitter_; }
  Value number(double value) const { return emitter_->cast(float_literal(value), dtype_); }
  Value operator()(ir::Op op, const Value& a) const { return emitter_->same_type(op, dtype_, {a}); }
  Value operator()(ir::Op op, const Value& a, const Value& b) const {
    return emitter_->same_type(op, dtype_, {a, b});
  }
  Value compare(tree::Comparison comparison, const Value& a, const Value& b) const {
    return emitter_->compare(comparison, a, b);
  }
  Value truth(const Value& value) const { return emitter_->truth(value); }

 private:
  Emitter* emitter_;
  DType dtype_;
};

Value square(const Loop& loop, const Operands& x) { return loop(ir::Op::multiply, x[0], x[0]); }
Value positive(const Loop&, const Operands& x) { return x[0]; }

Value sign(const Loop& loop, const Operands& x) {
  const Value zero = loop.number(0);
  const Value is_negative = loop.compare(tree::Comparison::less, x[0], zero);
  const Value is_positive = loop.compare(tree::Comparison::greater, x[0], zero);
  const Value minus = is_unsigned(loop.dtype()) ? zero : loop.number(-1);
  const Value is_zero = loop.compare(tree::Comparison::equal, x[0], zero);
  const Value rest = loop.emitter().select(is_zero, zero, x[0]);  // -0.0 has no sign, NaN is kept
  const Value otherwise = loop.emitter().select(is_positive, loop.number(1), rest);
  return loop.emitter().select(is_negative, minus, otherwise);
}

// Of integers as C divides 1: only 1 and -1 have a reciprocal that is not 0, and what NumPy gives
// for 0: the least number of 32 or 64 bits, in which it divides, where it has a sign.
Value reciprocal(const Loop& loop, const Operands& x) {
  if (!is_integer(loop.dtype()))
    return loop(ir::Op::true_divide, loop.number(1), x[0]);
  const Value size = is_unsigned(loop.dtype()) ? x[0] : loop(ir::Op::absolute, x[0]);
  const Value is_one = loop.compare(tree::Comparison::equal, size, loop.number(1));
  const Value other = loop.emitter().select(is_one, x[0], loop.number(0));
  if (is_unsigned(loop.dtype()))
    return other;
  const bool is_wide = size_of(loop.dtype()) == sizeof(std::int64_t);
  const std::int64_t least =
      is_wide ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int32_t>::min();
  const Value is_zero = loop.compare(tree::Comparison::equal, x[0], loop.number(0));
  return loop.emitter().select(
      is_zero, loop.emitter().cast(integer_literal(least), loop.dtype()), other);
}

Value conjugate(const Loop& loop, const Operands& x) {
  if (!is_complex(loop.dtype()))
    return x[0];
  ir::Builder& builder = loop.emitter().builder();
  ir::Operation* number = loop.emitter().materialize(x[0]);
  ir::Operation* imaginary = builder.complex_imag(number);
  return builder.complex_make(
      builder.complex_real(number), builder.elementwise(ir::Op::negative, {imaginary}));
}

Value logical_and(const Loop& loop, const Operands& x) {
  return loop.emitter().all_of({loop.truth(x[0]), loop.truth(x[1])});
}
Value logical_or(const Loop& loop, const Operands& x) {
  return loop.emitter().select(loop.truth(x[0]), boolean_literal(true), loop.truth(x[1]));
}
Value logical_xor(const Loop& loop, const Operands& x) {
  return loop.compare(tree::Comparison::not_equal, loop.truth(x[0]), loop.truth(x[1]));
}
Value logical_not(const Loop& loop, const Operands& x) { return loop.emitter().logical_not(x[0]); }

Value signbit(const Loop& loop, const Operands& x) {
  const Value unit = loop(ir::Op::copysign, loop.number(1), x[0]);
  return loop.compare(tree::Comparison::less, unit, loop.number(0));
}

Value to_degrees(const Loop& loop, const Operands& x) {
  return loop(ir::Op::multiply, x[0], loop.number(180.0 / std::numbers::pi));
}
Value to_radians(const Loop& loop, const Operands& x) {
  return loop(ir::Op::multiply, x[0], loop.number(std::numbers::pi / 180.0));
}

Value spacing(const Loop& loop, const Operands& x) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Value away = loop(ir::Op::copysign, loop.number(infinity), x[0]);
  return loop(ir::Op::subtract, loop(ir::Op::nextafter, x[0], away), x[0]);
}

// log(exp(a) + exp(b)) from the larger of the two; equal infinities have no difference.
Value log_sum(const Loop& loop, const Operands& x, bool is_binary) {
  Emitter& emitter = loop.emitter();
  const Value larger = loop(ir::Op::maximum, x[0], x[1]);
  const Value distance = loop(ir::Op::absolute, loop(ir::Op::subtract, x[0], x[1]));
  const Value scale = loop.number(is_binary ? std::numbers::ln2 : 1.0);
  const Value scaled = loop(ir::Op::multiply, distance, scale);
  const Value power = loop(ir::Op::exp, loop(ir::Op::negative, scaled));
  const Value logarithm = loop(ir::Op::log1p, power);
  const Value added = loop(ir::Op::add, larger, loop(ir::Op::true_divide, logarithm, scale));
  const Value is_equal = loop.compare(tree::Comparison::equal, x[0], x[1]);
  const Value twice = loop.number(is_binary ? 1.0 : std::numbers::ln2);
  return emitter.select(is_equal, loop(ir::Op::add, larger, twice), added);
}
Value logaddexp(const Loop& loop, const Operands& x) { return log_sum(loop, x, false); }
Value logaddexp2(const Loop& loop, const Operands& x) { return log_sum(loop, x, true); }

struct Composed {
  std::string_view name;
  Value (*emit)(const Loop& loop, const Operands& operands);
};
constexpr std::array composed = {
    Composed{"positive", positive},
    Composed{"sign", sign},
    Composed{"square", square},
    Composed{"reciprocal", reciprocal},
    Composed{"conj", conjugate},
    Composed{"conjugate", conjugate},
    Composed{"logical_and", logical_and},
    Composed{"logical_or", logical_or},
    Composed{"logical_xor", logical_xor},
    Composed{"logical_not", logical_not},
    Composed{"signbit", signbit},
    Composed{"deg2rad", to_radians},
    Composed{"radians", to_radians},
    Composed{"rad2deg", to_degrees},
    Composed{"degrees", to_degrees},
    Composed{"spacing", spacing},
    Composed{"logaddexp", logaddexp},
    Composed{"logaddexp2", logaddexp2},
};

char kind_letter(DType dtype) {
  constexpr std::string_view letters = "biufc";  // in the order of DTypeKind
  return letters[static_cast<std::size_t>(kind_of(dtype))];
}

// What an operation means for types that the IR does not compute it in.
std::optional<Value> outside_the_op(const Loop& loop, ir::Op op, const Operands& x) {
  if (is_complex(loop.dtype())) {
    if (op != ir::Op::absolute)
      return std::nullopt;
    Emitter& emitter = loop.emitter();
    return emitter.same_type(
        ir::Op::hypot,
        real_part_of(loop.dtype()),
        {emitter.attribute(x[0], "real"), emitter.attribute(x[0], "imag")});
  }
  switch (op) {
    case ir::Op::floor:
    case ir::Op::ceil:
    case ir::Op::trunc:
    case ir::Op::absolute:  // of bool
      return x[0];
    case ir::Op::isnan:
    case ir::Op::isinf:
      return boolean_literal(false);
    case ir::Op::isfinite:
      return boolean_literal(true);
    case ir::Op::add:  // of bool
      return loop(ir::Op::bitwise_or, x[0], x[1]);
    case ir::Op::multiply:
      return loop(ir::Op::bitwise_and, x[0], x[1]);
    case ir::Op::fmod: {
      // Of integers: Python's remainder has the divisor's sign, C's the dividend's.
      const Value remainder = loop(ir::Op::remainder, x[0], x[1]);
      const Value zero = loop.number(0);
      const Value differs = loop.compare(tree::Comparison::not_equal, remainder, zero);
      const Value signs = loop.compare(
          tree::Comparison::not_equal,
          loop.compare(tree::Comparison::less, x[0], zero),
          loop.compare(tree::Comparison::less, x[1], zero));
      return loop.emitter().select(
          loop.emitter().all_of({differs, signs}),
          loop(ir::Op::subtract, remainder, x[1]),
          remainder);
    }
    default:
      return std::nullopt;
  }
}

std::optional<Value> on_numbers(
    Emitter& emitter, const infer::Ufunc& ufunc, const Operands& operands) {
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    if (!emitter.is_scalar(operand))
      return std::nullopt;
    dtypes.push_back(type_of(operand)->dtype());
  }
  const auto typing = infer::resolve(ufunc, dtypes);
  if (!typing)
    return std::nullopt;
  const Loop loop(emitter, typing->operands[0]);
  Operands converted;
  for (const Value& operand : operands) converted.push_back(emitter.cast(operand, loop.dtype()));
  if (!ufunc.op) {
    if (is_complex(loop.dtype())) {
      if (auto value = complex_function(emitter, ufunc.name, converted))
        return emitter.cast(*value, typing->result);
    }
    const auto row = std::ranges::find(composed, ufunc.name, &Composed::name);
    if (row == composed.end())
      return std::nullopt;
    return emitter.cast(row->emit(loop, converted), typing->result);
  }
  if (ir::info(*ufunc.op).kinds.find(kind_letter(loop.dtype())) != std::string_view::npos)
    return emitter.elementwise(*ufunc.op, *typing, operands);
  auto value = outside_the_op(loop, *ufunc.op, converted);
  if (!value && is_complex(loop.dtype()))
    value = complex_function(emitter, ufunc.name, converted);
  return value ? std::optional(emitter.cast(*value, typing->result)) : std::nullopt;
}

// The operands without the output array, which may be given by name or as the last argument.
struct Operation {
  Operands operands;
  std::optional<Value> output;
};

Operation take_apart(Emitter& emitter, const infer::Ufunc& ufunc, const Call& call) {
  Operation operation = {.operands = call.arguments, .output = {}};
  for (const auto& [name, value] : call.keywords) {
    if (name != "out")
      emitter.fail(
          "numpy." + std::string(ufunc.name) + " has no parameter " + name + " in a kernel");
    operation.output = value;
  }
  if (!operation.output && call.arguments.size() == static_cast<std::size_t>(ufunc.arity) + 1) {
    operation.output = operation.operands.back();
    operation.operands.pop_back();
  }
  if (operation.output && !is_array(*operation.output))
    emitter.fail("the output must be an array, found " + describe(*operation.output));
  return operation;
}

}  // namespace

Value where(Emitter& emitter, const std::vector<Value>& arguments) {
  std::vector<DType> dtypes;
  for (const Value& value : arguments) {
    const auto type = type_of(value);
    const ir::Type element = type && type->is_array() ? type->element() : type.value_or(ir::Type());
    if (!element.is_scalar())
      emitter.fail("numpy.where takes numbers and arrays of them, found " + describe(value));
    dtypes.push_back(element.dtype());
  }
  const DType result = infer::promoted(dtypes[1], dtypes[2]);
  const auto choose = [result](Emitter& inner, const std::vector<Value>& x) {
    return inner.select(inner.truth(x[0]), inner.cast(x[1], result), inner.cast(x[2], result));
  };
  if (std::ranges::none_of(arguments, is_array))
    return choose(emitter, arguments);
  if (!emitter.session().options().is_function)
    emitter.fail("arrays cannot be made in a kernel", "Loop over the elements.");
  return lazy_array(emitter, result, arguments, choose);
}

std::optional<Value> Emitter::element_function(
    std::string_view name, const std::vector<Value>& operands) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  return ufunc == nullptr ? std::nullopt : on_numbers(*this, *ufunc, operands);
}

std::optional<DType> Emitter::element_type(
    std::string_view name, std::span<const DType> operands) const {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  const auto typing = ufunc == nullptr ? std::nullopt : infer::resolve(*ufunc, operands);
  return typing ? std::optional(typing->result) : std::nullopt;
}

namespace {

// Within a kind of numbers, or to one that holds more: NumPy's casting "same_kind".
bool keeps_kind(DType from, DType to) {
  const auto rank = [](DType dtype) {
    return is_boolean(dtype)                        ? 0
           : is_integer(dtype) && !is_signed(dtype) ? 1
           : is_integer(dtype)                      ? 2
           : is_floating(dtype)                     ? 3
                                                    : 4;
  };
  return rank(from) <= rank(to);
}

// As NumPy: an output array that cannot hold the results is refused.
void check_output(
    Emitter& emitter, const infer::Ufunc& ufunc, const Operands& operands, const Value& output) {
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    const auto type = type_of(operand);
    const ir::Type element = type && type->is_array() ? type->element() : type.value_or(ir::Type());
    if (!element.is_scalar())
      return;  // refused with its type later
    dtypes.push_back(element.dtype());
  }
  const auto typing = infer::resolve(ufunc, dtypes);
  const ir::Type element = type_of(output)->element();
  if (!typing || !element.is_scalar() || keeps_kind(typing->result, element.dtype()))
    return;
  emitter.fail(
      "numpy." + std::string(ufunc.name) + " gives " + describe(ir::Type(typing->result)) +
          ", which an output of " + describe(element) + " does not hold",
      "Give an output array of that type, or convert with out[:] = ...");
}

}  // namespace

std::optional<Value> call_ufunc(Emitter& emitter, std::string_view name, const Call& call) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  if (ufunc == nullptr)
    return std::nullopt;
  const Operation operation = take_apart(emitter, *ufunc, call);
  if (!operation.output) {
    if (auto array = array_operator(emitter, name, operation.operands))
      return array;
    const bool is_array_call = std::ranges::any_of(operation.operands, is_array);
    if (is_array_call && emitter.session().options().is_function)
      return std::nullopt;
    if (is_array_call)
      emitter.fail(
          "arrays cannot be made in a kernel",
          "Give numpy." + std::string(name) + " an output array, or loop over the elements.");
    return on_numbers(emitter, *ufunc, operation.operands);
  }
  check_output(emitter, *ufunc, operation.operands, *operation.output);
  bool is_taken = true;
  ir::Operation* output = emitter.materialize(*operation.output);
  for_each_element(emitter, output, operation.operands, [&](ir::Operation* pointer, Operands x) {
    const auto value = on_numbers(emitter, *ufunc, x);
    is_taken = value.has_value();
    if (is_taken)
      emitter.store(pointer, *value);
  });
  return is_taken ? std::optional<Value>(output) : std::nullopt;
}

}  // namespace phalanx::frontend::python
