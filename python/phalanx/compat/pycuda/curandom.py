"""`pycuda.curandom`: random numbers on the device."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from . import random_text, sobol_vectors
from .compiler import SourceModule
from .context import Stream
from .kernel_text import launch_shape
from .random_generators import PseudoRandom, ScrambledSobol, Sobol, seed_getter_unique
from .sobol_vectors import *  # noqa: F403
from .tools import context_dependent_memoize

__all__ = [
    "MRG32k3aRandomNumberGenerator", "ScrambledSobol32RandomNumberGenerator",
    "ScrambledSobol64RandomNumberGenerator", "Sobol32RandomNumberGenerator",
    "Sobol64RandomNumberGenerator", "XORWOWRandomNumberGenerator", "get_curand_version", "rand",
    "seed_getter_uniform", "seed_getter_unique", *sobol_vectors.__all__,
]  # fmt: skip

_RAND = """
#include <curand_kernel.h>
extern "C" __global__ void rand_kernel({type}* d, unsigned seed, size_t n) {{
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t i = t; i * {each} < n; i += (size_t)gridDim.x * blockDim.x) {{
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    const uint4 x = curand4(&state);
    const {type} made[{each}] = {{{numbers}}};
    for (size_t k = 0; k < {each} && i * {each} + k < n; ++k) d[i * {each} + k] = made[k];
  }}
}}
"""
_WORDS = ("x.x", "x.y", "x.z", "x.w")
# Of as many bits as the type has, so that 1 is not among them.
_RAND_NUMBERS = {
    "float32": ("float", [f"({word} >> 8) * 0x1p-24f" for word in _WORDS]),
    "float64": ("double", [
        f"((unsigned long long)({a} >> 6) << 27 | {b} >> 5) * 0x1p-53"
        for a, b in (_WORDS[:2], _WORDS[2:])
    ]),
    "int32": ("unsigned", list(_WORDS)),
    "uint32": ("unsigned", list(_WORDS)),
}  # fmt: skip


@context_dependent_memoize
def _rand_kernel(name: str) -> Any:
    ctype, numbers = _RAND_NUMBERS[name]
    text = _RAND.format(type=ctype, each=len(numbers), numbers=", ".join(numbers))
    return SourceModule(text, no_extern_c=True).get_function("rand_kernel")


def rand(shape: Any, dtype: Any = np.float32, stream: Stream | None = None) -> Any:
    """A `GPUArray` of random numbers from 0 to below 1; of int32 and uint32, of all their values.

    The seed comes from `numpy.random`, whose `seed` makes the numbers repeatable. Raises
    `NotImplementedError` for other dtypes.
    """
    from .gpuarray import GPUArray

    name = np.dtype(dtype).name
    if name not in _RAND_NUMBERS:
        raise NotImplementedError(
            f"rand makes no numbers of {name}, but {', '.join(_RAND_NUMBERS)}"
        )
    result = GPUArray(shape, dtype)
    size = int(result.size)
    if size:
        seed = np.random.randint(2**31 - 1)  # noqa: NPY002 - the generator that PyCUDA's users seed
        grid, block = launch_shape(-(-size // len(_RAND_NUMBERS[name][1])))
        _rand_kernel(name).prepared_async_call(grid, block, stream, result.gpudata, seed, size)
    return result


def get_curand_version() -> tuple[int, int, int]:
    """The version of cuRAND whose interface this is."""
    return (10, 4, 0)


def seed_getter_uniform(n: int) -> Any:
    """A `GPUArray` of one random int32, `n` times."""
    from .gpuarray import to_gpu

    return to_gpu(np.full(n, random.randint(0, 2**31 - 1), np.int32))


class XORWOWRandomNumberGenerator(PseudoRandom):
    """Marsaglia's XORWOW, with the numbers that cuRAND's has for the same seeds.

    `seed_getter` gives a `GPUArray` of that many int32, by default `seed_getter_unique`; `offset`
    is the first number's index. Raises `TypeError` for other seeds.
    """

    _kind = random_text.XORWOW
    _skip_bits = 32  # of the tables of jumps


class MRG32k3aRandomNumberGenerator(PseudoRandom):
    """L'Ecuyer's combined multiple recursive generator, whose period is 2**191.

    The arguments are those of `XORWOWRandomNumberGenerator`.
    """

    _kind = random_text.mrg32k3a()

    def call_skip_ahead_subsequence(self, i: int, stream: Stream | None = None) -> None:
        """Skips `i` subsequences of each generator, of 2**76 numbers."""
        self._skip("skip_ahead_subsequence", i, stream)

    def call_skip_ahead_subsequence_array(self, i: Any, stream: Stream | None = None) -> None:
        """Skips as many subsequences of each generator as the array says, of uint64 or int64."""
        self._skip_array("skip_ahead_subsequence", i, stream)


class Sobol32RandomNumberGenerator(Sobol):
    """Sobol sequences of 32 bits.

    `dir_vector` is a `GPUArray` of uint32 with 32 direction numbers for each generator, by default
    what `generate_direction_vectors` makes, and `offset` the first point's index. Raises
    `TypeError` for other arrays, and `NotImplementedError` where there are no direction numbers.
    """

    _kind = random_text.sobol(32)


class ScrambledSobol32RandomNumberGenerator(ScrambledSobol):
    """The same, scrambled: `scramble_vector` is a `GPUArray` of a uint32 for each generator."""

    _kind = random_text.sobol(32)


class Sobol64RandomNumberGenerator(Sobol):
    """As `Sobol32RandomNumberGenerator`, of 64 bits and uint64."""

    _kind = random_text.sobol(64)


class ScrambledSobol64RandomNumberGenerator(ScrambledSobol):
    """As `ScrambledSobol32RandomNumberGenerator`, of 64 bits and uint64."""

    _kind = random_text.sobol(64)
