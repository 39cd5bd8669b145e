// The rest of the C library's functions and of CUDA's: no overloads by type but where C++ has them.
// compile.cpp includes it where a source has such a name (rare_headers).
extern "C" {
__device__ double jn(int n, double x);
__device__ float jnf(int n, float x);
__device__ double yn(int n, double x);
__device__ float ynf(int n, float x);
__device__ double cyl_bessel_i0(double x);
__device__ float cyl_bessel_i0f(float x);
__device__ double cyl_bessel_i1(double x);
__device__ float cyl_bessel_i1f(float x);
__device__ long long llrint(double x);
__device__ long long llrintf(float x);
__device__ long long llround(double x);
__device__ long long llroundf(float x);
__device__ double norm3d(double x, double y, double z);
__device__ float norm3df(float x, float y, float z);
__device__ double norm4d(double x, double y, double z, double w);
__device__ float norm4df(float x, float y, float z, float w);
__device__ double rnorm3d(double x, double y, double z);
__device__ float rnorm3df(float x, float y, float z);
__device__ double rnorm4d(double x, double y, double z, double w);
__device__ float rnorm4df(float x, float y, float z, float w);
__device__ double rhypot(double x, double y);
__device__ float rhypotf(float x, float y);
__device__ double remquo(double x, double y, int* quotient);
__device__ float remquof(float x, float y, int* quotient);
__device__ unsigned umin(unsigned x, unsigned y);
__device__ unsigned umax(unsigned x, unsigned y);
__device__ long long llmin(long long x, long long y);
__device__ long long llmax(long long x, long long y);
__device__ unsigned long long ullmin(unsigned long long x, unsigned long long y);
__device__ unsigned long long ullmax(unsigned long long x, unsigned long long y);
}
PHX_DEVICE long lrint(double x) { return llrint(x); }
PHX_DEVICE long lrintf(float x) { return llrintf(x); }
PHX_DEVICE long lround(double x) { return llround(x); }
PHX_DEVICE long lroundf(float x) { return llroundf(x); }
PHX_DEVICE long lrint(float x) { return llrintf(x); }
PHX_DEVICE long lround(float x) { return llroundf(x); }
PHX_DEVICE long long llrint(float x) { return llrintf(x); }
PHX_DEVICE long long llround(float x) { return llroundf(x); }
PHX_DEVICE float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
PHX_DEVICE double scalbln(double x, long n) {
  return scalbn(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}
PHX_DEVICE float scalblnf(float x, long n) {
  return scalbnf(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}
PHX_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }

// The middle of two words, as CUDA's Math API says: shifts go by five bits, those of `c` up to 32.
PHX_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((((unsigned long long)high << 32) | low) << (shift & 31)) >> 32);
}
PHX_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)((((unsigned long long)high << 32) | low) >> (shift & 31));
}
PHX_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
PHX_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Dot products of four bytes, and of two halves with the low or the high two bytes.
PHX_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i);
  return c;
}
PHX_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 255u) * (b >> 8 * i & 255u);
  return c;
}
PHX_DEVICE int __phx_dp2a(int a, int b, int c) {
  return c + (int)(short)a * (int)(signed char)b + (a >> 16) * (int)(signed char)(b >> 8);
}
PHX_DEVICE unsigned __phx_dp2a(unsigned a, unsigned b, unsigned c) {
  return c + (a & 65535u) * (b & 255u) + (a >> 16) * (b >> 8 & 255u);
}
PHX_DEVICE int __dp2a_lo(int a, int b, int c) { return __phx_dp2a(a, b, c); }
PHX_DEVICE int __dp2a_hi(int a, int b, int c) { return __phx_dp2a(a, b >> 16, c); }
PHX_DEVICE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) { return __phx_dp2a(a, b, c); }
PHX_DEVICE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return __phx_dp2a(a, b >> 16, c);
}

// Of the lanes of the mask; each lane looks at all of them, as any of them may be missing.
#define PHX_REDUCE(name, type, joined)                           \
  PHX_DEVICE type __reduce_##name##_sync(unsigned mask, type value) { \
    type all = value;                                            \
    const int own = (int)__phx_lane();                           \
    for (int lane = 0; lane < 32; ++lane) {                      \
      const bool is_other = lane != own && (mask >> lane & 1u) != 0; \
      const type each = __phx_shuffle_index(mask, value, is_other ? lane : own); \
      if (is_other) all = joined;                                \
    }                                                            \
    return all;                                                  \
  }
PHX_REDUCE(add, unsigned, all + each)
PHX_REDUCE(add, int, (int)((unsigned)all + (unsigned)each))
PHX_REDUCE(min, unsigned, min(all, each))
PHX_REDUCE(min, int, min(all, each))
PHX_REDUCE(max, unsigned, max(all, each))
PHX_REDUCE(max, int, max(all, each))
PHX_REDUCE(and, unsigned, all & each)
PHX_REDUCE(or, unsigned, all | each)
PHX_REDUCE(xor, unsigned, all ^ each)
#undef PHX_REDUCE
