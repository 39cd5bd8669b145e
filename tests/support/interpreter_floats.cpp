// The interpreter's floats, on native types and with the C library's functions.
#include <dlfcn.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "interpreter_arithmetic.h"
#include "interpreter_values.h"
#include "phalanx/ir/constants.h"

namespace phalanx::test {

using ir::Op;

namespace {

// As Python's and NumPy's: the sign of the divisor.
template <typename T>
T python_remainder(T a, T b) {
  const T rest = std::fmod(a, b);
  if (rest == 0)
    return std::copysign(T{0}, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

// In the precision of T, as NumPy's divmod.
template <typename T>
T python_floor_divide(T a, T b) {
  if (b == 0)
    return a / b;
  const T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(T{0}, a / b);
  T floored = std::floor(quotient);
  if (quotient - floored > T(0.5))
    floored += 1;
  return floored;
}

template <typename T>
T least(T a, T b, bool is_greatest, bool ignores_nan) {
  if (std::isnan(a) || std::isnan(b)) {
    if (ignores_nan)
      return std::isnan(a) ? b : a;
    return std::numeric_limits<T>::quiet_NaN();
  }
  if (a == b)  // zeros are ordered by their sign
    return std::signbit(a) != is_greatest ? a : b;
  return (a < b) != is_greatest ? a : b;
}

template <typename T>
std::optional<T> exact_result(Op op, T a, T b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::true_divide:
      return a / b;
    case Op::floor_divide:
      return python_floor_divide(a, b);
    case Op::remainder:
      return python_remainder(a, b);
    case Op::negative:
      return -a;
    case Op::minimum:
      return least(a, b, false, false);
    case Op::maximum:
      return least(a, b, true, false);
    case Op::fmin:
      return least(a, b, false, true);
    case Op::fmax:
      return least(a, b, true, true);
    default:
      return std::nullopt;
  }
}

// The C library's name of the function that an operation is: what its row in ops.def calls the
// intrinsic or the function of SLEEF or libdevice. Empty if it is none.
constexpr std::string_view library_name(
    std::string_view llvm, std::string_view nv, std::string_view sleef) {
  constexpr std::string_view intrinsic = "llvm.";
  constexpr std::string_view device = "__nv_";
  if (!llvm.empty())
    return llvm.substr(intrinsic.size());
  return sleef.empty() && !nv.empty() ? nv.substr(device.size()) : sleef;
}

struct LibraryFunction {
  void* twice = nullptr;
  void* single = nullptr;  // where results are exact; others are computed in double
};

LibraryFunction found(std::string_view name, std::string_view ulp) {
  if (name.empty())
    return {};
  const std::string twice(name);
  return {
      dlsym(RTLD_DEFAULT, twice.c_str()),
      ulp.empty() ? dlsym(RTLD_DEFAULT, (twice + "f").c_str()) : nullptr};
}

const LibraryFunction& library_function(Op op) {
  static const std::array functions = {
#define OP(name, arity, rule, kinds, llvm, nv, sleef, ulp, ...) \
  found(library_name(llvm, nv, sleef), ulp),
#include "phalanx/ir/ops.def"
#undef OP
  };
  return functions.at(static_cast<std::size_t>(op));
}

template <typename T>
T call(void* function, int arity, T a, T b, T c) {
  if (arity == 1)
    return reinterpret_cast<T (*)(T)>(function)(a);
  if (arity == 2)
    return reinterpret_cast<T (*)(T, T)>(function)(a, b);
  return reinterpret_cast<T (*)(T, T, T)>(function)(a, b, c);
}

// The devices' results differ in the last digits where SLEEF's and libdevice's do.
double math_result(Op op, DType dtype, double a, double b, double c) {
  if (op == Op::rsqrt)
    return 1 / std::sqrt(a);  // the C library has none
  const LibraryFunction& function = library_function(op);
  const int arity = ir::info(op).arity;
  if (dtype == DType::float32 && function.single != nullptr)
    return double{call(
        function.single,
        arity,
        static_cast<float>(a),
        static_cast<float>(b),
        static_cast<float>(c))};
  if (function.twice == nullptr)
    fail(op, dtype);
  return call(function.twice, arity, a, b, c);
}

std::optional<bool> float_test(Op op, double a, double b) {
  switch (op) {
    case Op::isnan:
      return std::isnan(a);
    case Op::isinf:
      return std::isinf(a);
    case Op::isfinite:
      return std::isfinite(a);
    default:
      return comparison(op, a, b);
  }
}

}  // namespace

double rounded(double value, DType dtype) { return std::get<double>(ir::normalized(value, dtype)); }

// float16 and bfloat16 are computed in double and rounded once.
std::uint64_t floating(Op op, DType dtype, double a, double b, double c) {
  if (const auto test = float_test(op, a, b))
    return *test ? 1 : 0;
  if (dtype == DType::float32) {
    const auto result = exact_result(op, static_cast<float>(a), static_cast<float>(b));
    return as_word(result ? double{*result} : rounded(math_result(op, dtype, a, b, c), dtype));
  }
  const auto result = exact_result(op, a, b);
  return as_word(rounded(result ? *result : math_result(op, dtype, a, b, c), dtype));
}

}  // namespace phalanx::test
