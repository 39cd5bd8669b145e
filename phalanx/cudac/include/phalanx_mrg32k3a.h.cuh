// MRG32k3a (L'Ecuyer, Good parameters and implementations for combined multiple recursive random
// number generators, 1999), with cuRAND's seeding and subsequences of 2^76 numbers.
#pragma once

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define PHX_MRG_MOD1 4294967087u
#define PHX_MRG_MOD2 4294944443u
PHX_DEVICE unsigned __phx_mrg_product(unsigned a, unsigned b, unsigned mod) {
  return (unsigned)((unsigned long long)a * b % mod);
}
struct __phx_mrg_matrix {
  unsigned m[3][3];
};
PHX_DEVICE __phx_mrg_matrix __phx_mrg_product(
    const __phx_mrg_matrix& a, const __phx_mrg_matrix& b, unsigned mod) {
  __phx_mrg_matrix c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k) sum += __phx_mrg_product(a.m[i][k], b.m[k][j], mod);
      c.m[i][j] = (unsigned)(sum % mod);
    }
  }
  return c;
}
// The state after 2^doublings * n numbers.
PHX_DEVICE void __phx_mrg_skip(
    __phx_mrg_matrix step, int doublings, unsigned long long n, unsigned* state, unsigned mod) {
  for (int i = 0; i < doublings; ++i) step = __phx_mrg_product(step, step, mod);
  for (; n != 0; n >>= 1) {
    if (n & 1) {
      unsigned next[3];
      for (int i = 0; i < 3; ++i) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; ++k) sum += __phx_mrg_product(step.m[i][k], state[k], mod);
        next[i] = (unsigned)(sum % mod);
      }
      for (int i = 0; i < 3; ++i) state[i] = next[i];
    }
    step = __phx_mrg_product(step, step, mod);
  }
}
PHX_DEVICE void __phx_mrg_skip(curandStateMRG32k3a* state, int doublings, unsigned long long n) {
  const __phx_mrg_matrix one = {{{0, 1, 0}, {0, 0, 1}, {PHX_MRG_MOD1 - 810728u, 1403580u, 0}}};
  const __phx_mrg_matrix two = {{{0, 1, 0}, {0, 0, 1}, {PHX_MRG_MOD2 - 1370589u, 0, 527612u}}};
  __phx_mrg_skip(one, doublings, n, state->s1, PHX_MRG_MOD1);
  __phx_mrg_skip(two, doublings, n, state->s2, PHX_MRG_MOD2);
}
PHX_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
  __phx_mrg_skip(state, 0, n);
}
PHX_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  __phx_mrg_skip(state, 76, n & ((1ull << 51) - 1));
}
PHX_DEVICE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  __phx_mrg_skip(state, 127, n);
}
PHX_DEVICE void curand_init(
    unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
    curandStateMRG32k3a* state) {
  const unsigned low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xAAAAAAAAu;
  for (int i = 0; i < 3; ++i) {
    const unsigned one = i == 1 ? high : low, two = i == 1 ? low : high;
    state->s1[i] = seed == 0 ? 12345u : __phx_mrg_product(one, 12345u, PHX_MRG_MOD1);
    state->s2[i] = seed == 0 ? 12345u : __phx_mrg_product(two, 12345u, PHX_MRG_MOD2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
// From 1 to the first modulus.
PHX_DEVICE unsigned __phx_mrg_next(curandStateMRG32k3a* state) {
  const unsigned p1 = (unsigned)(((unsigned long long)1403580u * state->s1[1] +
                                  (unsigned long long)810728u * (PHX_MRG_MOD1 - state->s1[0])) %
                                 PHX_MRG_MOD1);
  const unsigned p2 = (unsigned)(((unsigned long long)527612u * state->s2[2] +
                                  (unsigned long long)1370589u * (PHX_MRG_MOD2 - state->s2[0])) %
                                 PHX_MRG_MOD2);
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = p1;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = p2;
  return p1 > p2 ? p1 - p2 : p1 - p2 + PHX_MRG_MOD1;
}
PHX_DEVICE unsigned curand(curandStateMRG32k3a* state) {
  return (unsigned)(__phx_mrg_next(state) * 1.000000048662);
}
PHX_DEVICE float curand_uniform(curandStateMRG32k3a* state) {
  return (float)(__phx_mrg_next(state) * 2.3283065498378288e-10);
}
PHX_DEVICE double curand_uniform_double(curandStateMRG32k3a* state) {
  return __phx_mrg_next(state) * 2.3283065498378288e-10;
}
PHX_DEVICE float2 curand_normal2(curandStateMRG32k3a* state) {
  const float s = sqrtf(-2.0f * logf(curand_uniform(state)));
  float2 result;
  __sincosf(curand_uniform(state) * 6.2831855f, &result.x, &result.y);
  return float2{result.x * s, result.y * s};
}
PHX_DEVICE double2 curand_normal2_double(curandStateMRG32k3a* state) {
  const double s = sqrt(-2.0 * log(curand_uniform_double(state)));
  double2 result;
  sincospi(curand_uniform_double(state) * 2.0, &result.x, &result.y);
  return double2{result.x * s, result.y * s};
}
#undef PHX_MRG_MOD1
#undef PHX_MRG_MOD2
