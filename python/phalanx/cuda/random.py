"""Random numbers in kernels: xoroshiro128+, with numba.cuda.random's states and numbers.

    from phalanx.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

    @cuda.jit
    def fill(states, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = xoroshiro128p_uniform_float32(states, i)

    states = create_xoroshiro128p_states(threads, seed=1)
    fill[blocks, block](states, out)

Each state is a generator of its own, 2**64 numbers away from its neighbours.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .._device.transfer import device_array
from .._kernels.decorators import jit
from .._types.aggregates import from_dtype
from ..types import float32, float64, uint64

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
xoroshiro128p_type = from_dtype(xoroshiro128p_dtype)

_MASK = 2**64 - 1
# The polynomial of 2**64 steps, by its coefficients' bits.
_JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)

TWO_PI_FLOAT32 = np.float32(2 * math.pi)
TWO_PI_FLOAT64 = np.float64(2 * math.pi)


# ---- In kernels ----


@jit(device=True)
def rotl(x, k):  # type: ignore[no-untyped-def]
    """The uint64 `x` rotated left by `k` bits."""
    return (uint64(x) << uint64(k)) | (uint64(x) >> uint64(64 - k))


@jit(device=True)
def xoroshiro128p_next(states, index):  # type: ignore[no-untyped-def]
    """The next uint64 of ``states[index]``."""
    s0 = states[index]["s0"]
    s1 = states[index]["s1"]
    result = s0 + s1
    s1 ^= s0
    states[index]["s0"] = rotl(s0, 55) ^ s1 ^ (s1 << uint64(14))
    states[index]["s1"] = rotl(s1, 36)
    return result


@jit(device=True)
def xoroshiro128p_jump(states, index):  # type: ignore[no-untyped-def]
    """Moves ``states[index]`` on by 2**64 numbers."""
    s0 = uint64(0)
    s1 = uint64(0)
    for half in range(2):
        word = uint64(0xBEAC0467EBA5FACB) if half == 0 else uint64(0xD86B048B86AA9922)
        for bit in range(64):
            if word & (uint64(1) << uint64(bit)):
                s0 ^= states[index]["s0"]
                s1 ^= states[index]["s1"]
            xoroshiro128p_next(states, index)
    states[index]["s0"] = s0
    states[index]["s1"] = s1


@jit(device=True)
def init_xoroshiro128p_state(states, index, seed):  # type: ignore[no-untyped-def]
    """Makes ``states[index]`` of a 64-bit seed, by SplitMix64: also small seeds start well."""
    z = uint64(seed) + uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    z = z ^ (z >> uint64(31))
    states[index]["s0"] = z
    states[index]["s1"] = z


@jit(device=True)
def uint64_to_unit_float64(x):  # type: ignore[no-untyped-def]
    """The uint64 as a float64 in [0, 1)."""
    return (uint64(x) >> uint64(11)) * (float64(1) / (uint64(1) << uint64(53)))


@jit(device=True)
def uint64_to_unit_float32(x):  # type: ignore[no-untyped-def]
    """The uint64 as a float32 in [0, 1]; rounding may give 1."""
    return float32(uint64_to_unit_float64(x))


@jit(device=True)
def xoroshiro128p_uniform_float32(states, index):  # type: ignore[no-untyped-def]
    """A float32 in [0, 1] of ``states[index]``, which moves on by one."""
    return uint64_to_unit_float32(xoroshiro128p_next(states, index))


@jit(device=True)
def xoroshiro128p_uniform_float64(states, index):  # type: ignore[no-untyped-def]
    """A float64 in [0, 1) of ``states[index]``, which moves on by one."""
    return uint64_to_unit_float64(xoroshiro128p_next(states, index))


@jit(device=True)
def xoroshiro128p_normal_float32(states, index):  # type: ignore[no-untyped-def]
    """A float32 of mean 0 and deviation 1 of ``states[index]``, which moves on by two."""
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return math.sqrt(-float32(2.0) * math.log(u1)) * math.cos(TWO_PI_FLOAT32 * u2)


@jit(device=True)
def xoroshiro128p_normal_float64(states, index):  # type: ignore[no-untyped-def]
    """A float64 of mean 0 and deviation 1 of ``states[index]``, which moves on by two.

    As in numba.cuda it is made of two uniform numbers of float32.
    """
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return math.sqrt(-float64(2.0) * math.log(u1)) * math.cos(TWO_PI_FLOAT64 * u2)


# ---- States, on the host ----


def _seeded(seed: int) -> tuple[int, int]:
    """The state that `init_xoroshiro128p_state` makes."""
    z = (seed + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    z ^= z >> 31
    return z, z


def _rotated(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & _MASK


def _jumped(s0: int, s1: int) -> tuple[int, int]:
    """The state 2**64 numbers further on."""
    sum0 = sum1 = 0
    for word in _JUMP:
        for bit in range(64):
            if word >> bit & 1:
                sum0 ^= s0
                sum1 ^= s1
            s1 ^= s0
            s0, s1 = _rotated(s0, 55) ^ s1 ^ (s1 << 14 & _MASK), _rotated(s1, 36)
    return sum0, sum1


# Moving on by 2**64 numbers is linear over bits, so it is a matrix: of 128 columns, each the pair
# of uint64 that a state of one bit becomes. Powers of it reach any state at once.


@functools.cache
def _jump_columns() -> Any:
    """The matrix of one jump, shape (128, 2)."""
    units = [(1 << bit, 0) for bit in range(64)] + [(0, 1 << bit) for bit in range(64)]
    return np.array([_jumped(*unit) for unit in units], np.uint64)


def _applied(columns: Any, states: Any) -> Any:
    """The matrix times each state; both of shape (n, 2)."""
    result = np.zeros_like(states)
    octets = np.ascontiguousarray(states).astype("<u8").view(np.uint8).reshape(-1, 16)
    for byte in range(16):  # a table of what each byte contributes
        table = np.zeros((256, 2), np.uint64)
        for bit in range(8):
            table[1 << bit : 2 << bit] = table[: 1 << bit] ^ columns[8 * byte + bit]
        result ^= table[octets[:, byte]]
    return result


def init_xoroshiro128p_states_cpu(states: Any, seed: int, subsequence_start: int) -> None:
    """Fills a host array of dtype `xoroshiro128p_dtype` with states 2**64 numbers apart.

    The first is `subsequence_start` such steps away from the state of the seed.
    """
    count = states.shape[0]
    if count == 0:
        return
    made = np.empty((count, 2), np.uint64)
    made[:1] = np.array([_seeded(int(seed) & _MASK)], np.uint64)
    power = _jump_columns()
    start = int(subsequence_start) & _MASK
    while start:
        if start & 1:
            made[:1] = _applied(power, made[:1])
        start >>= 1
        power = _applied(power, power)
    done, power = 1, _jump_columns()
    while done < count:
        more = min(done, count - done)
        made[done : done + more] = _applied(power, made[:more])
        done += more
        power = _applied(power, power)
    states["s0"], states["s1"] = made[:, 0], made[:, 1]


def init_xoroshiro128p_states(
    states: Any, seed: int, subsequence_start: int = 0, stream: Any = 0
) -> None:
    """Fills a device array with states: see `create_xoroshiro128p_states`."""
    host = np.empty(states.shape, xoroshiro128p_dtype)
    init_xoroshiro128p_states_cpu(host, seed, subsequence_start)
    states.copy_to_device(host, stream=stream)


def create_xoroshiro128p_states(
    n: int, seed: int, subsequence_start: int = 0, stream: Any = 0
) -> Any:
    """A device array of `n` generators' states, each 2**64 numbers after the one before.

    `subsequence_start` leaves that many generators of the seed out.
    """
    states = device_array(n, dtype=xoroshiro128p_dtype, stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states
