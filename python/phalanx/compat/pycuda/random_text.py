"""The text in CUDA C of random number generators: states, distributions and kernels."""

from __future__ import annotations

import functools
from typing import NamedTuple

# L'Ecuyer, Good parameters and implementations for combined multiple recursive random number
# generators, 1999: two recurrences of order 3, as products of a matrix and the last 3 numbers.
_MODULI = (4294967087, 4294944443)
_MATRICES = (
    ((0, 1, 0), (0, 0, 1), (-810728, 1403580, 0)),
    ((0, 1, 0), (0, 0, 1), (-1370589, 0, 527612)),
)
_SUBSEQUENCE, _SEQUENCE = 76, 127  # logarithms of how far apart they begin

Matrix = tuple[tuple[int, ...], ...]


class Kind(NamedTuple):
    """A kind of generator: the name of its state in C, and its own text."""

    state: str
    text: str
    bits: int = 32
    is_quasi: bool = False


def _squared(matrix: Matrix, modulus: int) -> Matrix:
    return tuple(
        tuple(sum(a * b for a, b in zip(row, column, strict=True)) % modulus
              for column in zip(*matrix, strict=True))
        for row in matrix
    )  # fmt: skip


def _power_of_two(which: int, exponent: int) -> str:
    """The matrix to the power of 2**exponent, as elements in C."""
    modulus = _MODULI[which]
    matrix: Matrix = tuple(tuple(each % modulus for each in row) for row in _MATRICES[which])
    for _ in range(exponent):
        matrix = _squared(matrix, modulus)
    return ", ".join(f"{each}u" for row in matrix for each in row)


_MRG = """
struct _phx_mrg32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
__device__ inline unsigned _phx_draw(_phx_mrg32k3a* s) {  // from 1 to 4294967087
  const long long p1 = (1403580ll * s->s1[1] - 810728ll * s->s1[0]) % 4294967087ll;
  const long long p2 = (527612ll * s->s2[2] - 1370589ll * s->s2[0]) % 4294944443ll;
  const unsigned q1 = (unsigned)(p1 < 0 ? p1 + 4294967087ll : p1);
  const unsigned q2 = (unsigned)(p2 < 0 ? p2 + 4294944443ll : p2);
  s->s1[0] = s->s1[1]; s->s1[1] = s->s1[2]; s->s1[2] = q1;
  s->s2[0] = s->s2[1]; s->s2[1] = s->s2[2]; s->s2[2] = q2;
  return q1 > q2 ? q1 - q2 : q1 - q2 + 4294967087u;
}
__device__ inline unsigned curand(_phx_mrg32k3a* s) {  // spread over 32 bits
  return (unsigned)((double)(_phx_draw(s) - 1) * 1.0000000486618);
}
__device__ inline double curand_uniform_double(_phx_mrg32k3a* s) {
  return _phx_draw(s) * 2.328306549295727688e-10;
}
__device__ inline float curand_uniform(_phx_mrg32k3a* s) { return (float)curand_uniform_double(s); }

__device__ inline void _phx_apply(unsigned* v, const unsigned* m, unsigned long long modulus) {
  unsigned made[3];
  for (int i = 0; i < 3; ++i) {
    unsigned long long sum = 0;
    for (int j = 0; j < 3; ++j) sum += (unsigned long long)m[3 * i + j] * v[j] % modulus;
    made[i] = (unsigned)(sum % modulus);
  }
  for (int i = 0; i < 3; ++i) v[i] = made[i];
}
// What n applications of the matrix make of the vector: by its squares, for the bits of n.
__device__ inline void _phx_jump(
    unsigned* v, const unsigned* matrix, unsigned long long modulus, unsigned long long n) {
  unsigned m[9];
  for (int i = 0; i < 9; ++i) m[i] = matrix[i];
  for (; n != 0; n >>= 1) {
    if (n & 1) _phx_apply(v, m, modulus);
    unsigned square[9];
    for (int j = 0; j < 3; ++j) {
      unsigned column[3] = {m[j], m[3 + j], m[6 + j]};
      _phx_apply(column, m, modulus);
      for (int i = 0; i < 3; ++i) square[3 * i + j] = column[i];
    }
    for (int i = 0; i < 9; ++i) m[i] = square[i];
  }
}
@TABLES@
#define _PHX_JUMP(name, power)                                              \\
  __device__ inline void name(unsigned long long n, _phx_mrg32k3a* s) {     \\
    _phx_jump(s->s1, _phx_mrg_1_##power, 4294967087ull, n);                 \\
    _phx_jump(s->s2, _phx_mrg_2_##power, 4294944443ull, n);                 \\
  }
_PHX_JUMP(skipahead, 0)
_PHX_JUMP(skipahead_subsequence, 76)
_PHX_JUMP(skipahead_sequence, 127)

__device__ inline void _phx_start(
    unsigned seed, size_t which, unsigned long long offset, _phx_mrg32k3a* s) {
  const unsigned long long x1 = seed ^ 0x55555555u, x2 = 0xAAAAAAAAu;
  for (int i = 0; i < 3; ++i) {
    s->s1[i] = (unsigned)((i == 1 ? x2 : x1) * 12345 % 4294967087ull);
    s->s2[i] = (unsigned)((i == 1 ? x1 : x2) * 12345 % 4294944443ull);
  }
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
  skipahead_subsequence(which, s);
  skipahead(offset, s);
}
extern "C" __global__ void skip_ahead_subsequence(
    _phx_mrg32k3a* s, const unsigned long long* skips, unsigned long long skip) {
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  skipahead_subsequence(skips == nullptr ? skip : skips[t], &s[t]);
}
"""

_XORWOW = """
__device__ inline void _phx_start(
    unsigned seed, size_t which, unsigned long long offset, curandStateXORWOW* s) {
  curand_init(seed, which, offset, s);
}
"""

_PSEUDO = """
__device__ inline float2 _phx_normal2(State* s) { return curand_normal2(s); }
__device__ inline double2 _phx_normal2_double(State* s) { return curand_normal2_double(s); }
extern "C" __global__ void prepare(State* s, const unsigned* seeds, unsigned long long offset) {
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  _phx_start(seeds[t], t, offset, &s[t]);
}
extern "C" __global__ void skip_ahead_sequence(
    State* s, const unsigned long long* skips, unsigned long long skip) {
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  skipahead_sequence(skips == nullptr ? skip : skips[t], &s[t]);
}
"""

# Each point is the one before with one direction number added, as the Gray code of its index says.
_SOBOL = """
typedef @WORD@ Word;
struct _phx_sobol { Word x, i, shift, v[@BITS@]; };
__device__ inline void skipahead(unsigned long long n, _phx_sobol* s) {
  s->i += (Word)n;
  const Word gray = s->i ^ (s->i >> 1);
  Word x = s->shift;
  for (int k = 0; k < @BITS@; ++k) x ^= (gray >> k) & 1 ? s->v[k] : (Word)0;
  s->x = x;
}
__device__ inline Word curand(_phx_sobol* s) {
  const Word x = s->x;
  const int zeros = __ffsll((long long)(unsigned long long)~s->i) - 1;
  s->x ^= s->v[zeros & (@BITS@ - 1)];
  ++s->i;
  return x;
}
__device__ inline float curand_uniform(_phx_sobol* s) {
  return (float)(unsigned)(curand(s) >> (@BITS@ - 32)) * 2.3283064e-10f + 1.1641532e-10f;
}
__device__ inline double curand_uniform_double(_phx_sobol* s) {
  return (curand(s) >> @LOST@) * @STEP@ + @STEP@ / 2;
}
__device__ inline double curand_normal_double(_phx_sobol* s) {
  return normcdfinv(curand_uniform_double(s));
}
__device__ inline float curand_normal(_phx_sobol* s) { return (float)curand_normal_double(s); }
__device__ inline float curand_log_normal(_phx_sobol* s, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(s));
}
__device__ inline double curand_log_normal_double(_phx_sobol* s, double mean, double stddev) {
  return exp(mean + stddev * curand_normal_double(s));
}
extern "C" __global__ void prepare(
    State* s, const Word* vectors, const Word* shifts, unsigned long long offset) {
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < @BITS@; ++k) s[t].v[k] = vectors[t * @BITS@ + k];
  s[t].shift = shifts == nullptr ? (Word)0 : shifts[t];
  s[t].i = 0;
  skipahead(offset, &s[t]);
}
"""

# By inversion, from one uniform number; of many events the normal distribution with the next term
# of Cornish and Fisher's expansion.
_POISSON = """
__device__ inline unsigned _phx_inverted(double u, double lambda) {
  if (lambda > 700) {
    const double z = normcdfinv(u);
    return (unsigned)floor(fmax(0.0, lambda + sqrt(lambda) * z + (z * z - 1) / 6 + 0.5));
  }
  double p = exp(-lambda), sum = p;
  unsigned k = 0;
  while (u > sum && k < 2000) {
    p *= lambda / ++k;
    sum += p;
  }
  return k;
}
"""
# Hoermann, The transformed rejection method for generating Poisson random variables, 1993: PTRS.
_PSEUDO_POISSON = """
__device__ inline unsigned _phx_poisson(State* s, double lambda) {
  if (lambda < 64) return _phx_inverted(curand_uniform_double(s), lambda);
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
  const double alpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s);
    const double us = 0.5 - fabs(u);
    const double k = floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= accepted) return (unsigned)k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (log(v * alpha / (a / (us * us) + b)) <= k * log(lambda) - lambda - lgamma(k + 1))
      return (unsigned)k;
  }
}
"""
_QUASI_POISSON = """
__device__ inline unsigned _phx_poisson(State* s, double lambda) {
  return _phx_inverted(curand_uniform_double(s), lambda);
}
"""

_SKIP = """
extern "C" __global__ void skip_ahead(
    State* s, const unsigned long long* skips, unsigned long long skip) {
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  skipahead(skips == nullptr ? skip : skips[t], &s[t]);
}
extern "C" __global__ void state_size(size_t* size) { *size = sizeof(State); }
"""
_FILL = """
extern "C" __global__ void {name}(State* states, {type}* d, {parameters}size_t n) {{
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  State s = states[t];
  for (size_t i = t; i < n; i += (size_t)gridDim.x * blockDim.x) {{
    {assignment}
  }}
  states[t] = s;
}}
"""
_LOG = "{0} mean, {0} stddev, "
# The name of each kernel, the type of the elements, further parameters, and what it does.
_FILLS = (
    ("uniform_int", "unsigned", "", "d[i] = (unsigned)(curand(&s) >> @HALF@);"),
    ("uniform_float", "float", "", "d[i] = curand_uniform(&s);"),
    ("uniform_double", "double", "", "d[i] = curand_uniform_double(&s);"),
    ("normal_float", "float", "", "d[i] = curand_normal(&s);"),
    ("normal_double", "double", "", "d[i] = curand_normal_double(&s);"),
    ("log_normal_float", "float", _LOG.format("float"),
     "d[i] = curand_log_normal(&s, mean, stddev);"),
    ("log_normal_double", "double", _LOG.format("double"),
     "d[i] = curand_log_normal_double(&s, mean, stddev);"),
    ("poisson_int", "unsigned", "double mean, ", "d[i] = _phx_poisson(&s, mean);"),
    ("poisson_of_int", "unsigned", "", "d[i] = _phx_poisson(&s, d[i]);"),
    ("poisson_of_float", "float", "", "d[i] = (float)_phx_poisson(&s, d[i]);"),
    ("poisson_of_double", "double", "", "d[i] = _phx_poisson(&s, d[i]);"),
)  # fmt: skip
_LONG_FILLS = (("uniform_long", "unsigned long long", "", "d[i] = curand(&s);"),)
# Both numbers of a pair that Box and Muller's method makes.
_PAIR_FILLS = (
    ("normal_float2", "float2", "", "d[i] = _phx_normal2(&s);"),
    ("normal_double2", "double2", "", "d[i] = _phx_normal2_double(&s);"),
    ("log_normal_float2", "float2", _LOG.format("float"),
     "const float2 z = _phx_normal2(&s);"
     " d[i] = make_float2(expf(mean + stddev * z.x), expf(mean + stddev * z.y));"),
    ("log_normal_double2", "double2", _LOG.format("double"),
     "const double2 z = _phx_normal2_double(&s);"
     " d[i] = make_double2(exp(mean + stddev * z.x), exp(mean + stddev * z.y));"),
)  # fmt: skip

XORWOW = Kind("curandStateXORWOW", _XORWOW)


@functools.cache
def mrg32k3a() -> Kind:
    """The kind with the matrices of its jumps."""
    tables = "".join(
        f"__constant__ unsigned _phx_mrg_{which + 1}_{power}[9] = "
        f"{{{_power_of_two(which, power)}}};\n"
        for power in (0, _SUBSEQUENCE, _SEQUENCE)
        for which in (0, 1)
    )
    return Kind("_phx_mrg32k3a", _MRG.replace("@TABLES@", tables))


def sobol(bits: int) -> Kind:
    """The kind whose points have 32 or 64 bits."""
    # A double has 53 bits, of which the step between points is the last.
    lost, step = (0, "2.3283064365386963e-10") if bits == 32 else (11, "1.1102230246251565e-16")
    text = _SOBOL
    for name, value in (
        ("WORD", "unsigned" if bits == 32 else "unsigned long long"),
        ("BITS", str(bits)), ("LOST", str(lost)), ("STEP", step),
    ):  # fmt: skip
        text = text.replace(f"@{name}@", value)
    return Kind("_phx_sobol", text, bits, is_quasi=True)


def source(kind: Kind) -> str:
    """All kernels of a kind: prepare, the fills, and the skips."""
    fills = _FILLS + (_LONG_FILLS if kind.bits == 64 else ())
    fills += () if kind.is_quasi else _PAIR_FILLS
    poisson = _POISSON + (_QUASI_POISSON if kind.is_quasi else _PSEUDO_POISSON)
    state = f"typedef struct {kind.state} State;\n"
    # Of Sobol's numbers State is used before the end of the kind's text.
    parts = ["#include <curand_kernel.h>\n", state, kind.text]
    parts += ["" if kind.is_quasi else _PSEUDO, poisson, _SKIP]
    parts += [
        _FILL.format(name=name, type=ctype, parameters=parameters, assignment=assignment)
        for name, ctype, parameters, assignment in fills
    ]
    return "".join(parts).replace("@HALF@", str(kind.bits - 32))
