"""CUDA C for atomic operations: those that CUDA C lacks, and all of them for the CPU device."""

from __future__ import annotations

# On a GPU those of CUDA C, which lack signed 64 bits in sums, and minima of floats.
ATOMICS = r"""
#if defined(__CUDACC__)
static __device__ inline long long atomicAdd(long long* to, long long value) {
  return (long long)atomicAdd((unsigned long long*)to, (unsigned long long)value);
}
#define _PHX_ATOMIC_FLOATS(name, T, Bits, to_bits, of_bits, better)                        \
  static __device__ inline T name(T* to, T value) {                                        \
    Bits old = *(Bits*)to, met;                                                            \
    do {                                                                                   \
      met = old;                                                                           \
      old = atomicCAS((Bits*)to, met, (Bits)to_bits(better(value, of_bits(met))));         \
    } while (met != old);                                                                  \
    return of_bits(old);                                                                   \
  }
_PHX_ATOMIC_FLOATS(atomicMax, float, int, __float_as_int, __int_as_float, fmaxf)
_PHX_ATOMIC_FLOATS(atomicMin, float, int, __float_as_int, __int_as_float, fminf)
_PHX_ATOMIC_FLOATS(
    atomicMax, double, unsigned long long, __double_as_longlong, __longlong_as_double, fmax)
_PHX_ATOMIC_FLOATS(
    atomicMin, double, unsigned long long, __double_as_longlong, __longlong_as_double, fmin)
#else
template <typename T, typename Change> static inline T _phx_atomic(T* to, Change change) {
  T old;
  __atomic_load(to, &old, __ATOMIC_RELAXED);
  T made = change(old);
  while (!__atomic_compare_exchange(to, &old, &made, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    made = change(old);
  return old;
}
#define _PHX_ATOMIC(name, changed)                                                         \
  template <typename T, typename V> static inline T name(T* to, V given) {                 \
    const T value = (T)given;                                                              \
    return _phx_atomic(to, [=](T old) -> T { return changed; });                           \
  }
_PHX_ATOMIC(atomicAdd, (T)(old + value))
_PHX_ATOMIC(atomicSub, (T)(old - value))
_PHX_ATOMIC(atomicExch, value)
_PHX_ATOMIC(atomicMin, value < old ? value : old)
_PHX_ATOMIC(atomicMax, old < value ? value : old)
_PHX_ATOMIC(atomicAnd, (T)(old & value))
_PHX_ATOMIC(atomicOr, (T)(old | value))
_PHX_ATOMIC(atomicXor, (T)(old ^ value))
_PHX_ATOMIC(atomicInc, old >= value ? (T)0 : (T)(old + 1))
_PHX_ATOMIC(atomicDec, old == 0 || old > value ? value : (T)(old - 1))
template <typename T, typename U, typename V>
static inline T atomicCAS(T* to, U expected, V value) {
  T old = (T)expected;
  T made = (T)value;
  __atomic_compare_exchange(to, &old, &made, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return old;
}
#endif
"""

# CUDA C adds 32 bits at once at least: the half is put into the word that it is in.
OF_FLOAT16 = r"""
#if defined(__CUDACC__)
static __device__ inline float16 atomicAdd(float16* to, float16 value) {
  const size_t address = (size_t)to;
  const unsigned shift = address & 2 ? 16 : 0;
  unsigned* word = (unsigned*)(address & ~(size_t)3);
  unsigned old = *word, met;
  float16 before;
  do {
    met = old;
    before = float16::from_bits((unsigned short)(met >> shift));
    const unsigned sum = float16((float)before + (float)value).to_bits();
    old = atomicCAS(word, met, (met & ~(0xffffu << shift)) | sum << shift);
  } while (met != old);
  return before;
}
#endif
"""
