// Random numbers of cuRAND's device interface: XORWOW (Marsaglia, Xorshift RNGs, 2003), MRG32k3a and
// Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011), with cuRAND's
// seeding, subsequences and distributions, so that the numbers are cuRAND's.
#pragma once
#include "phalanx_mrg32k3a.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// The state after 2^k numbers, and after 2^(67 + k), as linear maps of its 160 bits: random_jumps.h.
extern const __device__ unsigned __phx_xorwow_steps[64][160][5];
extern const __device__ unsigned __phx_xorwow_sequences[64][160][5];

PHX_DEVICE void __phx_xorwow_apply(const unsigned (*map)[5], unsigned* v) {
  unsigned made[5] = {0, 0, 0, 0, 0};
  for (int i = 0; i < 5; ++i) {
    for (int bit = 0; bit < 32; ++bit) {
      const unsigned mask = 0u - ((v[i] >> bit) & 1u);
      for (int j = 0; j < 5; ++j) made[j] ^= map[32 * i + bit][j] & mask;
    }
  }
  for (int j = 0; j < 5; ++j) v[j] = made[j];
}
PHX_DEVICE void skipahead(unsigned long long n, curandStateXORWOW* state) {
  for (int k = 0; k < 64; ++k) {
    if ((n >> k) & 1) __phx_xorwow_apply(__phx_xorwow_steps[k], state->v);
  }
  state->d += 362437u * (unsigned)n;
}
PHX_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  for (int k = 0; k < 64; ++k) {
    if ((n >> k) & 1) __phx_xorwow_apply(__phx_xorwow_sequences[k], state->v);
  }
}
PHX_DEVICE void curand_init(
    unsigned long long seed, unsigned long long sequence, unsigned long long offset,
    curandStateXORWOW* state) {
  const unsigned s0 = (unsigned)seed ^ 0xaad26b49u;
  const unsigned s1 = (unsigned)(seed >> 32) ^ 0xf7dcefddu;
  const unsigned t0 = 1099087573u * s0;
  const unsigned t1 = 2591861531u * s1;
  state->d = 6615241u + t1 + t0;
  state->v[0] = 123456789u + t0;
  state->v[1] = 362436069u ^ t0;
  state->v[2] = 521288629u + t1;
  state->v[3] = 88675123u ^ t1;
  state->v[4] = 5783321u + t0;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
PHX_DEVICE unsigned curand(curandStateXORWOW* state) {
  const unsigned t = state->v[0] ^ (state->v[0] >> 2);
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437u;
  return state->v[4] + state->d;
}

PHX_DEVICE uint4 __phx_philox(uint4 counter, uint2 key) {
  for (int i = 0; i < 10; ++i) {
    const unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = uint4{high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}
PHX_DEVICE void __phx_philox_step(curandStatePhilox4_32_10* state, unsigned long long n) {
  const unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
  state->ctr.x += low;
  unsigned more = high + (state->ctr.x < low);
  state->ctr.y += more;
  if ((more < high || state->ctr.y < more) && ++state->ctr.z == 0) ++state->ctr.w;
}
PHX_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  state->STATE += (unsigned)(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    n += 1;
    state->STATE -= 4;
  }
  __phx_philox_step(state, n);
  state->output = __phx_philox(state->ctr, state->key);
}
PHX_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned low = (unsigned)n;
  state->ctr.z += low;
  state->ctr.w += (unsigned)(n >> 32) + (state->ctr.z < low);
  state->output = __phx_philox(state->ctr, state->key);
}
PHX_DEVICE void curand_init(
    unsigned long long seed, unsigned long long sequence, unsigned long long offset,
    curandStatePhilox4_32_10* state) {
  state->ctr = uint4{0, 0, 0, 0};
  state->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
PHX_DEVICE unsigned __phx_philox_word(uint4 words, unsigned i) {
  return i == 0 ? words.x : i == 1 ? words.y : i == 2 ? words.z : words.w;
}
PHX_DEVICE unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned result = __phx_philox_word(state->output, state->STATE++);
  if (state->STATE == 4) {
    __phx_philox_step(state, 1);
    state->output = __phx_philox(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}
PHX_DEVICE uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 before = state->output;
  __phx_philox_step(state, 1);
  state->output = __phx_philox(state->ctr, state->key);
  const uint4 after = state->output;
  switch (state->STATE) {
    case 1: return uint4{before.y, before.z, before.w, after.x};
    case 2: return uint4{before.z, before.w, after.x, after.y};
    case 3: return uint4{before.w, after.x, after.y, after.z};
    default: return before;
  }
}

PHX_DEVICE float __phx_uniform(unsigned x) { return x * 2.3283064e-10f + (2.3283064e-10f / 2.0f); }
PHX_DEVICE double __phx_uniform_double(unsigned x, unsigned y) {
  const unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
  return z * 1.1102230246251565e-16 + (1.1102230246251565e-16 / 2.0);
}
PHX_DEVICE float2 __phx_normal2(unsigned x, unsigned y) {
  const float u = x * 2.3283064e-10f + (2.3283064e-10f / 2);
  const float v = y * (2.3283064e-10f * 6.2831855f) + ((2.3283064e-10f * 6.2831855f) / 2);
  const float s = sqrtf(-2.0f * logf(u));
  float2 result;
  __sincosf(v, &result.x, &result.y);
  result.x *= s;
  result.y *= s;
  return result;
}
PHX_DEVICE double2 __phx_normal2_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double u = __phx_uniform_double(x0, x1);
  const unsigned long long zy = (unsigned long long)y0 ^ ((unsigned long long)y1 << 21);
  const double v = zy * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16;
  const double s = sqrt(-2.0 * log(u));
  double2 result;
  sincospi(v, &result.x, &result.y);
  result.x *= s;
  result.y *= s;
  return result;
}

template <typename State> PHX_DEVICE float curand_uniform(State* state) {
  return __phx_uniform(curand(state));
}
template <typename State> PHX_DEVICE double curand_uniform_double(State* state) {
  const unsigned x = curand(state);
  const unsigned y = curand(state);
  return __phx_uniform_double(x, y);
}
template <typename State> PHX_DEVICE float2 curand_normal2(State* state) {
  const unsigned x = curand(state);
  const unsigned y = curand(state);
  return __phx_normal2(x, y);
}
template <typename State> PHX_DEVICE float curand_normal(State* state) {
  if (state->boxmuller_flag != 1) {
    const float2 both = curand_normal2(state);
    state->boxmuller_extra = both.y;
    state->boxmuller_flag = 1;
    return both.x;
  }
  state->boxmuller_flag = 0;
  return state->boxmuller_extra;
}
template <typename State> PHX_DEVICE double2 curand_normal2_double(State* state) {
  const unsigned x0 = curand(state);
  const unsigned x1 = curand(state);
  const unsigned y0 = curand(state);
  const unsigned y1 = curand(state);
  return __phx_normal2_double(x0, x1, y0, y1);
}
template <typename State> PHX_DEVICE double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double != 1) {
    const double2 both = curand_normal2_double(state);
    state->boxmuller_extra_double = both.y;
    state->boxmuller_flag_double = 1;
    return both.x;
  }
  state->boxmuller_flag_double = 0;
  return state->boxmuller_extra_double;
}
template <typename State> PHX_DEVICE float curand_log_normal(State* state, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(state));
}
template <typename State>
PHX_DEVICE double curand_log_normal_double(State* state, double mean, double stddev) {
  return exp(mean + stddev * curand_normal_double(state));
}
template <typename State>
PHX_DEVICE float2 curand_log_normal2(State* state, float mean, float stddev) {
  const float2 v = curand_normal2(state);
  return float2{expf(mean + stddev * v.x), expf(mean + stddev * v.y)};
}
template <typename State>
PHX_DEVICE double2 curand_log_normal2_double(State* state, double mean, double stddev) {
  const double2 v = curand_normal2_double(state);
  return double2{exp(mean + stddev * v.x), exp(mean + stddev * v.y)};
}

// Products of uniform numbers where lambda is small (Knuth, TAOCP 2), normal ones where it is large,
// as cuRAND has them. Between, a transformed rejection (Hoermann, PTRS, 1993): cuRAND takes another
// way there, so that the distribution is the same and the numbers are not.
template <typename State> PHX_DEVICE unsigned __phx_poisson_of_products(State* state, float lambda) {
  unsigned count = 0;
  for (float p = expf(lambda) * curand_uniform(state); p > 1.0; p *= curand_uniform(state)) ++count;
  return count;
}
template <typename State> PHX_DEVICE unsigned __phx_poisson_rejected(State* state, double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
  const double inverse = 1.1239 + 1.1328 / (b - 3.4), limit = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
    const double us = 0.5 - fabs(u), k = floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= limit) return (unsigned)k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (log(v * inverse / (a / (us * us) + b)) <= k * log(lambda) - lambda - lgamma(k + 1))
      return (unsigned)k;
  }
}
template <typename State> PHX_DEVICE unsigned curand_poisson(State* state, double lambda) {
  if (lambda < 64) return __phx_poisson_of_products(state, (float)lambda);
  if (lambda > 4000)
    return (unsigned)(curand_normal_double(state) * sqrt(lambda) + lambda + 0.5);
  return __phx_poisson_rejected(state, lambda);
}

PHX_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return float4{__phx_uniform(x.x), __phx_uniform(x.y), __phx_uniform(x.z), __phx_uniform(x.w)};
}
PHX_DEVICE float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 a = __phx_normal2(x.x, x.y), b = __phx_normal2(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
PHX_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return double2{__phx_uniform_double(x.x, x.y), __phx_uniform_double(x.z, x.w)};
}
PHX_DEVICE double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
PHX_DEVICE double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
PHX_DEVICE float4 curand_log_normal4(
    curandStatePhilox4_32_10* state, float mean, float stddev) {
  const float4 v = curand_normal4(state);
  return float4{
      expf(mean + stddev * v.x), expf(mean + stddev * v.y), expf(mean + stddev * v.z),
      expf(mean + stddev * v.w)};
}
