#include "phalanx/frontend/python/complex_math.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace phalanx::frontend::python {
namespace {

using ir::Op;

// A complex number as two values of its real type.
struct Complex {
  Value re;
  Value im;
};

class Parts {
 public:
  Parts(Emitter& emitter, DType dtype) : emitter_(&emitter), real_(real_part_of(dtype)) {}

  Emitter& emitter() const { return *emitter_; }
  Complex split(const Value& z) const {
    return {emitter_->attribute(z, "real"), emitter_->attribute(z, "imag")};
  }
  Value join(const Complex& z) const {
    return emitter_->builder().complex_make(
        emitter_->materialize(z.re), emitter_->materialize(z.im));
  }
  Value number(double value) const { return emitter_->cast(float_literal(value), real_); }
  Value operator()(Op op, const Value& a) const { return emitter_->same_type(op, real_, {a}); }
  Value operator()(Op op, const Value& a, const Value& b) const {
    return emitter_->same_type(op, real_, {a, b});
  }
  Value times(const Value& a, const Value& b) const { return (*this)(Op::multiply, a, b); }
  Value plus(const Value& a, const Value& b) const { return (*this)(Op::add, a, b); }
  Value minus(const Value& a, const Value& b) const { return (*this)(Op::subtract, a, b); }
  Value over(const Value& a, const Value& b) const { return (*this)(Op::true_divide, a, b); }
  Value negative(const Value& a) const { return (*this)(Op::negative, a); }
  Value choose(const Value& condition, const Value& a, const Value& b) const {
    return emitter_->builder().elementwise(
        Op::select,
        {emitter_->materialize(condition), emitter_->materialize(a), emitter_->materialize(b)});
  }
  Complex choose(const Value& condition, const Complex& a, const Complex& b) const {
    return {choose(condition, a.re, b.re), choose(condition, a.im, b.im)};
  }
  bool is_single() const { return real_ == DType::float32; }
  // The IR's own operation on complex numbers.
  Complex whole(Op op, const Complex& z) const {
    return split(emitter_->builder().elementwise(op, {emitter_->materialize(join(z))}));
  }

 private:
  Emitter* emitter_;
  DType real_;
};

// -i sin(i z)
Complex sinh(const Parts& p, const Complex& z) {
  const Complex w = p.whole(Op::sin, {z.im, z.re});
  return {w.im, w.re};
}

// cos(i z)
Complex cosh(const Parts& p, const Complex& z) {
  return p.whole(Op::cos, {p.negative(z.im), z.re});
}

// Of tanh(x) and tan(y), so that nothing overflows where x is large.
Complex tanh(const Parts& p, const Complex& z) {
  const Value t = p(Op::tanh, z.re);
  const Value s = p(Op::tan, z.im);
  const Value both = p.times(t, s);
  const Value one = p.number(1);
  const Value scale = p.plus(one, p.times(both, both));
  const Value numerator = p.times(t, p.plus(one, p.times(s, s)));
  // 1 - t * t would lose all digits where t is near 1.
  const Value narrow = p.over(one, p(Op::cosh, z.re));
  const Value slope = p.times(p.times(p.over(s, scale), narrow), narrow);
  return {p.over(numerator, scale), slope};
}

// -i f(i z)
template <Complex (*function)(const Parts&, const Complex&)>
Complex turned(const Parts& p, const Complex& z) {
  const Complex w = function(p, {p.negative(z.im), z.re});
  return {w.im, p.negative(w.re)};
}

// True if 1 is nothing beside z**2, and z**2 may be beyond the format.
Value is_large(const Parts& p, const Complex& z) {
  const Value size = p(Op::maximum, p(Op::absolute, z.re), p(Op::absolute, z.im));
  return p.emitter().compare(
      tree::Comparison::greater, size, p.number(p.is_single() ? 1e10 : 1e20));
}

Value half_size(const Parts& p, const Complex& z) {
  const Value half = p.number(0.5);
  return p(Op::hypot, p.times(z.re, half), p.times(z.im, half));
}

// log(2 |z|), as CPython's cmathmodule.c has it where z is large.
Value log_of_twice(const Parts& p, const Complex& z) {
  return p.plus(p(Op::log, half_size(p, z)), p.number(2 * std::numbers::ln2));
}

Complex square_root(const Parts& p, const Value& re, const Value& im) {
  return p.whole(Op::sqrt, {re, im});
}

// The inverse functions by Kahan's formulas, which keep their accuracy near the branch cuts.
Complex asinh(const Parts& p, const Complex& z) {
  const Value one = p.number(1);
  const Complex a = square_root(p, p.plus(one, z.im), p.negative(z.re));
  const Complex b = square_root(p, p.minus(one, z.im), z.re);
  const Value sine = p.minus(p.times(a.re, b.im), p.times(b.re, a.im));
  const Value cosine = p.minus(p.times(a.re, b.re), p.times(a.im, b.im));
  const Complex near = {p(Op::arcsinh, sine), p(Op::arctan2, z.im, cosine)};
  const Complex far = {
      p(Op::copysign, log_of_twice(p, z), z.re), p(Op::arctan2, z.im, p(Op::absolute, z.re))};
  return p.choose(is_large(p, z), far, near);
}

Complex acos(const Parts& p, const Complex& z) {
  const Value one = p.number(1);
  const Complex a = square_root(p, p.minus(one, z.re), p.negative(z.im));
  const Complex b = square_root(p, p.plus(one, z.re), z.im);
  const Value sine = p.minus(p.times(b.re, a.im), p.times(b.im, a.re));
  const Complex near = {p.times(p.number(2), p(Op::arctan2, a.re, b.re)), p(Op::arcsinh, sine)};
  const Complex far = {
      p(Op::arctan2, p(Op::absolute, z.im), z.re),
      p.negative(p(Op::copysign, log_of_twice(p, z), z.im))};
  return p.choose(is_large(p, z), far, near);
}

Complex acosh(const Parts& p, const Complex& z) {
  const Value one = p.number(1);
  const Complex a = square_root(p, p.minus(z.re, one), z.im);
  const Complex b = square_root(p, p.plus(z.re, one), z.im);
  const Value cosine = p.plus(p.times(a.re, b.re), p.times(a.im, b.im));
  const Complex near = {p(Op::arcsinh, cosine), p.times(p.number(2), p(Op::arctan2, a.im, b.re))};
  const Complex far = {log_of_twice(p, z), p(Op::arctan2, z.im, z.re)};
  return p.choose(is_large(p, z), far, near);
}

Complex atanh(const Parts& p, const Complex& z) {
  const Value one = p.number(1);
  const Value x = p(Op::absolute, z.re);
  const Value y = p.times(z.im, p(Op::copysign, one, z.re));
  const Value rest = p.minus(one, x);
  const Value square = p.times(y, y);
  const Value distance = p.plus(p.times(rest, rest), square);
  const Value ratio = p.over(p.times(p.number(4), x), distance);
  Value re = p.over(p(Op::log1p, ratio), p.number(4));
  // At x = 1 the square of y may be below the format.
  const Value height = p(Op::absolute, y);
  const Value is_pole = p.emitter().all_of(
      {p.emitter().compare(tree::Comparison::equal, rest, p.number(0)),
       p.emitter().compare(
           tree::Comparison::less, height, p.number(p.is_single() ? 1e-15 : 1e-150))});
  const Value at_pole =
      p.times(p.minus(p.number(std::numbers::ln2), p(Op::log, height)), p.number(0.5));
  re = p.choose(is_pole, at_pole, re);
  const Value cosine = p.minus(p.times(rest, p.plus(one, x)), square);
  const Value im = p.over(p(Op::arctan2, p.times(p.number(2), y), cosine), p.number(2));
  const Complex near = {p(Op::copysign, re, z.re), p.times(im, p(Op::copysign, one, z.re))};
  const Value half = half_size(p, z);
  const Complex far = {
      p.over(p.over(p.times(z.re, p.number(0.25)), half), half),
      p(Op::copysign, p.number(std::numbers::pi / 2), z.im)};
  return p.choose(is_large(p, z), far, near);
}

Complex logarithm(const Parts& p, const Complex& z, double base) {
  const Complex natural = p.whole(Op::log, z);
  const Value scale = p.number(1.0 / base);
  return {p.times(natural.re, scale), p.times(natural.im, scale)};
}
Complex log10(const Parts& p, const Complex& z) { return logarithm(p, z, std::numbers::ln10); }
Complex log2(const Parts& p, const Complex& z) { return logarithm(p, z, std::numbers::ln2); }

Complex exp2(const Parts& p, const Complex& z) {
  const Value scale = p.number(std::numbers::ln2);
  return p.whole(Op::exp, {p.times(z.re, scale), p.times(z.im, scale)});
}

// exp(z) - 1 without loss near 0: expm1(x) cos(y) - 2 sin(y/2)**2
Complex expm1(const Parts& p, const Complex& z) {
  const Value half = p(Op::sin, p.times(z.im, p.number(0.5)));
  const Value loss = p.times(p.number(2), p.times(half, half));
  const Value grown = p.times(p(Op::expm1, z.re), p(Op::cos, z.im));
  return {p.minus(grown, loss), p.times(p(Op::exp, z.re), p(Op::sin, z.im))};
}

Complex log1p(const Parts& p, const Complex& z) {
  const Value one = p.number(1);
  const Value angle = p(Op::arctan2, z.im, p.plus(z.re, one));
  // |1 + z|**2 - 1 = x (2 + x) + y**2 keeps its digits near 0.
  const Value excess = p.plus(p.times(z.re, p.plus(p.number(2), z.re)), p.times(z.im, z.im));
  const Value near = p.times(p.number(0.5), p(Op::log1p, excess));
  const Value far = p(Op::log, p(Op::hypot, p.plus(z.re, one), z.im));
  const Value size = p(Op::maximum, p(Op::absolute, z.re), p(Op::absolute, z.im));
  const Value is_near = p.emitter().compare(tree::Comparison::less, size, p.number(0.25));
  return {p.choose(is_near, near, far), angle};
}

Complex rint(const Parts& p, const Complex& z) { return {p(Op::rint, z.re), p(Op::rint, z.im)}; }

Complex reciprocal(const Parts& p, const Complex& z) {
  const Value one = p.emitter().builder().complex_make(
      p.emitter().materialize(p.number(1)), p.emitter().materialize(p.number(0)));
  const Value quotient = p.emitter().builder().elementwise(
      Op::true_divide, {p.emitter().materialize(one), p.emitter().materialize(p.join(z))});
  return p.split(quotient);
}

struct Row {
  std::string_view name;
  std::string_view alias;
  Complex (*emit)(const Parts&, const Complex&);
};
constexpr std::array table = {
    Row{"sinh", "", sinh},
    Row{"cosh", "", cosh},
    Row{"tanh", "", tanh},
    Row{"tan", "", turned<tanh>},
    Row{"asinh", "arcsinh", asinh},
    Row{"asin", "arcsin", turned<asinh>},
    Row{"acos", "arccos", acos},
    Row{"acosh", "arccosh", acosh},
    Row{"atanh", "arctanh", atanh},
    Row{"atan", "arctan", turned<atanh>},
    Row{"log10", "", log10},
    Row{"log2", "", log2},
    Row{"exp2", "", exp2},
    Row{"expm1", "", expm1},
    Row{"log1p", "", log1p},
    Row{"rint", "", rint},
    Row{"reciprocal", "", reciprocal},
};

// ---- Order: by the real part, then by the imaginary one ----

Value ordered(const Parts& p, tree::Comparison comparison, const Value& a, const Value& b) {
  using tree::Comparison;
  Emitter& emitter = p.emitter();
  const Complex x = p.split(a);
  const Complex y = p.split(b);
  const bool is_less = comparison == Comparison::less || comparison == Comparison::less_equal;
  const Comparison strict = is_less ? Comparison::less : Comparison::greater;
  // As NumPy: no number comes before one whose imaginary part is NaN, or after it.
  const Value first = emitter.all_of(
      {emitter.compare(strict, x.re, y.re),
       emitter.compare(Comparison::equal, x.im, x.im),
       emitter.compare(Comparison::equal, y.im, y.im)});
  const Value is_equal = emitter.compare(Comparison::equal, x.re, y.re);
  const Value second = emitter.all_of({is_equal, emitter.compare(comparison, x.im, y.im)});
  return emitter.select(first, boolean_literal(true), second);
}

Value has_nan(const Parts& p, const Value& z) {
  const Complex parts = p.split(z);
  const Value re = p(Op::isnan, parts.re);
  return p.emitter().select(re, boolean_literal(true), p(Op::isnan, parts.im));
}

// The one of the two that the order says; NaN wins in minimum and maximum, loses in fmin and fmax.
Value extreme(const Parts& p, std::string_view name, const Value& a, const Value& b) {
  Emitter& emitter = p.emitter();
  const bool is_least = name.ends_with("min") || name == "minimum";
  const Value takes_first =
      ordered(p, is_least ? tree::Comparison::less_equal : tree::Comparison::greater_equal, a, b);
  const auto pick = [&](const Value& condition, const Value& x, const Value& y) -> Value {
    return emitter.builder().elementwise(
        Op::select,
        {emitter.materialize(condition), emitter.materialize(x), emitter.materialize(y)});
  };
  const Value chosen = pick(takes_first, a, b);
  if (name.starts_with('f'))
    return pick(has_nan(p, a), b, pick(has_nan(p, b), a, chosen));
  return pick(has_nan(p, a), a, pick(has_nan(p, b), b, chosen));
}

std::optional<Value> of_two(const Parts& p, std::string_view name, const Value& a, const Value& b) {
  using tree::Comparison;
  constexpr std::array comparisons = {
      std::pair{std::string_view("less"), Comparison::less},
      std::pair{std::string_view("less_equal"), Comparison::less_equal},
      std::pair{std::string_view("greater"), Comparison::greater},
      std::pair{std::string_view("greater_equal"), Comparison::greater_equal},
  };
  for (const auto& [text, comparison] : comparisons) {
    if (text == name)
      return ordered(p, comparison, a, b);
  }
  if (name == "minimum" || name == "maximum" || name == "fmin" || name == "fmax")
    return extreme(p, name, a, b);
  return std::nullopt;
}

// True if both parts, or any of them, pass a test.
Value test(const Parts& p, Op op, const Value& z) {
  const Complex parts = p.split(z);
  const Value re = p(op, parts.re);
  const Value im = p(op, parts.im);
  return op == Op::isfinite ? p.emitter().all_of({re, im})
                            : p.emitter().select(re, boolean_literal(true), im);
}

}  // namespace

std::optional<Value> complex_function(
    Emitter& emitter, std::string_view name, const std::vector<Value>& operands) {
  const Parts parts(emitter, type_of(operands[0])->dtype());
  if (operands.size() == 2)
    return of_two(parts, name, operands[0], operands[1]);
  for (const Op op : {Op::isnan, Op::isinf, Op::isfinite}) {
    if (ir::info(op).name == name)
      return test(parts, op, operands[0]);
  }
  const auto row = std::ranges::find_if(
      table, [&](const Row& each) { return each.name == name || each.alias == name; });
  if (row == table.end())
    return std::nullopt;
  return parts.join(row->emit(parts, parts.split(operands[0])));
}

std::optional<Value> call_cmath(
    Emitter& emitter, std::string_view name, const std::vector<Value>& operands) {
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    if (!emitter.is_scalar(operand))
      return std::nullopt;
    dtypes.push_back(type_of(operand)->dtype());
  }
  const auto typing = infer::resolve("cmath." + std::string(name), dtypes);
  if (!typing)
    return std::nullopt;
  if (name == "rect") {
    const Parts parts(emitter, typing->result);
    const Value radius = emitter.cast(operands[0], real_part_of(typing->result));
    const Value angle = emitter.cast(operands[1], real_part_of(typing->result));
    return parts.join(
        {parts.times(radius, parts(Op::cos, angle)), parts.times(radius, parts(Op::sin, angle))});
  }
  std::vector<Value> numbers;
  for (std::size_t i = 0; i < operands.size(); ++i)
    numbers.push_back(emitter.cast(operands[i], typing->declared.at(i)));
  const Parts parts(emitter, type_of(numbers[0])->dtype());
  if (name == "log" && numbers.size() == 2) {
    ir::Builder& builder = emitter.builder();
    const auto log = [&](const Value& z) {
      return builder.elementwise(Op::log, {emitter.materialize(z)});
    };
    return builder.elementwise(Op::true_divide, {log(numbers[0]), log(numbers[1])});
  }
  const Complex z = parts.split(numbers[0]);
  if (name == "phase")
    return parts(Op::arctan2, z.im, z.re);
  if (name == "polar")
    return tuple_value({parts(Op::hypot, z.re, z.im), parts(Op::arctan2, z.im, z.re)});
  return complex_function(emitter, name, numbers);
}

}  // namespace phalanx::frontend::python
