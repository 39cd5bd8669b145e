#include "phalanx/numpy/ufuncs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "phalanx/ir/comparisons.h"
#include "phalanx/numpy/complex_math.h"

namespace phalanx::numpy {
namespace {

using ir::Op;

Value square(const Arithmetic& in, const Values& x) { return in(Op::multiply, x[0], x[0]); }
Value positive(const Arithmetic&, const Values& x) { return x[0]; }

Value sign(const Arithmetic& in, const Values& x) {
  const Value zero = in.number(0);
  const Value minus = is_unsigned(in.dtype()) ? zero : in.number(-1);
  // -0.0 has no sign, NaN is kept.
  const Value rest = in.select(in(Op::equal, x[0], zero), zero, x[0]);
  const Value otherwise = in.select(in(Op::greater, x[0], zero), in.number(1), rest);
  return in.select(in(Op::less, x[0], zero), minus, otherwise);
}

// Integers divide 1 as in C: only 1 and -1 have a reciprocal that is not 0. For 0 NumPy gives the
// least number of 32 or 64 bits, in which it divides, where it has a sign.
Value reciprocal(const Arithmetic& in, const Values& x) {
  if (!is_integer(in.dtype()))
    return in(Op::true_divide, in.number(1), x[0]);
  const Value size = is_unsigned(in.dtype()) ? x[0] : in(Op::absolute, x[0]);
  const Value other = in.select(in(Op::equal, size, in.number(1)), x[0], in.number(0));
  if (is_unsigned(in.dtype()))
    return other;
  const bool is_wide = size_of(in.dtype()) == sizeof(std::int64_t);
  const std::int64_t least =
      is_wide ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int32_t>::min();
  return in.select(in(Op::equal, x[0], in.number(0)), in.integer(least), other);
}

Value conjugate(const Arithmetic& in, const Values& x) {
  if (!is_complex(in.dtype()))
    return x[0];
  ir::Builder& builder = in.builder();
  return builder.complex_make(
      builder.complex_real(x[0]), builder.elementwise(Op::negative, {builder.complex_imag(x[0])}));
}

Value logical_and(const Arithmetic& in, const Values& x) {
  return in.both(in.truth(x[0]), in.truth(x[1]));
}
Value logical_or(const Arithmetic& in, const Values& x) {
  return in.either(in.truth(x[0]), in.truth(x[1]));
}
Value logical_xor(const Arithmetic& in, const Values& x) {
  return in(Op::not_equal, in.truth(x[0]), in.truth(x[1]));
}
Value logical_not(const Arithmetic& in, const Values& x) { return in.negation(in.truth(x[0])); }

Value signbit(const Arithmetic& in, const Values& x) {
  return in(Op::less, in(Op::copysign, in.number(1), x[0]), in.number(0));
}

Value to_degrees(const Arithmetic& in, const Values& x) {
  return in(Op::multiply, x[0], in.number(180.0 / std::numbers::pi));
}
Value to_radians(const Arithmetic& in, const Values& x) {
  return in(Op::multiply, x[0], in.number(std::numbers::pi / 180.0));
}

Value spacing(const Arithmetic& in, const Values& x) {
  const double infinity = std::numeric_limits<double>::infinity();
  // That of -0.0 is positive.
  const Value signed_as = in.select(in(Op::equal, x[0], in.number(0)), in.number(0), x[0]);
  const Value away = in(Op::copysign, in.number(infinity), signed_as);
  return in(Op::subtract, in(Op::nextafter, x[0], away), x[0]);
}

// log(exp(a) + exp(b)) from the larger of the two; equal infinities have no difference.
Value log_sum(const Arithmetic& in, const Values& x, bool is_binary) {
  const Value larger = in(Op::maximum, x[0], x[1]);
  const Value distance = in(Op::absolute, in(Op::subtract, x[0], x[1]));
  const Value scale = in.number(is_binary ? std::numbers::ln2 : 1.0);
  const Value power = in(Op::exp, in(Op::negative, in(Op::multiply, distance, scale)));
  const Value logarithm = in(Op::true_divide, in(Op::log1p, power), scale);
  const Value twice = in.number(is_binary ? 1.0 : std::numbers::ln2);
  return in.select(
      in(Op::equal, x[0], x[1]), in(Op::add, larger, twice), in(Op::add, larger, logarithm));
}
Value logaddexp(const Arithmetic& in, const Values& x) { return log_sum(in, x, false); }
Value logaddexp2(const Arithmetic& in, const Values& x) { return log_sum(in, x, true); }

// The functions that are no operation of the IR.
struct Composed {
  std::string_view name;
  Value (*emit)(const Arithmetic& in, const Values& operands);
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

// As C has it, of integers: the sign of the dividend, where Op::remainder has the divisor's.
Value integer_fmod(const Arithmetic& in, const Values& x) {
  const Value remainder = in(Op::remainder, x[0], x[1]);
  const Value zero = in.number(0);
  const Value signs = in(Op::not_equal, in(Op::less, x[0], zero), in(Op::less, x[1], zero));
  return in.select(
      in.both(in(Op::not_equal, remainder, zero), signs),
      in(Op::subtract, remainder, x[1]),
      remainder);
}

// What an operation of real numbers means for bool and integers.
std::optional<Value> of_whole_numbers(const Arithmetic& in, Op op, const Values& x) {
  switch (op) {
    case Op::floor:
    case Op::ceil:
    case Op::trunc:
    case Op::absolute:  // of bool
      return x[0];
    case Op::isnan:
    case Op::isinf:
      return in.builder().boolean(false);
    case Op::isfinite:
      return in.builder().boolean(true);
    case Op::add:  // of bool
      return in(Op::bitwise_or, x[0], x[1]);
    case Op::multiply:
      return in(Op::bitwise_and, x[0], x[1]);
    case Op::fmod:
      return integer_fmod(in, x);
    default:
      return std::nullopt;
  }
}

Value complex_absolute(ir::Builder& builder, Value z) {
  return builder.elementwise(Op::hypot, {builder.complex_real(z), builder.complex_imag(z)});
}

std::optional<Value> of_complex(
    ir::Builder& builder, const infer::Ufunc& ufunc, const Values& operands) {
  if (ufunc.op == Op::absolute)
    return complex_absolute(builder, operands[0]);
  return complex_function(builder, ufunc.name, operands);
}

std::optional<Value> compose(
    const Arithmetic& in, const infer::Ufunc& ufunc, const Values& operands) {
  const auto row = std::ranges::find(composed, ufunc.name, &Composed::name);
  return row == composed.end() ? std::nullopt : std::optional(row->emit(in, operands));
}

std::optional<Value> in_loop(
    const Arithmetic& in, const infer::Ufunc& ufunc, const Values& operands) {
  // The IR's exponential and root of complex numbers say nothing of infinities beside NaN.
  const bool is_special = is_complex(in.dtype()) && (ufunc.op == Op::exp || ufunc.op == Op::sqrt);
  if (is_one_operation(ufunc, in.dtype()) && !is_special)
    return operands.size() == 1 ? in(*ufunc.op, operands[0])
                                : in(*ufunc.op, operands[0], operands[1]);
  if (is_complex(in.dtype())) {
    if (const auto value = of_complex(in.builder(), ufunc, operands))
      return value;
  } else if (ufunc.op) {
    return of_whole_numbers(in, *ufunc.op, operands);
  }
  return compose(in, ufunc, operands);
}

// ---- Floats of 16 bits ----

bool is_small_float(DType dtype) { return is_floating(dtype) && size_of(dtype) == 2; }

// The bits of a float of 16 bits are in the order of its numbers, but for the sign.
Value small_nextafter(ir::Builder& builder, Value from, Value towards) {
  const Arithmetic in(builder, DType::float32);
  const Arithmetic bits(builder, DType::int16);
  const Value x = builder.cast(from, in.dtype());
  const Value y = builder.cast(towards, in.dtype());
  const Value zero = in.number(0);
  const Value is_away = in(Op::equal, in(Op::less, x, y), in(Op::greater, x, zero));
  const Value step = in.select(is_away, bits.integer(1), bits.integer(-1));
  const Value next = bits(Op::add, builder.bitcast(from, bits.dtype()), step);
  const Value sign = in.select(in(Op::less, y, zero), bits.integer(INT16_MIN), bits.integer(0));
  const Value least = bits(Op::bitwise_or, sign, bits.integer(1));
  const Value number = builder.bitcast(in.select(in(Op::equal, x, zero), least, next), from->type);
  const Value moved = in.select(in(Op::equal, x, y), towards, number);
  const Value nan = builder.cast(in(Op::add, x, y), from->type.dtype());
  return in.select(in.either(in(Op::isnan, x), in(Op::isnan, y)), nan, moved);
}

// Towards infinity, where that of wider floats is away from 0: so NumPy has it.
Value small_spacing(ir::Builder& builder, Value number) {
  const Arithmetic in(builder, DType::float32);
  const Value infinity = builder.constant(number->type.dtype(), HUGE_VAL);
  const Value next = builder.cast(small_nextafter(builder, number, infinity), in.dtype());
  const Value x = builder.cast(number, in.dtype());
  return in(Op::subtract, in.select(in(Op::isinf, x), x, next), x);
}

std::optional<Value> in_small_loop(
    ir::Builder& builder, const infer::Ufunc& ufunc, const Values& operands) {
  const Arithmetic in(builder, DType::float32);
  if (ufunc.op == Op::nextafter)
    return small_nextafter(builder, operands[0], operands[1]);
  Values singles;
  for (const Value operand : operands) singles.push_back(builder.cast(operand, in.dtype()));
  return ufunc.name == "spacing" ? small_spacing(builder, operands[0])
                                 : in_loop(in, ufunc, singles);
}

// ---- Comparisons of int64 with uint64 ----

// True for every negative number on the left, false for none, where the signed one is on the left.
Value compare_signed(const Arithmetic& in, Op op, Value number, Value other) {
  const Value is_negative = in(Op::less, number, in.builder().integer(0));
  const Value compared = in(op, in.builder().cast(number, in.dtype()), other);
  if (op == Op::less || op == Op::less_equal || op == Op::not_equal)
    return in.either(is_negative, compared);
  return in.both(in.negation(is_negative), compared);
}

Value compare_mixed(ir::Builder& builder, Op op, Value a, Value b) {
  const Arithmetic in(builder, DType::uint64);
  return a->type.dtype() == DType::int64 ? compare_signed(in, op, a, b)
                                         : compare_signed(in, ir::mirrored(op), b, a);
}

char kind_letter(DType dtype) {
  constexpr std::string_view letters = "biufc";  // in the order of DTypeKind
  return letters[static_cast<std::size_t>(kind_of(dtype))];
}

}  // namespace

bool is_one_operation(const infer::Ufunc& ufunc, DType loop) {
  return ufunc.op && ir::info(*ufunc.op).kinds.find(kind_letter(loop)) != std::string_view::npos;
}

std::optional<Value> ufunc(
    ir::Builder& builder,
    const infer::Ufunc& ufunc,
    const infer::Typing& typing,
    const Values& operands) {
  const DType loop = typing.operands[0];
  if (operands.size() == 2 && typing.operands[1] != loop)
    return compare_mixed(builder, *ufunc.op, operands[0], operands[1]);
  const auto value = is_small_float(loop) ? in_small_loop(builder, ufunc, operands)
                                          : in_loop(Arithmetic(builder, loop), ufunc, operands);
  return value ? std::optional(builder.cast(*value, typing.result)) : std::nullopt;
}

}  // namespace phalanx::numpy
