"""``cupy.random``: generators that count, one that all share, CuPy's names of bit generators.

The numbers are those of `phalanx.random.default_rng`, the same on all devices, not cuRAND's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

_random = px.random
SeedSequence = _random.SeedSequence
BitGenerator = _random.Philox4x32


class XORWOW(_random.Philox4x32):
    """CuPy's default bit generator by name: a `phalanx.random.Philox4x32`."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(_as_host(seed))


class MRG32k3a(XORWOW):
    """A bit generator of CuPy's by name."""


class Philox4x3210(XORWOW):
    """A bit generator of CuPy's by name, and by its algorithm."""


def _as_host(seed: Any) -> Any:
    if not isinstance(seed, (px.ndarray, np.ndarray)):
        return seed
    return np.asarray(px.asarray(seed).get()).tolist()


def _array(made: Any, dtype: Any = None) -> Any:
    """CuPy's draws are arrays, also without dimensions; in that dtype if one is given."""
    if isinstance(made, (bool, int, float, np.generic)) or getattr(made, "_is_number", False):
        made = px.asarray(made)
    return made if dtype is None else made.astype(dtype, copy=False)


class Generator(_random.Generator):
    """Draws from distributions, of a bit generator, which may be changed for another one."""

    @property
    def bit_generator(self) -> Any:
        """Where the random bits come from."""
        return self._source

    @bit_generator.setter
    def bit_generator(self, value: Any) -> None:
        self._source = value


def _as_array(name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
    def drawn(self: Any, *args: Any, **options: Any) -> Any:
        return _array(draw(self, *args, **options), options.get("dtype"))

    drawn.__name__ = drawn.__qualname__ = name
    drawn.__doc__ = draw.__doc__
    return drawn


_NO_ARRAYS = ("spawn", "bytes", "shuffle", "bit_generator")
for _name in dir(np.random.Generator):
    if not _name.startswith("_") and _name not in _NO_ARRAYS:
        setattr(Generator, _name, _as_array(_name, getattr(_random.Generator, _name)))


def default_rng(seed: Any = None) -> Any:
    """A generator of a seed or a bit generator; a generator as it is."""
    if isinstance(seed, _random.Generator):
        return seed
    is_known = isinstance(seed, (_random.Philox4x32, np.random.BitGenerator))
    return Generator(seed if is_known else XORWOW(seed))


class RandomState:
    """The legacy generator. Distributions take the dtype of the result, as CuPy's do."""

    def __init__(self, seed: Any = None, method: int = 100) -> None:
        self._generator = default_rng(seed)

    def seed(self, seed: Any = None) -> None:
        """Begins anew by a seed."""
        self._generator = default_rng(seed)

    def rand(self, *size: int, dtype: Any = float) -> Any:
        """Uniform on [0, 1), of those extents."""
        return self.random_sample(size, dtype)

    def randn(self, *size: int, dtype: Any = float) -> Any:
        """Normal, of mean 0 and standard deviation 1, of those extents."""
        return self.standard_normal(size, dtype)

    def random_sample(self, size: Any = None, dtype: Any = float) -> Any:
        """Uniform on [0, 1), in float32 or float64."""
        return _array(self._generator.random(size, dtype), dtype)

    def standard_normal(self, size: Any = None, dtype: Any = float) -> Any:
        """Normal, of mean 0 and standard deviation 1, in float32 or float64."""
        return _array(self._generator.standard_normal(size, dtype), dtype)

    def standard_exponential(self, size: Any = None, dtype: Any = float) -> Any:
        """Exponential, of mean 1, in float32 or float64."""
        return _array(self._generator.standard_exponential(size, dtype), dtype)

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = float) -> Any:
        """Gamma, of that shape and scale 1, in float32 or float64."""
        return _array(self._generator.standard_gamma(shape, size, dtype), dtype)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Whole numbers from `low` to below `high`; below `low` without it."""
        return _array(self._generator.integers(low, high, size, dtype))

    def random_integers(self, low: int, high: int | None = None, size: Any = None) -> Any:
        """Whole numbers from `low` to `high`, which is one of them; from 1 to `low` without it."""
        low, high = (1, low) if high is None else (low, high)
        return _array(self._generator.integers(low, high, size, endpoint=True))

    def tomaxint(self, size: Any = None) -> Any:
        """Whole numbers of int64 that are not negative."""
        return _array(self._generator.integers(0, np.iinfo(np.int64).max, size, endpoint=True))

    def bytes(self, length: int) -> bytes:
        """That many random bytes."""
        return self._generator.bytes(length)  # type: ignore[no-any-return]

    def shuffle(self, a: Any) -> None:
        """Brings an array's rows into random order."""
        self._generator.shuffle(a)

    def permutation(self, a: Any) -> Any:
        """A copy with the rows in random order; of an int, of its range."""
        return self._generator.permutation(a)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        """A sample of an array's elements, or of the numbers below an int."""
        if np.ndim(a) > 1:
            raise ValueError("a must be 1-dimensional")
        return _array(self._generator.choice(a, size, replace, p))


def _with_dtype(name: str) -> Callable[..., Any]:
    def drawn(self: RandomState, *args: Any, dtype: Any = None, **options: Any) -> Any:
        if args and isinstance(args[-1], (type, np.dtype, str)):  # the last one of CuPy's
            *args, dtype = args  # type: ignore[assignment]
        return _array(getattr(self._generator, name)(*args, **options), dtype)

    drawn.__name__ = drawn.__qualname__ = name
    drawn.__doc__ = getattr(_random.Generator, name).__doc__
    return drawn


FUNCTIONS = tuple(
    name
    for name in dir(np.random.RandomState)
    if not name.startswith("_") and name not in ("get_state", "set_state", "seed")
)
for _name in FUNCTIONS:
    if not hasattr(RandomState, _name):
        setattr(RandomState, _name, _with_dtype(_name))

_shared: RandomState | None = None


def get_random_state() -> RandomState:
    """The generator that the functions of this module draw from."""
    global _shared
    if _shared is None:
        _shared = RandomState()
    return _shared


def set_random_state(rs: RandomState) -> None:
    """Makes a generator the one that the functions of this module draw from."""
    global _shared
    if not isinstance(rs, RandomState):
        raise TypeError(f"Random state must be an instance of RandomState. Actual: {type(rs)}")
    _shared = rs


def reset_states() -> None:
    """The next functions draw from a new generator."""
    global _shared
    _shared = None


def seed(seed: Any = None) -> None:
    """Begins anew by a seed."""
    get_random_state().seed(seed)


_RENAMED = {"ranf": "random_sample", "sample": "random_sample", "random": "random_sample"}


def __getattr__(name: str) -> Any:
    wanted = _RENAMED.get(name, name)
    if wanted not in FUNCTIONS:
        raise AttributeError(f"module 'cupy.random', served by phalanx, has no attribute {name!r}")

    def draw(*args: Any, **options: Any) -> Any:
        return getattr(get_random_state(), wanted)(*args, **options)

    draw.__name__ = draw.__qualname__ = name
    draw.__doc__ = f"As `RandomState.{wanted}` of the shared generator."
    globals()[name] = draw
    return draw


def __dir__() -> list[str]:
    return sorted({*globals(), *FUNCTIONS, *_RENAMED})
