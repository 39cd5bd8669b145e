// Half precision, which is computed as LLVM computes it: each operation rounds once.
#pragma once
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
struct __align__(2) __half {
  _Float16 __v;
  __half() = default;
  PHX_MEMBER __half(_Float16 v, int) : __v(v) {}
  PHX_MEMBER __half(__half_raw raw) : __v(__builtin_bit_cast(_Float16, raw.x)) {}
  template <typename T, typename = typename __phx_number<T>::type>
  PHX_MEMBER __half(T v) : __v((_Float16)v) {}
  PHX_MEMBER operator float() const { return (float)__v; }
  PHX_MEMBER explicit operator double() const { return (double)__v; }
  PHX_MEMBER explicit operator bool() const { return __v != (_Float16)0; }
  PHX_MEMBER explicit operator int() const { return (int)__v; }
  PHX_MEMBER explicit operator unsigned() const { return (unsigned)__v; }
  PHX_MEMBER explicit operator long long() const { return (long long)__v; }
  PHX_MEMBER explicit operator short() const { return (short)__v; }
  PHX_MEMBER explicit operator char() const { return (char)__v; }
};
typedef __half half;
struct __align__(4) __half2 {
  half x, y;
  __half2() = default;
  PHX_MEMBER __half2(half x, half y) : x(x), y(y) {}
};
typedef __half2 half2;
#define PHX_HALF(v) __half((_Float16)(v), 0)
#define PHX_OPERATOR(op)                                                                        \
  PHX_ANYWHERE half operator op(half a, half b) { return PHX_HALF(a.__v op b.__v); }            \
  PHX_ANYWHERE half& operator op##=(half& a, half b) { a = PHX_HALF(a.__v op b.__v); return a; } \
  PHX_ANYWHERE half2 operator op(half2 a, half2 b) { return half2(a.x op b.x, a.y op b.y); }    \
  PHX_ANYWHERE half2& operator op##=(half2& a, half2 b) { a = a op b; return a; }
PHX_OPERATOR(+)
PHX_OPERATOR(-)
PHX_OPERATOR(*)
PHX_OPERATOR(/)
#undef PHX_OPERATOR
#define PHX_COMPARISON(op, name)                                                              \
  PHX_ANYWHERE bool operator op(half a, half b) { return a.__v op b.__v; }                    \
  PHX_ANYWHERE bool __h##name(half a, half b) { return a.__v op b.__v; }                      \
  PHX_ANYWHERE half2 __h##name##2(half2 a, half2 b) {                                         \
    return half2(half(a.x.__v op b.x.__v), half(a.y.__v op b.y.__v));                         \
  }
PHX_COMPARISON(<, lt)
PHX_COMPARISON(<=, le)
PHX_COMPARISON(>, gt)
PHX_COMPARISON(>=, ge)
PHX_COMPARISON(==, eq)
PHX_COMPARISON(!=, ne)
#undef PHX_COMPARISON
PHX_ANYWHERE half operator-(half a) { return PHX_HALF(-a.__v); }
PHX_ANYWHERE half operator+(half a) { return a; }
PHX_ANYWHERE half2 operator-(half2 a) { return half2(-a.x, -a.y); }
PHX_ANYWHERE half& operator++(half& a) { a = a + PHX_HALF(1); return a; }
PHX_ANYWHERE half& operator--(half& a) { a = a - PHX_HALF(1); return a; }

PHX_ANYWHERE half __float2half(float v) { return PHX_HALF(v); }
PHX_ANYWHERE half __float2half_rn(float v) { return PHX_HALF(v); }
PHX_ANYWHERE half __double2half(double v) { return PHX_HALF(v); }
PHX_ANYWHERE half __int2half_rn(int v) { return PHX_HALF(v); }
PHX_ANYWHERE half __uint2half_rn(unsigned v) { return PHX_HALF(v); }
PHX_ANYWHERE half __short2half_rn(short v) { return PHX_HALF(v); }
PHX_ANYWHERE float __half2float(half v) { return (float)v.__v; }
PHX_ANYWHERE int __half2int_rz(half v) { return (int)v.__v; }
PHX_ANYWHERE unsigned short __half_as_ushort(half v) { return __builtin_bit_cast(unsigned short, v); }
PHX_ANYWHERE short __half_as_short(half v) { return __builtin_bit_cast(short, v); }
PHX_ANYWHERE half __ushort_as_half(unsigned short v) { return PHX_HALF(__builtin_bit_cast(_Float16, v)); }
PHX_ANYWHERE half __short_as_half(short v) { return PHX_HALF(__builtin_bit_cast(_Float16, v)); }
PHX_ANYWHERE half2 __floats2half2_rn(float a, float b) { return half2(PHX_HALF(a), PHX_HALF(b)); }
PHX_ANYWHERE half2 __float2half2_rn(float a) { return half2(PHX_HALF(a), PHX_HALF(a)); }
PHX_ANYWHERE half2 __half2half2(half a) { return half2(a, a); }
PHX_ANYWHERE half2 __halves2half2(half a, half b) { return half2(a, b); }
PHX_ANYWHERE half2 make_half2(half a, half b) { return half2(a, b); }
PHX_ANYWHERE half __low2half(half2 v) { return v.x; }
PHX_ANYWHERE half __high2half(half2 v) { return v.y; }
PHX_ANYWHERE float __low2float(half2 v) { return (float)v.x.__v; }
PHX_ANYWHERE float __high2float(half2 v) { return (float)v.y.__v; }
PHX_ANYWHERE float2 __half22float2(half2 v) { return float2{(float)v.x.__v, (float)v.y.__v}; }
PHX_ANYWHERE half2 __float22half2_rn(float2 v) { return half2(PHX_HALF(v.x), PHX_HALF(v.y)); }

#define PHX_BINARY(name, op)                                              \
  PHX_ANYWHERE half __h##name(half a, half b) { return a op b; }          \
  PHX_ANYWHERE half __h##name##_rn(half a, half b) { return a op b; }     \
  PHX_ANYWHERE half2 __h##name##2(half2 a, half2 b) { return a op b; }
PHX_BINARY(add, +)
PHX_BINARY(sub, -)
PHX_BINARY(mul, *)
#undef PHX_BINARY
PHX_ANYWHERE half __hdiv(half a, half b) { return a / b; }
PHX_ANYWHERE half2 __h2div(half2 a, half2 b) { return a / b; }
PHX_ANYWHERE half __hneg(half a) { return -a; }
PHX_ANYWHERE half2 __hneg2(half2 a) { return -a; }
PHX_DEVICE half __habs(half a) { return PHX_HALF(fabsf((float)a.__v)); }
PHX_DEVICE half __hfma(half a, half b, half c) { return PHX_HALF(fmaf((float)a.__v, (float)b.__v, (float)c.__v)); }
PHX_DEVICE half2 __hfma2(half2 a, half2 b, half2 c) { return half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
PHX_DEVICE bool __hisnan(half a) { return isnan((float)a.__v); }
PHX_DEVICE int __hisinf(half a) { return isinf((float)a.__v) ? (a.__v < (_Float16)0 ? -1 : 1) : 0; }
PHX_DEVICE half __hmax(half a, half b) { return PHX_HALF(fmaxf((float)a.__v, (float)b.__v)); }
PHX_DEVICE half __hmin(half a, half b) { return PHX_HALF(fminf((float)a.__v, (float)b.__v)); }
#define PHX_FUNCTION(name) \
  PHX_DEVICE half h##name(half a) { return PHX_HALF(name##f((float)a.__v)); } \
  PHX_DEVICE half2 h2##name(half2 a) { return half2(h##name(a.x), h##name(a.y)); }
PHX_FUNCTION(exp) PHX_FUNCTION(exp2) PHX_FUNCTION(exp10) PHX_FUNCTION(log) PHX_FUNCTION(log2)
PHX_FUNCTION(log10) PHX_FUNCTION(sin) PHX_FUNCTION(cos) PHX_FUNCTION(sqrt) PHX_FUNCTION(rsqrt)
PHX_FUNCTION(floor) PHX_FUNCTION(ceil) PHX_FUNCTION(trunc) PHX_FUNCTION(rint)
#undef PHX_FUNCTION
PHX_DEVICE half hrcp(half a) { return PHX_HALF(1.0f / (float)a.__v); }
PHX_DEVICE half atomicAdd(half* address, half value) {
  return PHX_HALF(__phx_atomic_add(&address->__v, value.__v));
}
// Each half on its own, as CUDA says.
PHX_DEVICE half2 atomicAdd(half2* address, half2 value) {
  return half2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
