// Complex arithmetic and functions on pairs, straight-line, with C99's care for overflow.
#include <cmath>
#include <limits>
#include <numbers>

#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen {
namespace {

using ir::Op;

struct Pair {
  llvm::Value* real;
  llvm::Value* imaginary;
};

// exp(x) as exp(x - k ln 2) 2**k, where exp(x) may be beyond the format and its product with a sine
// or cosine is not. k is one for which k ln 2 lies very close to a number of the format: FreeBSD's
// msun/src/k_exp.c and k_expf.c, which compute ccosh and its relatives so.
struct FarExp {
  double limit;  // from here on
  double k_ln2;
  int k;
};
constexpr FarExp far_single = {.limit = 85, .k_ln2 = 162.88958740, .k = 235};
constexpr FarExp far_double = {.limit = 700, .k_ln2 = 1246.97177782734161156, .k = 1799};

// One complex operation on parts of type `part`: keeps the formulas below readable.
class Complex {
 public:
  Complex(OpEmitter& emitter, DType part) : emitter_(emitter), part_(part) {}

  Pair add(Pair x, Pair y) const {
    return {(*this)(Op::add, x.real, y.real), (*this)(Op::add, x.imaginary, y.imaginary)};
  }
  Pair subtract(Pair x, Pair y) const {
    return {(*this)(Op::subtract, x.real, y.real), (*this)(Op::subtract, x.imaginary, y.imaginary)};
  }
  Pair multiply(Pair x, Pair y) const;
  Pair divide(Pair x, Pair y) const;
  Pair power(Pair base, Pair exponent) const;
  Pair sqrt(Pair z) const;
  Pair exp(Pair z) const;
  Pair log(Pair z) const;
  Pair sin(Pair z) const;
  Pair cos(Pair z) const;

  template <typename... V>
  llvm::Value* operator()(Op op, V*... operands) const {
    return emit(emitter_, op, part_, {operands...});
  }

 private:
  llvm::Value* number(const Pair& like, double value) const {
    return number_like(like.real, value);
  }
  llvm::Value* choose(llvm::Value* condition, llvm::Value* yes, llvm::Value* no) const {
    return emitter_.builder.CreateSelect(condition, yes, no);
  }
  Pair choose(llvm::Value* condition, Pair yes, Pair no) const {
    return {choose(condition, yes.real, no.real), choose(condition, yes.imaginary, no.imaginary)};
  }
  llvm::Value* is_zero(Pair z) const {
    llvm::Value* zero = number(z, 0.0);
    return emitter_.builder.CreateAnd(
        (*this)(Op::equal, z.real, zero), (*this)(Op::equal, z.imaginary, zero));
  }

  const FarExp& far_exp() const { return part_ == DType::float32 ? far_single : far_double; }
  llvm::Value* times_power(llvm::Value* value, int power) const;
  Pair hyperbolic(llvm::Value* x, Pair factors) const;

  OpEmitter& emitter_;
  DType part_;
};

// value * 2**power, in two factors: one may be beyond the format.
llvm::Value* Complex::times_power(llvm::Value* value, int power) const {
  const Complex& f = *this;
  const int half = power / 2;
  llvm::Value* first = f(Op::multiply, value, number_like(value, std::ldexp(1.0, half)));
  return f(Op::multiply, first, number_like(value, std::ldexp(1.0, power - half)));
}

// {factors.real * cosh(x), factors.imaginary * sinh(x)}, where the factors are at most 1.
Pair Complex::hyperbolic(llvm::Value* x, Pair factors) const {
  const Complex& f = *this;
  llvm::Value* size = f(Op::absolute, x);
  llvm::Value* is_far = f(Op::greater, size, number_like(x, far_exp().limit));
  llvm::Value* grown = f(Op::exp, f(Op::subtract, size, number_like(x, far_exp().k_ln2)));
  const Pair far = {
      f(Op::multiply, factors.real, grown),
      f(Op::multiply, factors.imaginary, f(Op::copysign, grown, x))};
  const Pair near = {
      f(Op::multiply, factors.real, f(Op::cosh, x)),
      f(Op::multiply, factors.imaginary, f(Op::sinh, x))};
  const int power = far_exp().k - 1;  // cosh and sinh are half of exp there
  return choose(
      is_far, Pair{times_power(far.real, power), times_power(far.imaginary, power)}, near);
}

Pair Complex::multiply(Pair x, Pair y) const {
  const Complex& f = *this;
  return {
      f(Op::subtract, f(Op::multiply, x.real, y.real), f(Op::multiply, x.imaginary, y.imaginary)),
      f(Op::add, f(Op::multiply, x.real, y.imaginary), f(Op::multiply, x.imaginary, y.real))};
}

// Smith's method, as NumPy does: divides by the greater part first.
Pair Complex::divide(Pair x, Pair y) const {
  const Complex& f = *this;
  llvm::Value* real_size = f(Op::absolute, y.real);
  llvm::Value* imaginary_size = f(Op::absolute, y.imaginary);
  llvm::Value* by_real = f(Op::greater_equal, real_size, imaginary_size);
  llvm::Value* greater = choose(by_real, y.real, y.imaginary);
  llvm::Value* lesser = choose(by_real, y.imaginary, y.real);
  llvm::Value* first = choose(by_real, x.real, x.imaginary);
  llvm::Value* second = choose(by_real, x.imaginary, x.real);
  llvm::Value* ratio = f(Op::true_divide, lesser, greater);
  llvm::Value* divisor = f(Op::add, greater, f(Op::multiply, lesser, ratio));
  llvm::Value* scale = f(Op::true_divide, number(x, 1.0), divisor);
  llvm::Value* real = f(Op::multiply, f(Op::add, first, f(Op::multiply, second, ratio)), scale);
  llvm::Value* turned =
      f(Op::multiply, f(Op::subtract, second, f(Op::multiply, first, ratio)), scale);
  const Pair quotient = {real, choose(by_real, turned, f(Op::negative, turned))};
  const Pair by_zero = {
      f(Op::true_divide, x.real, real_size), f(Op::true_divide, x.imaginary, real_size)};
  return choose(is_zero(y), by_zero, quotient);
}

Pair Complex::exp(Pair z) const {
  const Complex& f = *this;
  llvm::Value* zero = number(z, 0.0);
  llvm::Value* is_far = f(Op::greater, z.real, number(z, far_exp().limit));
  llvm::Value* reduced = f(Op::subtract, z.real, number(z, far_exp().k_ln2));
  llvm::Value* size = f(Op::exp, choose(is_far, reduced, z.real));
  const auto whole = [&](llvm::Value* value) {
    return choose(is_far, times_power(value, far_exp().k), value);
  };
  llvm::Value* is_real = f(Op::equal, z.imaginary, zero);
  // 0 * inf would be NaN: a real argument keeps its zero, exp(-inf) is 0 in every direction.
  llvm::Value* vanishes = f(Op::equal, size, zero);
  llvm::Value* real = whole(f(Op::multiply, size, f(Op::cos, z.imaginary)));
  llvm::Value* imaginary = whole(f(Op::multiply, size, f(Op::sin, z.imaginary)));
  real = choose(is_real, whole(size), choose(vanishes, zero, real));
  imaginary = choose(is_real, z.imaginary, choose(vanishes, zero, imaginary));
  return {real, imaginary};
}

Pair Complex::log(Pair z) const {
  const Complex& f = *this;
  llvm::Value* angle = f(Op::arctan2, z.imaginary, z.real);
  // The size may be beyond the format, and a subnormal one has lost digits.
  const int digits = part_ == DType::float32 ? 24 : 53;
  const double least = part_ == DType::float32 ? 0x1p-100 : 0x1p-960;
  const double most = part_ == DType::float32 ? 0x1p126 : 0x1p1022;
  llvm::Value* greatest = f(Op::maximum, f(Op::absolute, z.real), f(Op::absolute, z.imaginary));
  llvm::Value* is_small = f(Op::less, greatest, number(z, least));
  llvm::Value* is_large = f(Op::greater, greatest, number(z, most));
  const auto by_size = [&](double small, double large, double other) {
    return choose(is_small, number(z, small), choose(is_large, number(z, large), number(z, other)));
  };
  llvm::Value* scale = by_size(std::ldexp(1.0, 2 * digits), 0.5, 1.0);
  llvm::Value* size =
      f(Op::hypot, f(Op::multiply, z.real, scale), f(Op::multiply, z.imaginary, scale));
  llvm::Value* moved = by_size(-2 * digits * std::numbers::ln2, std::numbers::ln2, 0.0);
  // Near the unit circle log(size) loses digits: size**2 - 1 = (a - 1) * (a + 1) + b**2 does not.
  llvm::Value* x = f(Op::absolute, z.real);
  llvm::Value* y = f(Op::absolute, z.imaginary);
  llvm::Value* a = f(Op::maximum, x, y);
  llvm::Value* b = f(Op::minimum, x, y);
  llvm::Value* one = number(z, 1.0);
  llvm::Value* excess = f(
      Op::add, f(Op::multiply, f(Op::subtract, a, one), f(Op::add, a, one)), f(Op::multiply, b, b));
  llvm::Value* near = f(Op::multiply, number(z, 0.5), f(Op::log1p, excess));
  llvm::Value* is_near = emitter_.builder.CreateAnd(
      f(Op::greater, size, number(z, 0.7)), f(Op::less, size, number(z, 1.8)));
  return {choose(is_near, near, f(Op::add, f(Op::log, size), moved)), angle};
}

// Scaled by a power of two, so that the size neither overflows nor is subnormal.
Pair Complex::sqrt(Pair z) const {
  const Complex& f = *this;
  llvm::Value* zero = number(z, 0.0);
  const int digits = part_ == DType::float32 ? 24 : 53;
  const double least = part_ == DType::float32 ? 0x1p-100 : 0x1p-960;
  llvm::Value* greatest = f(Op::maximum, f(Op::absolute, z.real), f(Op::absolute, z.imaginary));
  llvm::Value* is_small = f(Op::less, greatest, number(z, least));
  llvm::Value* scale =
      choose(is_small, number(z, std::ldexp(1.0, 2 * digits + 1)), number(z, 0.125));
  llvm::Value* back = choose(is_small, number(z, std::ldexp(1.0, -digits - 1)), number(z, 2.0));
  llvm::Value* x = f(Op::multiply, f(Op::absolute, z.real), scale);
  llvm::Value* y = f(Op::multiply, f(Op::absolute, z.imaginary), scale);
  llvm::Value* sum = f(Op::add, x, f(Op::hypot, x, y));
  llvm::Value* major = f(Op::multiply, back, f(Op::sqrt, sum));
  llvm::Value* minor =
      f(Op::true_divide, f(Op::absolute, z.imaginary), f(Op::multiply, number(z, 2.0), major));
  llvm::Value* infinity = llvm::ConstantFP::getInfinity(z.real->getType());
  llvm::Value* goes_up = f(Op::equal, y, infinity);
  minor = choose(f(Op::equal, major, zero), zero, minor);
  minor = choose(f(Op::equal, x, infinity), zero, minor);
  llvm::Value* is_right = f(Op::greater_equal, z.real, zero);
  const Pair root = choose(is_right, Pair{major, minor}, Pair{minor, major});
  return {
      choose(goes_up, infinity, root.real),
      f(Op::copysign, choose(goes_up, infinity, root.imaginary), z.imaginary)};
}

Pair Complex::sin(Pair z) const {
  const Complex& f = *this;
  return hyperbolic(z.imaginary, {f(Op::sin, z.real), f(Op::cos, z.real)});
}

Pair Complex::cos(Pair z) const {
  const Complex& f = *this;
  const Pair both = hyperbolic(z.imaginary, {f(Op::cos, z.real), f(Op::sin, z.real)});
  return {both.real, f(Op::negative, both.imaginary)};
}

// exp(exponent * log(base)); squares are multiplied, as both Python and NumPy do. A power of zero
// is zero where the real part of the exponent is positive, and no number where it is not, as
// NumPy's.
Pair Complex::power(Pair base, Pair exponent) const {
  const Complex& f = *this;
  llvm::Value* zero = number(base, 0.0);
  llvm::Value* one = number(base, 1.0);
  const Pair square = multiply(base, base);
  const Pair general = exp(multiply(exponent, log(base)));
  llvm::Value* is_square = emitter_.builder.CreateAnd(
      f(Op::equal, exponent.real, number(base, 2.0)), f(Op::equal, exponent.imaginary, zero));
  Pair result = choose(is_square, square, general);
  llvm::Value* nan = number(base, std::numeric_limits<double>::quiet_NaN());
  const Pair of_zero =
      choose(f(Op::greater, exponent.real, zero), Pair{zero, zero}, Pair{nan, nan});
  result = choose(is_zero(base), of_zero, result);
  return choose(is_zero(exponent), Pair{one, zero}, result);
}

}  // namespace

llvm::Value* emit_complex(OpEmitter& emitter, Op op, DType dtype, Operands operands) {
  const Complex f(emitter, real_part_of(dtype));
  Pair x{real_of(emitter, operands[0]), imaginary_of(emitter, operands[0])};
  Pair y{};
  if (operands.size() > 1)
    y = {real_of(emitter, operands[1]), imaginary_of(emitter, operands[1])};
  const auto done = [&](Pair z) { return make_complex(emitter, z.real, z.imaginary); };
  switch (op) {
    case Op::add:
      return done(f.add(x, y));
    case Op::subtract:
      return done(f.subtract(x, y));
    case Op::multiply:
      return done(f.multiply(x, y));
    case Op::true_divide:
      return done(f.divide(x, y));
    case Op::power:
      return done(f.power(x, y));
    case Op::negative:
      return done({f(Op::negative, x.real), f(Op::negative, x.imaginary)});
    case Op::sqrt:
      return done(f.sqrt(x));
    case Op::exp:
      return done(f.exp(x));
    case Op::log:
      return done(f.log(x));
    case Op::sin:
      return done(f.sin(x));
    case Op::cos:
      return done(f.cos(x));
    default:
      throw CompileError(
          CompileError::Kind::lowering,
          "the operation " + std::string(ir::name_of(op)) + " has no form for complex numbers");
  }
}

}  // namespace phalanx::codegen
