// The extremes of numbers by their types.
#pragma once
#include "float.h"
#include "limits.h"
namespace std {
template <typename T> struct numeric_limits { static constexpr bool is_specialized = false; };
#define PHX_LIMITS(type, least, most)                                              \
  template <> struct numeric_limits<type> {                                        \
    static constexpr bool is_specialized = true, is_integer = true;                \
    static constexpr bool is_signed = (type)-1 < (type)0, has_infinity = false;    \
    static constexpr __host__ __device__ type min() { return least; }              \
    static constexpr __host__ __device__ type max() { return most; }               \
    static constexpr __host__ __device__ type lowest() { return least; }           \
  };
PHX_LIMITS(bool, false, true)
PHX_LIMITS(char, CHAR_MIN, CHAR_MAX)
PHX_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX)
PHX_LIMITS(unsigned char, 0, UCHAR_MAX)
PHX_LIMITS(short, SHRT_MIN, SHRT_MAX)
PHX_LIMITS(unsigned short, 0, USHRT_MAX)
PHX_LIMITS(int, INT_MIN, INT_MAX)
PHX_LIMITS(unsigned, 0, UINT_MAX)
PHX_LIMITS(long, LONG_MIN, LONG_MAX)
PHX_LIMITS(unsigned long, 0, ULONG_MAX)
PHX_LIMITS(long long, LLONG_MIN, LLONG_MAX)
PHX_LIMITS(unsigned long long, 0, ULLONG_MAX)
#undef PHX_LIMITS
#define PHX_LIMITS(type, prefix, huge, nan)                                        \
  template <> struct numeric_limits<type> {                                        \
    static constexpr bool is_specialized = true, is_integer = false;               \
    static constexpr bool is_signed = true, has_infinity = true;                   \
    static constexpr int digits = prefix##_MANT_DIG, digits10 = prefix##_DIG;      \
    static constexpr __host__ __device__ type min() { return prefix##_MIN; }       \
    static constexpr __host__ __device__ type max() { return prefix##_MAX; }       \
    static constexpr __host__ __device__ type lowest() { return -prefix##_MAX; }   \
    static constexpr __host__ __device__ type epsilon() { return prefix##_EPSILON; } \
    static constexpr __host__ __device__ type infinity() { return huge; }          \
    static constexpr __host__ __device__ type quiet_NaN() { return nan; }          \
  };
PHX_LIMITS(float, FLT, __builtin_huge_valf(), __builtin_nanf(""))
PHX_LIMITS(double, DBL, __builtin_huge_val(), __builtin_nan(""))
#undef PHX_LIMITS
}  // namespace std
