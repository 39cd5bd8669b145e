"""CUDA C for atomic operations that CUDA C lacks."""

from __future__ import annotations

# Signed 64 bits in sums, and minima of floats.
ATOMICS = r"""
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
"""

# CUDA C adds 32 bits at once at least: the half is put into the word that it is in.
OF_FLOAT16 = r"""
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
"""
