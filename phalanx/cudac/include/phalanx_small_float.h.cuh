// half and bfloat16: types, conversions, operators and functions, of one number and of a pair.
// cuda_fp16.h and cuda_bf16.h include it with the names of their types: PHX_NUMBER, PHX_PAIR, the
// PHX_WORD in the names of conversions, and PHX_STORED, which the compiler knows. Each operation
// rounds once.
#define PHX_JOINED(first, word, last) first##word##last
#define PHX_JOIN(first, word, last) PHX_JOINED(first, word, last)
#define PHX_RAW PHX_JOIN(, PHX_NUMBER, _raw)
#define PHX_ROUND(v) PHX_NUMBER((PHX_STORED)(v), 0)

struct PHX_RAW { unsigned short x; };
struct PHX_JOIN(, PHX_PAIR, _raw) { unsigned short x, y; };
struct __align__(2) PHX_NUMBER {
  PHX_STORED __v;
  PHX_NUMBER() = default;
  PHX_MEMBER PHX_NUMBER(PHX_STORED v, int) : __v(v) {}
  PHX_MEMBER PHX_NUMBER(PHX_RAW raw) : __v(__builtin_bit_cast(PHX_STORED, raw.x)) {}
  template <typename T, typename = typename __phx_number<T>::type>
  PHX_MEMBER PHX_NUMBER(T v) : __v((PHX_STORED)v) {}
  PHX_MEMBER operator float() const { return (float)__v; }
  PHX_MEMBER explicit operator double() const { return (double)__v; }
  PHX_MEMBER explicit operator bool() const { return __v != (PHX_STORED)0; }
  PHX_MEMBER explicit operator int() const { return (int)__v; }
  PHX_MEMBER explicit operator unsigned() const { return (unsigned)__v; }
  PHX_MEMBER explicit operator long() const { return (long)__v; }
  PHX_MEMBER explicit operator unsigned long() const { return (unsigned long)__v; }
  PHX_MEMBER explicit operator long long() const { return (long long)__v; }
  PHX_MEMBER explicit operator unsigned long long() const { return (unsigned long long)__v; }
  PHX_MEMBER explicit operator short() const { return (short)__v; }
  PHX_MEMBER explicit operator unsigned short() const { return (unsigned short)__v; }
  PHX_MEMBER explicit operator char() const { return (char)__v; }
};
struct __align__(4) PHX_PAIR {
  PHX_NUMBER x, y;
  PHX_PAIR() = default;
  PHX_MEMBER PHX_PAIR(PHX_NUMBER x, PHX_NUMBER y) : x(x), y(y) {}
};

#define PHX_TO(from, last) PHX_ANYWHERE PHX_NUMBER PHX_JOIN(__##from##2, PHX_WORD, last)
#define PHX_TO_PAIR(from, last) PHX_ANYWHERE PHX_PAIR PHX_JOIN(__##from##2, PHX_WORD, last)
#define PHX_FROM(type, to) PHX_ANYWHERE type PHX_JOIN(__, PHX_WORD, to)
PHX_TO(float, )(float v) { return PHX_ROUND(v); }
PHX_TO(float, _rn)(float v) { return PHX_ROUND(v); }
PHX_TO(double, )(double v) { return PHX_ROUND(v); }

// Towards zero, down and up: the nearest number, or its neighbour on the other side of `v`.
PHX_ANYWHERE PHX_NUMBER __phx_neighbour(PHX_NUMBER near, int step) {
  const unsigned short bits = __builtin_bit_cast(unsigned short, near) + step;
  return PHX_NUMBER(__builtin_bit_cast(PHX_STORED, bits), 0);
}
#define PHX_DIRECTED(from, type)                                               \
  PHX_TO(from, _rz)(type given) {                                              \
    const auto v = __phx_exact(given);                                         \
    const PHX_NUMBER near = PHX_ROUND(v);                                      \
    const float found = near.__v;                                              \
    const bool is_beyond = v < 0 ? found < v : found > v;                      \
    return is_beyond ? __phx_neighbour(near, -1) : near;                       \
  }                                                                            \
  PHX_TO(from, _rd)(type given) {                                              \
    const auto v = __phx_exact(given);                                         \
    const PHX_NUMBER near = PHX_ROUND(v);                                      \
    return (float)near.__v > v ? __phx_neighbour(near, v < 0 ? 1 : -1) : near; \
  }                                                                            \
  PHX_TO(from, _ru)(type given) {                                              \
    const auto v = __phx_exact(given);                                         \
    const PHX_NUMBER near = PHX_ROUND(v);                                      \
    return (float)near.__v < v ? __phx_neighbour(near, v < 0 ? -1 : 1) : near; \
  }
PHX_DIRECTED(float, float)

#define PHX_OF_INTEGER(name, type)                                     \
  PHX_TO(name, _rn)(type v) { return PHX_ROUND(__phx_exact(v)); }      \
  PHX_DIRECTED(name, type)                                             \
  PHX_FROM(type, 2##name##_rz)(PHX_NUMBER v) { return (type)v.__v; }   \
  PHX_DEVICE type PHX_JOIN(__, PHX_WORD, 2##name##_rn)(PHX_NUMBER v) { \
    return (type)rintf((float)v.__v);                                  \
  }                                                                    \
  PHX_DEVICE type PHX_JOIN(__, PHX_WORD, 2##name##_rd)(PHX_NUMBER v) { \
    return (type)floorf((float)v.__v);                                 \
  }                                                                    \
  PHX_DEVICE type PHX_JOIN(__, PHX_WORD, 2##name##_ru)(PHX_NUMBER v) { \
    return (type)ceilf((float)v.__v);                                  \
  }
PHX_OF_INTEGER(int, int)
PHX_OF_INTEGER(uint, unsigned)
PHX_OF_INTEGER(short, short)
PHX_OF_INTEGER(ushort, unsigned short)
PHX_OF_INTEGER(ll, long long)
PHX_OF_INTEGER(ull, unsigned long long)
#undef PHX_DIRECTED
#undef PHX_OF_INTEGER

// Those of bytes saturate; a NaN becomes 0.
PHX_FROM(signed char, 2char_rz)(PHX_NUMBER v) {
  const float f = (float)v.__v;
  return f != f ? 0 : f < -128.0f ? -128 : f > 127.0f ? 127 : (signed char)f;
}
PHX_FROM(unsigned char, 2uchar_rz)(PHX_NUMBER v) {
  const float f = (float)v.__v;
  return !(f > 0.0f) ? 0 : f > 255.0f ? 255 : (unsigned char)f;
}
PHX_FROM(float, 2float)(PHX_NUMBER v) { return (float)v.__v; }
PHX_FROM(unsigned short, _as_ushort)(PHX_NUMBER v) {
  return __builtin_bit_cast(unsigned short, v);
}
PHX_FROM(short, _as_short)(PHX_NUMBER v) { return __builtin_bit_cast(short, v); }
PHX_ANYWHERE PHX_NUMBER PHX_JOIN(__ushort_as_, PHX_WORD, )(unsigned short v) {
  return PHX_NUMBER(__builtin_bit_cast(PHX_STORED, v), 0);
}
PHX_ANYWHERE PHX_NUMBER PHX_JOIN(__short_as_, PHX_WORD, )(short v) {
  return PHX_NUMBER(__builtin_bit_cast(PHX_STORED, v), 0);
}

PHX_TO_PAIR(floats, 2_rn)(float a, float b) { return PHX_PAIR(PHX_ROUND(a), PHX_ROUND(b)); }
PHX_TO_PAIR(float, 2_rn)(float a) { return PHX_PAIR(PHX_ROUND(a), PHX_ROUND(a)); }
PHX_TO_PAIR(float2, 2_rn)(float2 v) { return PHX_PAIR(PHX_ROUND(v.x), PHX_ROUND(v.y)); }
PHX_TO_PAIR(halves, 2)(PHX_NUMBER a, PHX_NUMBER b) { return PHX_PAIR(a, b); }
PHX_TO_PAIR(low, 2)(PHX_PAIR v) { return PHX_PAIR(v.x, v.x); }
PHX_TO_PAIR(high, 2)(PHX_PAIR v) { return PHX_PAIR(v.y, v.y); }
PHX_TO_PAIR(lows, 2)(PHX_PAIR a, PHX_PAIR b) { return PHX_PAIR(a.x, b.x); }
PHX_TO_PAIR(highs, 2)(PHX_PAIR a, PHX_PAIR b) { return PHX_PAIR(a.y, b.y); }
PHX_TO(low, )(PHX_PAIR v) { return v.x; }
PHX_TO(high, )(PHX_PAIR v) { return v.y; }
PHX_FROM(float2, 22float2)(PHX_PAIR v) { return float2{(float)v.x.__v, (float)v.y.__v}; }
// __half2half2
PHX_ANYWHERE PHX_PAIR PHX_JOIN(PHX_JOIN(__, PHX_WORD, 2), PHX_WORD, 2)(PHX_NUMBER a) {
  return PHX_PAIR(a, a);
}
PHX_ANYWHERE PHX_PAIR PHX_JOIN(make_, PHX_WORD, 2)(PHX_NUMBER a, PHX_NUMBER b) {
  return PHX_PAIR(a, b);
}
#undef PHX_TO
#undef PHX_TO_PAIR
#undef PHX_FROM

#define PHX_OPERATOR(op)                                                                      \
  PHX_ANYWHERE PHX_NUMBER operator op(PHX_NUMBER a, PHX_NUMBER b) {                           \
    return PHX_ROUND(a.__v op b.__v);                                                         \
  }                                                                                           \
  PHX_ANYWHERE PHX_NUMBER& operator op##=(PHX_NUMBER& a, PHX_NUMBER b) { return a = a op b; } \
  PHX_ANYWHERE PHX_PAIR operator op(PHX_PAIR a, PHX_PAIR b) {                                 \
    return PHX_PAIR(a.x op b.x, a.y op b.y);                                                  \
  }                                                                                           \
  PHX_ANYWHERE PHX_PAIR& operator op##=(PHX_PAIR& a, PHX_PAIR b) { return a = a op b; }
PHX_OPERATOR(+)
PHX_OPERATOR(-)
PHX_OPERATOR(*)
PHX_OPERATOR(/)
#undef PHX_OPERATOR

// Comparisons with a NaN are false; those that end in u are true.
#define PHX_COMPARISON_OF(name, is_true)                                                          \
  PHX_ANYWHERE bool __h##name(PHX_NUMBER a, PHX_NUMBER b) { return is_true; }                     \
  PHX_ANYWHERE PHX_PAIR __h##name##2(PHX_PAIR a, PHX_PAIR b) {                                    \
    return PHX_PAIR(PHX_ROUND(__h##name(a.x, b.x)), PHX_ROUND(__h##name(a.y, b.y)));              \
  }                                                                                               \
  PHX_ANYWHERE bool __hb##name##2(PHX_PAIR a, PHX_PAIR b) {                                       \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                            \
  }                                                                                               \
  PHX_ANYWHERE unsigned __h##name##2_mask(PHX_PAIR a, PHX_PAIR b) {                               \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);         \
  }
#define PHX_COMPARISON(op, name, opposite)                                            \
  PHX_ANYWHERE bool operator op(PHX_NUMBER a, PHX_NUMBER b) { return a.__v op b.__v; } \
  PHX_ANYWHERE bool operator op(PHX_PAIR a, PHX_PAIR b) {                             \
    return a.x.__v op b.x.__v && a.y.__v op b.y.__v;                                  \
  }                                                                                   \
  PHX_COMPARISON_OF(name, a.__v op b.__v)                                             \
  PHX_COMPARISON_OF(name##u, !(a.__v opposite b.__v))
PHX_COMPARISON(<, lt, >=)
PHX_COMPARISON(<=, le, >)
PHX_COMPARISON(>, gt, <=)
PHX_COMPARISON(>=, ge, <)
PHX_ANYWHERE bool operator==(PHX_NUMBER a, PHX_NUMBER b) { return a.__v == b.__v; }
PHX_ANYWHERE bool operator!=(PHX_NUMBER a, PHX_NUMBER b) { return a.__v != b.__v; }
PHX_ANYWHERE bool operator==(PHX_PAIR a, PHX_PAIR b) { return a.x == b.x && a.y == b.y; }
PHX_ANYWHERE bool operator!=(PHX_PAIR a, PHX_PAIR b) { return !(a == b); }
PHX_COMPARISON_OF(eq, a.__v == b.__v)
PHX_COMPARISON_OF(ne, a.__v < b.__v || a.__v > b.__v)
PHX_COMPARISON_OF(equ, !(a.__v < b.__v || a.__v > b.__v))
PHX_COMPARISON_OF(neu, a.__v != b.__v)
#undef PHX_COMPARISON
#undef PHX_COMPARISON_OF

PHX_ANYWHERE PHX_NUMBER operator-(PHX_NUMBER a) { return PHX_ROUND(-a.__v); }
PHX_ANYWHERE PHX_NUMBER operator+(PHX_NUMBER a) { return a; }
PHX_ANYWHERE PHX_PAIR operator-(PHX_PAIR a) { return PHX_PAIR(-a.x, -a.y); }
PHX_ANYWHERE PHX_PAIR operator+(PHX_PAIR a) { return a; }
PHX_ANYWHERE PHX_NUMBER& operator++(PHX_NUMBER& a) { return a = a + PHX_ROUND(1); }
PHX_ANYWHERE PHX_NUMBER& operator--(PHX_NUMBER& a) { return a = a - PHX_ROUND(1); }
PHX_ANYWHERE PHX_NUMBER operator++(PHX_NUMBER& a, int) {
  const PHX_NUMBER before = a;
  ++a;
  return before;
}
PHX_ANYWHERE PHX_NUMBER operator--(PHX_NUMBER& a, int) {
  const PHX_NUMBER before = a;
  --a;
  return before;
}

#define PHX_BINARY(name, value)                                                           \
  PHX_DEVICE PHX_NUMBER __h##name(PHX_NUMBER a, PHX_NUMBER b) { return value; }           \
  PHX_DEVICE PHX_PAIR __h##name##2(PHX_PAIR a, PHX_PAIR b) {                              \
    return PHX_PAIR(__h##name(a.x, b.x), __h##name(a.y, b.y));                            \
  }
// From 0 to 1; a NaN becomes 0.
PHX_DEVICE PHX_NUMBER __phx_saturated(PHX_NUMBER a) {
  return a.__v > (PHX_STORED)0 ? a.__v < (PHX_STORED)1 ? a : PHX_ROUND(1) : PHX_ROUND(0);
}
#define PHX_ARITHMETIC(name, op)                                                               \
  PHX_BINARY(name, a op b)                                                                     \
  PHX_DEVICE PHX_NUMBER __h##name##_rn(PHX_NUMBER a, PHX_NUMBER b) { return a op b; }          \
  PHX_DEVICE PHX_PAIR __h##name##2_rn(PHX_PAIR a, PHX_PAIR b) { return a op b; }               \
  PHX_DEVICE PHX_NUMBER __h##name##_sat(PHX_NUMBER a, PHX_NUMBER b) {                          \
    return __phx_saturated(a op b);                                                            \
  }                                                                                            \
  PHX_DEVICE PHX_PAIR __h##name##2_sat(PHX_PAIR a, PHX_PAIR b) {                               \
    return PHX_PAIR(__phx_saturated(a.x op b.x), __phx_saturated(a.y op b.y));                 \
  }
PHX_ARITHMETIC(add, +)
PHX_ARITHMETIC(sub, -)
PHX_ARITHMETIC(mul, *)
#undef PHX_ARITHMETIC
PHX_BINARY(max, PHX_ROUND(fmaxf((float)a.__v, (float)b.__v)))
PHX_BINARY(min, PHX_ROUND(fminf((float)a.__v, (float)b.__v)))
#undef PHX_BINARY
#define PHX_EXTREMUM_OF_NAN(name)                                                     \
  PHX_DEVICE PHX_NUMBER __h##name##_nan(PHX_NUMBER a, PHX_NUMBER b) {                 \
    return a.__v != a.__v ? a : b.__v != b.__v ? b : __h##name(a, b);                 \
  }                                                                                   \
  PHX_DEVICE PHX_PAIR __h##name##2_nan(PHX_PAIR a, PHX_PAIR b) {                      \
    return PHX_PAIR(__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y));            \
  }
PHX_EXTREMUM_OF_NAN(max)
PHX_EXTREMUM_OF_NAN(min)
#undef PHX_EXTREMUM_OF_NAN
PHX_ANYWHERE PHX_NUMBER __hdiv(PHX_NUMBER a, PHX_NUMBER b) { return a / b; }
PHX_ANYWHERE PHX_PAIR __h2div(PHX_PAIR a, PHX_PAIR b) { return a / b; }
// Their older names.
PHX_ANYWHERE PHX_NUMBER hdiv(PHX_NUMBER a, PHX_NUMBER b) { return a / b; }
PHX_ANYWHERE PHX_PAIR h2div(PHX_PAIR a, PHX_PAIR b) { return a / b; }
PHX_ANYWHERE PHX_NUMBER __hneg(PHX_NUMBER a) { return -a; }
PHX_ANYWHERE PHX_PAIR __hneg2(PHX_PAIR a) { return -a; }
PHX_DEVICE PHX_NUMBER __habs(PHX_NUMBER a) { return PHX_ROUND(fabsf((float)a.__v)); }
PHX_DEVICE PHX_PAIR __habs2(PHX_PAIR a) { return PHX_PAIR(__habs(a.x), __habs(a.y)); }

PHX_DEVICE PHX_NUMBER __hfma(PHX_NUMBER a, PHX_NUMBER b, PHX_NUMBER c) {
  return PHX_NUMBER(__phx_fma(a.__v, b.__v, c.__v), 0);
}
PHX_DEVICE PHX_NUMBER __hfma_sat(PHX_NUMBER a, PHX_NUMBER b, PHX_NUMBER c) {
  return __phx_saturated(__hfma(a, b, c));
}
PHX_DEVICE PHX_NUMBER __hfma_relu(PHX_NUMBER a, PHX_NUMBER b, PHX_NUMBER c) {
  const PHX_NUMBER result = __hfma(a, b, c);
  return result.__v < (PHX_STORED)0 ? PHX_ROUND(0) : result;
}
#define PHX_PAIRS_OF_FMA(kind)                                                              \
  PHX_DEVICE PHX_PAIR __hfma2##kind(PHX_PAIR a, PHX_PAIR b, PHX_PAIR c) {                   \
    return PHX_PAIR(__hfma##kind(a.x, b.x, c.x), __hfma##kind(a.y, b.y, c.y));              \
  }
PHX_PAIRS_OF_FMA()
PHX_PAIRS_OF_FMA(_sat)
PHX_PAIRS_OF_FMA(_relu)
#undef PHX_PAIRS_OF_FMA
// The numbers are complex: x is the real part.
PHX_DEVICE PHX_PAIR __hcmadd(PHX_PAIR a, PHX_PAIR b, PHX_PAIR c) {
  return PHX_PAIR(
      __hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

PHX_DEVICE bool __hisnan(PHX_NUMBER a) { return a.__v != a.__v; }
PHX_DEVICE PHX_PAIR __hisnan2(PHX_PAIR a) {
  return PHX_PAIR(PHX_ROUND(__hisnan(a.x)), PHX_ROUND(__hisnan(a.y)));
}
PHX_DEVICE int __hisinf(PHX_NUMBER a) {
  return isinf((float)a.__v) ? (a.__v < (PHX_STORED)0 ? -1 : 1) : 0;
}
#define PHX_FUNCTION(name)                                                                  \
  PHX_DEVICE PHX_NUMBER h##name(PHX_NUMBER a) { return PHX_ROUND(name##f((float)a.__v)); }  \
  PHX_DEVICE PHX_PAIR h2##name(PHX_PAIR a) { return PHX_PAIR(h##name(a.x), h##name(a.y)); }
PHX_FUNCTION(exp) PHX_FUNCTION(exp2) PHX_FUNCTION(exp10) PHX_FUNCTION(log) PHX_FUNCTION(log2)
PHX_FUNCTION(log10) PHX_FUNCTION(sin) PHX_FUNCTION(cos) PHX_FUNCTION(sqrt) PHX_FUNCTION(rsqrt)
PHX_FUNCTION(floor) PHX_FUNCTION(ceil) PHX_FUNCTION(trunc) PHX_FUNCTION(rint) PHX_FUNCTION(tanh)
#undef PHX_FUNCTION
PHX_DEVICE PHX_NUMBER htanh_approx(PHX_NUMBER a) { return htanh(a); }
PHX_DEVICE PHX_PAIR h2tanh_approx(PHX_PAIR a) { return h2tanh(a); }
PHX_DEVICE PHX_NUMBER hrcp(PHX_NUMBER a) { return PHX_ROUND(1.0f / (float)a.__v); }
PHX_DEVICE PHX_PAIR h2rcp(PHX_PAIR a) { return PHX_PAIR(hrcp(a.x), hrcp(a.y)); }

PHX_ANYWHERE float __low2float(PHX_PAIR v) { return (float)v.x.__v; }
PHX_ANYWHERE float __high2float(PHX_PAIR v) { return (float)v.y.__v; }
PHX_ANYWHERE PHX_PAIR __lowhigh2highlow(PHX_PAIR v) { return PHX_PAIR(v.y, v.x); }

PHX_DEVICE PHX_NUMBER atomicAdd(PHX_NUMBER* address, PHX_NUMBER value) {
  return PHX_ROUND(__phx_atomic_add(&address->__v, value.__v));
}
// Each number on its own, as CUDA says.
PHX_DEVICE PHX_PAIR atomicAdd(PHX_PAIR* address, PHX_PAIR value) {
  return PHX_PAIR(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
#undef PHX_ROUND
#undef PHX_RAW
#undef PHX_JOIN
#undef PHX_JOINED
