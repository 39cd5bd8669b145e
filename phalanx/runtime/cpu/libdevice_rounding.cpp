// libdevice's arithmetic and conversions with a rounding of their own: rn to nearest, rz to zero,
// rd down, ru up.
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "phalanx/runtime/cpu/libdevice_table.h"

namespace phalanx::runtime::cpu {

namespace {

using i32 = std::int32_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Compilers move arithmetic across changes of the rounding: what passes through volatile stays.
template <int mode, typename Result, typename Function, typename... Operands>
Result rounded(Function function, Operands... operands) {
  const int before = std::fegetround();
  std::fesetround(mode);
  const volatile Result result = [&] {
    return function(static_cast<Operands>(const_cast<const volatile Operands&>(operands))...);
  }();
  std::fesetround(before);
  return result;
}

// Beyond its ends an integer type has its ends, and NaN becomes 0.
template <int mode, typename Integer, typename Float>
Integer to_integer(Float value) {
  if (std::isnan(value))
    return 0;
  const Float whole = rounded<mode, Float>([](Float x) { return std::nearbyint(x); }, value);
  constexpr auto low = std::numeric_limits<Integer>::min();
  constexpr auto high = std::numeric_limits<Integer>::max();
  if (whole <= static_cast<Float>(low))
    return low;
  // The type's end may not be a float: its float is then the next power of two.
  if (whole >= static_cast<Float>(high))
    return high;
  return static_cast<Integer>(whole);
}

template <typename T>
T divide(T a, T b) {
  return a / b;
}

#define ROW(name, ...) \
  LibdeviceFunction { #name, address_of(__VA_ARGS__) }
#define BINARY(name, suffix, mode, T, op) \
  ROW(name##_##suffix,                    \
      [](T a, T b) { return rounded<mode, T>([](T x, T y) { return x op y; }, a, b); })
#define ARITHMETIC(letter, fma, suffix, mode, T)                                           \
  BINARY(letter##add, suffix, mode, T, +), BINARY(letter##sub, suffix, mode, T, -),        \
      BINARY(letter##mul, suffix, mode, T, *), BINARY(letter##div, suffix, mode, T, /),    \
      ROW(letter##rcp_##suffix,                                                            \
          [](T a) { return rounded<mode, T>([](T x) { return divide(T{1}, x); }, a); }),   \
      ROW(letter##sqrt_##suffix,                                                           \
          [](T a) { return rounded<mode, T>([](T x) { return std::sqrt(x); }, a); }),      \
      ROW(fma##_##suffix, [](T a, T b, T c) {                                              \
        return rounded<mode, T>([](T x, T y, T z) { return std::fma(x, y, z); }, a, b, c); \
      })
#define CONVERT(name, mode, To, From, Meant)                                                     \
  ROW(name, [](From a) {                                                                         \
    return rounded<mode, To>([](Meant x) { return static_cast<To>(x); }, static_cast<Meant>(a)); \
  })
#define CONVERSIONS(suffix, mode)                                                      \
  ARITHMETIC(f, fmaf, suffix, mode, float), ARITHMETIC(d, fma, suffix, mode, double),  \
      ROW(fmaf_ieee_##suffix,                                                          \
          [](float a, float b, float c) {                                              \
            return rounded<mode, float>(                                               \
                [](float x, float y, float z) { return std::fma(x, y, z); }, a, b, c); \
          }),                                                                          \
      CONVERT(double2float_##suffix, mode, float, double, double),                     \
      CONVERT(int2float_##suffix, mode, float, i32, i32),                              \
      CONVERT(uint2float_##suffix, mode, float, i32, u32),                             \
      CONVERT(ll2float_##suffix, mode, float, i64, i64),                               \
      CONVERT(ull2float_##suffix, mode, float, i64, u64),                              \
      CONVERT(ll2double_##suffix, mode, double, i64, i64),                             \
      CONVERT(ull2double_##suffix, mode, double, i64, u64),                            \
      ROW(float2int_##suffix, [](float x) { return to_integer<mode, i32>(x); }),       \
      ROW(float2uint_##suffix, [](float x) { return to_integer<mode, u32>(x); }),      \
      ROW(float2ll_##suffix, [](float x) { return to_integer<mode, i64>(x); }),        \
      ROW(float2ull_##suffix, [](float x) { return to_integer<mode, u64>(x); }),       \
      ROW(double2int_##suffix, [](double x) { return to_integer<mode, i32>(x); }),     \
      ROW(double2uint_##suffix, [](double x) { return to_integer<mode, u32>(x); }),    \
      ROW(double2ll_##suffix, [](double x) { return to_integer<mode, i64>(x); }),      \
      ROW(double2ull_##suffix, [](double x) { return to_integer<mode, u64>(x); })

const auto& table() {
  static const std::array rows = {
      CONVERSIONS(rn, FE_TONEAREST),
      CONVERSIONS(rz, FE_TOWARDZERO),
      CONVERSIONS(rd, FE_DOWNWARD),
      CONVERSIONS(ru, FE_UPWARD),
      ROW(int2double_rn, [](i32 x) { return static_cast<double>(x); }),
      ROW(uint2double_rn, [](i32 x) { return static_cast<double>(static_cast<u32>(x)); }),
  };
  return rows;
}

#undef ROW
#undef BINARY
#undef ARITHMETIC
#undef CONVERT
#undef CONVERSIONS

}  // namespace

std::span<const LibdeviceFunction> libdevice_rounding() { return table(); }

}  // namespace phalanx::runtime::cpu
