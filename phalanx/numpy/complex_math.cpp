#include "phalanx/numpy/complex_math.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <utility>

namespace phalanx::numpy {
namespace {

using ir::Op;

// A complex number as two values of its real type.
struct Complex {
  Value re;
  Value im;
};

// Arithmetic on the parts of complex numbers.
class Parts : public Arithmetic {
 public:
  Parts(ir::Builder& builder, DType dtype) : Arithmetic(builder, real_part_of(dtype)) {}

  Complex split(Value z) const { return {builder().complex_real(z), builder().complex_imag(z)}; }
  Value join(const Complex& z) const { return builder().complex_make(z.re, z.im); }
  Value times(Value a, Value b) const { return (*this)(Op::multiply, a, b); }
  Value plus(Value a, Value b) const { return (*this)(Op::add, a, b); }
  Value minus(Value a, Value b) const { return (*this)(Op::subtract, a, b); }
  Value over(Value a, Value b) const { return (*this)(Op::true_divide, a, b); }
  Value negative(Value a) const { return (*this)(Op::negative, a); }
  using Arithmetic::select;
  Complex select(Value condition, const Complex& a, const Complex& b) const {
    return {select(condition, a.re, b.re), select(condition, a.im, b.im)};
  }
  bool is_single() const { return dtype() == DType::float32; }
  // The IR's own operation on complex numbers.
  Complex whole(Op op, const Complex& z) const {
    return split(builder().elementwise(op, {join(z)}));
  }
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

// Made of tanh(x) and tan(y), so that nothing overflows where x is large.
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
  return p(Op::greater, size, p.number(p.is_single() ? 1e10 : 1e20));
}

Value half_size(const Parts& p, const Complex& z) {
  const Value half = p.number(0.5);
  return p(Op::hypot, p.times(z.re, half), p.times(z.im, half));
}

// log(2 |z|), as CPython's cmathmodule.c has it where z is large.
Value log_of_twice(const Parts& p, const Complex& z) {
  return p.plus(p(Op::log, half_size(p, z)), p.number(2 * std::numbers::ln2));
}

Complex square_root(const Parts& p, Value re, Value im) { return p.whole(Op::sqrt, {re, im}); }

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
  return p.select(is_large(p, z), far, near);
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
  return p.select(is_large(p, z), far, near);
}

Complex acosh(const Parts& p, const Complex& z) {
  const Value one = p.number(1);
  const Complex a = square_root(p, p.minus(z.re, one), z.im);
  const Complex b = square_root(p, p.plus(z.re, one), z.im);
  const Value cosine = p.plus(p.times(a.re, b.re), p.times(a.im, b.im));
  const Complex near = {p(Op::arcsinh, cosine), p.times(p.number(2), p(Op::arctan2, a.im, b.re))};
  const Complex far = {log_of_twice(p, z), p(Op::arctan2, z.im, z.re)};
  return p.select(is_large(p, z), far, near);
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
  const Value is_pole = p.both(
      p(Op::equal, rest, p.number(0)),
      p(Op::less, height, p.number(p.is_single() ? 1e-15 : 1e-150)));
  const Value at_pole =
      p.times(p.minus(p.number(std::numbers::ln2), p(Op::log, height)), p.number(0.5));
  re = p.select(is_pole, at_pole, re);
  const Value cosine = p.minus(p.times(rest, p.plus(one, x)), square);
  const Value im = p.over(p(Op::arctan2, p.times(p.number(2), y), cosine), p.number(2));
  const Complex near = {p(Op::copysign, re, z.re), p.times(im, p(Op::copysign, one, z.re))};
  const Value half = half_size(p, z);
  const Complex far = {
      p.over(p.over(p.times(z.re, p.number(0.25)), half), half),
      p(Op::copysign, p.number(std::numbers::pi / 2), z.im)};
  return p.select(is_large(p, z), far, near);
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
  const Value is_near = p(Op::less, size, p.number(0.25));
  return {p.select(is_near, near, far), angle};
}

Complex rint(const Parts& p, const Complex& z) { return {p(Op::rint, z.re), p(Op::rint, z.im)}; }

Complex reciprocal(const Parts& p, const Complex& z) {
  const Value one = p.join({p.number(1), p.number(0)});
  return p.split(p.builder().elementwise(Op::true_divide, {one, p.join(z)}));
}

// z / |z|, as NumPy 2; of infinite length the part that is infinite, or else the imaginary one.
Complex sign(const Parts& p, const Complex& z) {
  const Value size = p(Op::hypot, z.re, z.im);
  const Value zero = p.number(0);
  const Value is_zero = p(Op::equal, size, zero);
  const auto quotient = [&](Value part) { return p.select(is_zero, zero, p.over(part, size)); };
  const auto unit = [&](Value part) { return p(Op::copysign, p.number(1), part); };
  const Value is_real = p(Op::isinf, z.re);
  const Complex one = p.select(is_real, {unit(z.re), zero}, {zero, unit(z.im)});
  const Value nan = p.number(std::numeric_limits<double>::quiet_NaN());
  const Complex infinite = p.select(p.both(is_real, p(Op::isinf, z.im)), {nan, nan}, one);
  const Complex finite = {quotient(z.re), quotient(z.im)};
  return p.select(p(Op::isinf, size), infinite, finite);
}

// ---- Infinities and NaN ----
//
// Of these the formulas give NaN for parts that have a value in C99's annex G, which NumPy follows.

class Special {
 public:
  Special(const Parts& parts, const Complex& z)
      : p_(parts),
        z_(z),
        zero(p_.number(0)),
        infinity(p_.number(std::numeric_limits<double>::infinity())),
        nan(p_.number(std::numeric_limits<double>::quiet_NaN())),
        right_angle(p_.number(std::numbers::pi / 2)),
        re_is_zero(p_(Op::equal, z.re, zero)),
        im_is_zero(p_(Op::equal, z.im, zero)),
        re_is_infinite(p_(Op::isinf, z.re)),
        im_is_infinite(p_(Op::isinf, z.im)),
        re_is_nan(p_(Op::isnan, z.re)),
        im_is_nan(p_(Op::isnan, z.im)),
        im_has_no_angle(p_.either(im_is_infinite, im_is_nan)) {}

  // The value where both hold, else what there is.
  Value when(Value a, Value b, Value value, Value otherwise) const {
    return p_.select(p_.both(a, b), value, otherwise);
  }
  Complex when(Value a, Value b, const Complex& value, const Complex& otherwise) const {
    return p_.select(p_.both(a, b), value, otherwise);
  }
  Value signed_as(Value size, Value sign) const { return p_(Op::copysign, size, sign); }

 private:
  Parts p_;
  Complex z_;

 public:
  Value zero, infinity, nan, right_angle;
  Value re_is_zero, im_is_zero, re_is_infinite, im_is_infinite, re_is_nan, im_is_nan;
  Value im_has_no_angle;  // its sine and cosine are NaN
};

Complex special_sinh(const Parts& p, const Complex& z, const Complex& w) {
  const Special s(p, z);
  const Value kept = p.either(s.re_is_zero, s.re_is_infinite);
  return {s.when(kept, s.im_has_no_angle, z.re, w.re), p.select(s.im_is_zero, z.im, w.im)};
}

Complex special_cosh(const Parts& p, const Complex& z, const Complex& w) {
  const Special s(p, z);
  const Value im = s.when(s.re_is_zero, s.im_has_no_angle, s.zero, w.im);
  return {
      s.when(s.re_is_infinite, s.im_has_no_angle, s.infinity, w.re),
      p.select(s.im_is_zero, p.times(z.im, s.signed_as(p.number(1), z.re)), im)};
}

Complex special_tanh(const Parts& p, const Complex& z, const Complex& w) {
  const Special s(p, z);
  const Value im = p.select(s.im_has_no_angle, s.zero, s.signed_as(s.zero, z.im));
  const Complex made = p.select(s.re_is_infinite, {s.signed_as(p.number(1), z.re), im}, w);
  return {
      s.when(s.re_is_zero, s.im_has_no_angle, z.re, made.re),
      s.when(s.re_is_nan, s.im_is_zero, z.im, made.im)};
}

// exp(z) - less
Complex special_exp(const Parts& p, const Complex& z, const Complex& w, double less) {
  const Special s(p, z);
  const Value is_high = p.both(s.re_is_infinite, p(Op::greater, z.re, s.zero));
  const Value is_low = p.both(s.re_is_infinite, p(Op::less, z.re, s.zero));
  const Complex low = {p.number(less == 0 ? 0 : -less), s.zero};
  const Complex far = p.select(is_low, low, {p.select(is_high, s.infinity, s.nan), s.nan});
  const Complex made = p.select(s.im_has_no_angle, far, w);
  return {made.re, p.select(s.im_is_zero, z.im, made.im)};
}
Complex exp(const Parts& p, const Complex& z) { return special_exp(p, z, p.whole(Op::exp, z), 0); }
Complex special_expm1(const Parts& p, const Complex& z, const Complex& w) {
  return special_exp(p, z, w, 1);
}

Complex sqrt(const Parts& p, const Complex& z) {
  const Special s(p, z);
  const Complex root = square_root(p, z.re, z.im);
  const Value is_right = p(Op::greater, z.re, s.zero);
  const Complex far = p.select(is_right, {s.infinity, s.nan}, {s.nan, s.infinity});
  return s.when(s.re_is_infinite, s.im_is_nan, far, root);
}

Complex special_acos(const Parts& p, const Complex& z, const Complex& w) {
  const Special s(p, z);
  Complex made = s.when(s.re_is_zero, s.im_is_nan, {s.right_angle, s.nan}, w);
  made = s.when(s.re_is_infinite, s.im_is_nan, {s.nan, p.negative(s.infinity)}, made);
  return s.when(s.re_is_nan, s.im_is_infinite, {s.nan, p.negative(z.im)}, made);
}

Complex special_acosh(const Parts& p, const Complex& z, const Complex& w) {
  const Special s(p, z);
  const Complex made = s.when(s.re_is_zero, s.im_is_nan, {s.nan, s.right_angle}, w);
  const Value is_far =
      p.either(p.both(s.re_is_infinite, s.im_is_nan), p.both(s.re_is_nan, s.im_is_infinite));
  return p.select(is_far, {s.infinity, s.nan}, made);
}

Complex special_asinh(const Parts& p, const Complex& z, const Complex& w) {
  const Special s(p, z);
  return {w.re, s.when(s.re_is_nan, s.im_is_zero, z.im, w.im)};
}

Complex special_atanh(const Parts& p, const Complex& z, const Complex& w) {
  const Special s(p, z);
  const Value angle = p.select(s.im_is_nan, s.nan, s.signed_as(s.right_angle, z.im));
  const Value is_far = p.either(s.re_is_infinite, s.im_is_infinite);
  const Complex made = p.select(is_far, {s.signed_as(s.zero, z.re), angle}, w);
  return s.when(s.re_is_zero, s.im_is_nan, {z.re, s.nan}, made);
}

template <
    Complex (*function)(const Parts&, const Complex&),
    Complex (*special)(const Parts&, const Complex&, const Complex&)>
Complex whole_plane(const Parts& p, const Complex& z) {
  return special(p, z, function(p, z));
}

struct Row {
  std::string_view name;
  std::string_view alias;
  Complex (*emit)(const Parts&, const Complex&);
};
constexpr std::array table = {
    Row{"exp", "", exp},
    Row{"sqrt", "", sqrt},
    Row{"sinh", "", whole_plane<sinh, special_sinh>},
    Row{"cosh", "", whole_plane<cosh, special_cosh>},
    Row{"tanh", "", whole_plane<tanh, special_tanh>},
    Row{"tan", "", turned<whole_plane<tanh, special_tanh>>},
    Row{"asinh", "arcsinh", whole_plane<asinh, special_asinh>},
    Row{"asin", "arcsin", turned<whole_plane<asinh, special_asinh>>},
    Row{"acos", "arccos", whole_plane<acos, special_acos>},
    Row{"acosh", "arccosh", whole_plane<acosh, special_acosh>},
    Row{"atanh", "arctanh", whole_plane<atanh, special_atanh>},
    Row{"atan", "arctan", turned<whole_plane<atanh, special_atanh>>},
    Row{"log10", "", log10},
    Row{"log2", "", log2},
    Row{"exp2", "", exp2},
    Row{"expm1", "", whole_plane<expm1, special_expm1>},
    Row{"log1p", "", log1p},
    Row{"rint", "", rint},
    Row{"reciprocal", "", reciprocal},
    Row{"sign", "", sign},
};

// ---- Order: by the real part, then by the imaginary one ----

Value ordered(const Parts& p, Op comparison, const Complex& x, const Complex& y) {
  const bool is_less = comparison == Op::less || comparison == Op::less_equal;
  // As NumPy: no number comes before one whose imaginary part is NaN, or after it.
  const Value are_numbers = p.both(p(Op::equal, x.im, x.im), p(Op::equal, y.im, y.im));
  const Value first = p.both(p(is_less ? Op::less : Op::greater, x.re, y.re), are_numbers);
  const Value second = p.both(p(Op::equal, x.re, y.re), p(comparison, x.im, y.im));
  return p.either(first, second);
}

Value has_nan(const Parts& p, const Complex& z) {
  return p.either(p(Op::isnan, z.re), p(Op::isnan, z.im));
}

// The one of the two that the order says; NaN wins in minimum and maximum, loses in fmin and fmax.
Value extreme(const Parts& p, Op op, Value a, Value b) {
  const Complex x = p.split(a);
  const Complex y = p.split(b);
  const bool is_least = op == Op::minimum || op == Op::fmin;
  const Value takes_first = ordered(p, is_least ? Op::less_equal : Op::greater_equal, x, y);
  const Value chosen = p.select(takes_first, a, b);
  if (op == Op::fmin || op == Op::fmax)
    return p.select(has_nan(p, x), b, p.select(has_nan(p, y), a, chosen));
  return p.select(has_nan(p, x), a, p.select(has_nan(p, y), b, chosen));
}

std::optional<Value> of_two(const Parts& p, std::string_view name, Value a, Value b) {
  for (const Op op : {Op::less, Op::less_equal, Op::greater, Op::greater_equal}) {
    if (ir::info(op).name == name)
      return ordered(p, op, p.split(a), p.split(b));
  }
  for (const Op op : {Op::minimum, Op::maximum, Op::fmin, Op::fmax}) {
    if (ir::info(op).name == name)
      return extreme(p, op, a, b);
  }
  return std::nullopt;
}

// True if both parts, or any of them, pass a test.
Value test(const Parts& p, Op op, const Complex& z) {
  const Value re = p(op, z.re);
  const Value im = p(op, z.im);
  return op == Op::isfinite ? p.both(re, im) : p.either(re, im);
}

}  // namespace

std::optional<Value> complex_function(
    ir::Builder& builder, std::string_view name, const Values& operands) {
  const Parts parts(builder, operands[0]->type.dtype());
  if (operands.size() == 2)
    return of_two(parts, name, operands[0], operands[1]);
  for (const Op op : {Op::isnan, Op::isinf, Op::isfinite}) {
    if (ir::info(op).name == name)
      return test(parts, op, parts.split(operands[0]));
  }
  const auto row = std::ranges::find_if(
      table, [&](const Row& each) { return each.name == name || each.alias == name; });
  if (row == table.end())
    return std::nullopt;
  return parts.join(row->emit(parts, parts.split(operands[0])));
}

}  // namespace phalanx::numpy
