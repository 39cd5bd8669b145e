// Functions of math and numpy that are made of several operations.
#include <array>
#include <numbers>

#include "phalanx/frontend/python/intrinsics.h"

namespace phalanx::frontend::python {
namespace {

infer::Typing typing_or_fail(Emitter& emitter, std::string_view name, const Value& value) {
  const std::array dtypes = {emitter.scalar_dtype(value, "the argument of " + std::string(name))};
  const auto typing = infer::resolve(name, dtypes);
  if (!typing)
    emitter.fail(std::string(name) + "() does not take " + describe(value));
  return *typing;
}

constexpr char degrees[] = "math.degrees";
constexpr char radians[] = "math.radians";

template <const char* name>
Value scaled(Emitter& emitter, const Arguments& arguments) {
  const double factor = name == degrees ? 180.0 / std::numbers::pi : std::numbers::pi / 180.0;
  const DType dtype = typing_or_fail(emitter, name, arguments[0]).result;
  const Value scale = emitter.cast(float_literal(factor), dtype);
  return emitter.binary(ir::Op::multiply, emitter.cast(arguments[0], dtype), scale);
}

Value logarithm(Emitter& emitter, const Arguments& arguments) {
  const auto of = [&](const Value& value) {
    const auto result = emitter.scalar_function("math.log", {value});
    if (!result)
      emitter.fail("math.log() does not take " + describe(value));
    return *result;
  };
  if (arguments[1].is<Unbound>())
    return of(arguments[0]);
  return emitter.binary(ir::Op::true_divide, of(arguments[0]), of(arguments[1]));
}

// The fraction keeps the sign, also where it is 0; infinity has the fraction 0.
Value modf(Emitter& emitter, const Arguments& arguments) {
  const DType dtype = typing_or_fail(emitter, "math.modf", arguments[0]).result;
  const Value number = emitter.cast(arguments[0], dtype);
  const Value whole = emitter.same_type(ir::Op::trunc, dtype, {number});
  const Value zero = emitter.cast(float_literal(0.0), dtype);
  const Value difference = emitter.same_type(ir::Op::subtract, dtype, {number, whole});
  const Value is_infinite = emitter.same_type(ir::Op::isinf, dtype, {number});
  const Value magnitude = emitter.select(is_infinite, zero, difference);
  return tuple_value({emitter.same_type(ir::Op::copysign, dtype, {magnitude, number}), whole});
}

// How a float's bits are laid out.
struct FloatBits {
  DType bits;
  std::int64_t mantissa_bits;
  std::int64_t exponent_mask;
  std::int64_t bias;
};

// Mantissa in [0.5, 1) and exponent, from the bits; numbers below the normal ones are scaled up.
Value frexp(Emitter& emitter, const Arguments& arguments) {
  const DType dtype = typing_or_fail(emitter, "math.frexp", arguments[0]).result;
  const FloatBits layout = dtype == DType::float32 ? FloatBits{DType::int32, 23, 0xFF, 126}
                                                   : FloatBits{DType::int64, 52, 0x7FF, 1022};
  const auto bits_type = layout.bits;
  const auto integer = [&](std::int64_t value) { return integer_literal(value, bits_type); };
  const auto op = [&](ir::Op which, const Value& a, const Value& b) {
    return emitter.same_type(which, bits_type, {a, b});
  };
  const Value number = emitter.cast(arguments[0], dtype);
  const std::int64_t lift = layout.mantissa_bits + 2;
  const Value scale =
      emitter.cast(float_literal(static_cast<double>(std::int64_t{1} << lift)), dtype);
  const auto bits_of_value = [&](const Value& value) -> Value {
    return emitter.builder().bitcast(emitter.materialize(value), bits_type);
  };
  const auto exponent_of = [&](const Value& bits) {
    return op(
        ir::Op::bitwise_and,
        op(ir::Op::right_shift, bits, integer(layout.mantissa_bits)),
        integer(layout.exponent_mask));
  };
  const Value raw = bits_of_value(number);
  const Value is_small = emitter.compare(tree::Comparison::equal, exponent_of(raw), integer(0));
  const Value lifted = bits_of_value(emitter.same_type(ir::Op::multiply, dtype, {number, scale}));
  const Value bits = emitter.select(is_small, lifted, raw);
  const Value biased = exponent_of(bits);
  const Value bias = emitter.select(is_small, integer(layout.bias + lift), integer(layout.bias));
  const Value kept =
      op(ir::Op::bitwise_and, bits, integer(~(layout.exponent_mask << layout.mantissa_bits)));
  const Value fraction = op(ir::Op::bitwise_or, kept, integer(layout.bias << layout.mantissa_bits));
  const Value mantissa = emitter.builder().bitcast(emitter.materialize(fraction), dtype);
  // Zero, infinity and NaN are their own mantissa.
  const Value is_zero =
      emitter.compare(tree::Comparison::equal, number, emitter.cast(float_literal(0.0), dtype));
  const Value is_finite = emitter.same_type(ir::Op::isfinite, dtype, {number});
  const Value is_plain = emitter.all_of({is_finite, emitter.logical_not(is_zero)});
  const Value exponent = op(ir::Op::subtract, biased, bias);
  return tuple_value(
      {emitter.select(is_plain, mantissa, number),
       emitter.cast(emitter.select(is_plain, exponent, integer(0)), DType::int32)});
}

// |a - b| <= max(rel_tol * max(|a|, |b|), abs_tol), infinities close to themselves only.
Value isclose(Emitter& emitter, const Arguments& arguments) {
  const auto option = [&](std::size_t index, double absent) {
    return arguments[index].is<Unbound>() ? float_literal(absent) : arguments[index];
  };
  const auto real = [&](const Value& value) { return emitter.cast(value, DType::float64); };
  const auto absolute = [&](const Value& value) {
    return emitter.same_type(ir::Op::absolute, DType::float64, {value});
  };
  const auto larger = [&](const Value& a, const Value& b) {
    return emitter.same_type(ir::Op::fmax, DType::float64, {a, b});
  };
  const Value a = real(arguments[0]);
  const Value b = real(arguments[1]);
  const Value difference = absolute(emitter.binary(ir::Op::subtract, a, b));
  const Value relative =
      emitter.binary(ir::Op::multiply, real(option(2, 1e-9)), larger(absolute(a), absolute(b)));
  const Value tolerance = larger(relative, real(option(3, 0.0)));
  const Value is_near = emitter.compare(tree::Comparison::less_equal, difference, tolerance);
  const Value is_finite = emitter.same_type(ir::Op::isfinite, DType::float64, {difference});
  const Value is_equal = emitter.compare(tree::Comparison::equal, a, b);
  const Value is_close = emitter.all_of({is_near, is_finite});
  return emitter.select(is_equal, boolean_literal(true), is_close);
}

Value half_reciprocal(Emitter& emitter, const Arguments& arguments) {
  const Value number = emitter.cast(arguments[0], DType::float16);
  const Value one = emitter.cast(float_literal(1.0), DType::float16);
  return emitter.same_type(ir::Op::true_divide, DType::float16, {one, number});
}

Value half_exp10(Emitter& emitter, const Arguments& arguments) {
  const Value half = emitter.cast(arguments[0], DType::float16);
  const Value ten = emitter.cast(float_literal(10.0), DType::float32);
  const Value number = emitter.cast(half, DType::float32);
  return emitter.cast(
      emitter.same_type(ir::Op::power, DType::float32, {ten, number}), DType::float16);
}

constexpr std::array table = {
    Intrinsic{"math.degrees", "x", scaled<degrees>},
    Intrinsic{"math.radians", "x", scaled<radians>},
    Intrinsic{"math.log", "x base?", logarithm},
    Intrinsic{"math.modf", "x", modf},
    Intrinsic{"math.frexp", "x", frexp},
    Intrinsic{"cuda.fp16.hrcp", "x", half_reciprocal},
    Intrinsic{"cuda.fp16.hexp10", "x", half_exp10},
    Intrinsic{"math.isclose", "a b rel_tol? abs_tol?", isclose},
};

}  // namespace

std::span<const Intrinsic> math_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
