"""Direction numbers of Sobol sequences (Joe and Kuo, Constructing Sobol sequences, 2008)."""

from __future__ import annotations

import enum
import functools
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

__all__ = [
    "direction_vector_set", "generate_direction_vectors", "generate_scramble_constants32",
    "generate_scramble_constants64",
]  # fmt: skip

MOST = 20_000  # different sequences, as many as cuRAND has


class direction_vector_set(enum.IntEnum):
    """Which direction numbers there are."""

    VECTOR_32 = 101
    SCRAMBLED_VECTOR_32 = 102
    VECTOR_64 = 103
    SCRAMBLED_VECTOR_64 = 104


def generate_direction_vectors(count: int, direction: Any = None) -> Any:
    """A `GPUArray` of 32 numbers of 32 bits for each sequence, or 64 of 64 bits.

    After 20000 sequences they are repeated. The scrambled sets are the plain ones: the generators
    scramble by a digital shift. The primitive polynomials are in a table of SciPy's; raises
    `NotImplementedError` where that is not installed.
    """
    from .gpuarray import to_gpu

    wide = (direction_vector_set.VECTOR_64, direction_vector_set.SCRAMBLED_VECTOR_64)
    vectors = _vectors(64 if direction in wide else 32)
    return to_gpu(np.ascontiguousarray(vectors[np.arange(count) % len(vectors)]))


def generate_scramble_constants32(count: int) -> Any:
    """A `GPUArray` of numbers of 32 bits, the same ones each time."""
    from .gpuarray import to_gpu

    return to_gpu(_shifts(count).astype(np.uint32))


def generate_scramble_constants64(count: int) -> Any:
    """A `GPUArray` of numbers of 64 bits, the same ones each time."""
    from .gpuarray import to_gpu

    return to_gpu(_shifts(count))


def _shifts(count: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(2008).integers(0, 1 << 64, count, dtype=np.uint64, endpoint=False)


def _table() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Polynomials and initial numbers, one row for each sequence."""
    found = importlib.util.find_spec("scipy")
    if found is not None and found.origin is not None:
        file = Path(found.origin).parent / "stats" / "_sobol_direction_numbers.npz"
        if file.exists():
            with np.load(file) as table:
                return table["poly"][:MOST], table["vinit"][:MOST]
    raise NotImplementedError(
        "the direction numbers of Sobol sequences are in SciPy: pip install scipy; or pass "
        "dir_vector, or take XORWOWRandomNumberGenerator or MRG32k3aRandomNumberGenerator"
    )


@functools.cache
def _vectors(bits: int) -> np.ndarray[Any, Any]:
    """Rows of direction numbers, the highest bit first."""
    polynomials, initial = (each.astype(np.uint64) for each in _table())
    numbers = np.ones((len(polynomials), bits), np.uint64)
    degrees = np.array([int(each).bit_length() - 1 for each in polynomials])
    degrees[0] = 0  # the first sequence is van der Corput's, of ones alone
    for degree in range(1, int(degrees.max()) + 1):
        rows = degrees == degree
        numbers[rows] = _extended(polynomials[rows], initial[rows, :degree], bits)
    shifts = np.arange(bits - 1, -1, -1, dtype=np.uint64)
    return (numbers << shifts).astype(np.uint32 if bits == 32 else np.uint64)


def _extended(
    polynomials: np.ndarray[Any, Any], initial: np.ndarray[Any, Any], bits: int
) -> np.ndarray[Any, Any]:
    """The initial numbers, and those that the recurrence of a polynomial makes of them."""
    degree = initial.shape[1]
    made = np.empty((len(initial), bits), np.uint64)
    made[:, :degree] = initial
    for j in range(degree, bits):
        made[:, j] = made[:, j - degree]
        for k in range(1, degree + 1):
            has_term = (polynomials >> np.uint64(degree - k)) & np.uint64(1)
            made[:, j] ^= has_term * (made[:, j - k] << np.uint64(k))
    return made
