"""``cupy.random``: the arrays' generators, one that all share, CuPy's names of bit generators.

The numbers are NumPy's of the same seed, not cuRAND's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

_random = px.random
SeedSequence = _random.SeedSequence
BitGenerator = np.random.BitGenerator


class XORWOW(np.random.PCG64):
    """The default bit generator, whose numbers are those of NumPy's `PCG64`."""


class MRG32k3a(np.random.PCG64DXSM):
    """A bit generator, whose numbers are those of NumPy's `PCG64DXSM`."""


class Philox4x3210(np.random.Philox):
    """A bit generator by counter, whose numbers are those of NumPy's `Philox`."""


class Generator(_random.Generator):  # type: ignore[misc,name-defined]
    """Draws from distributions, of a bit generator, which may be changed for another one."""

    @property
    def bit_generator(self) -> Any:
        """Where the random bits come from."""
        return self._own.bit_generator

    @bit_generator.setter
    def bit_generator(self, value: Any) -> None:
        self._own = np.random.Generator(value)


def default_rng(seed: Any = None) -> Any:
    """A generator of a seed or a bit generator; a generator as it is."""
    if isinstance(seed, _random.Generator):
        return seed
    known = isinstance(seed, np.random.BitGenerator)
    return Generator(seed if known else XORWOW(_as_host(seed)))


class RandomState(_random.RandomState):  # type: ignore[misc,name-defined]
    """The legacy generator. Distributions take the dtype of the result, as CuPy's do."""

    def __init__(self, seed: Any = None, method: int = 100) -> None:
        super().__init__(_as_host(seed))

    def seed(self, seed: Any = None) -> None:
        """Begins anew by a seed."""
        self._own.seed(_as_host(seed))


def _as_host(seed: Any) -> Any:
    return px.asarray(seed).get() if isinstance(seed, px.ndarray) else seed


def _with_dtype(name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
    def drawn(self: Any, *args: Any, dtype: Any = None, **options: Any) -> Any:
        if args and isinstance(args[-1], (type, np.dtype)):  # the last one of CuPy's
            *args, dtype = args  # type: ignore[assignment]
        made = draw(self, *args, **options)
        if isinstance(made, (bool, int, float)):  # CuPy's draws are arrays without dimensions
            made = px.asarray(made)
        return made if dtype is None else px.asarray(made).astype(dtype, copy=False)

    drawn.__name__ = drawn.__qualname__ = name
    drawn.__doc__ = draw.__doc__
    return drawn


# Of NumPy's RandomState these take a dtype already.
_TAKE_DTYPE = ("randint",)
_STATE = ("get_state", "set_state", "seed", "bytes", "shuffle", "permutation")
FUNCTIONS = tuple(
    name
    for name in dir(np.random.RandomState)
    if not name.startswith("_") and name not in ("get_state", "set_state", "seed")
)

for _name in FUNCTIONS:
    if _name not in (*_TAKE_DTYPE, *_STATE):
        setattr(RandomState, _name, _with_dtype(_name, getattr(_random.RandomState, _name)))


def _as_array(name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
    def drawn(self: Any, *args: Any, **options: Any) -> Any:
        made = draw(self, *args, **options)
        return px.asarray(made) if isinstance(made, (bool, int, float)) else made

    drawn.__name__ = drawn.__qualname__ = name
    drawn.__doc__ = draw.__doc__
    return drawn


for _name in dir(np.random.Generator):
    _draw = getattr(_random.Generator, _name, None)
    if not _name.startswith("_") and callable(_draw) and _name not in ("spawn", "bytes", "shuffle"):
        setattr(Generator, _name, _as_array(_name, _draw))
for _name in _TAKE_DTYPE:
    setattr(RandomState, _name, _as_array(_name, getattr(_random.RandomState, _name)))


def _random_integers(self: Any, low: int, high: int | None = None, size: Any = None) -> Any:
    """Whole numbers from `low` to `high`, which is one of them; from 1 to `low` without it."""
    return self.randint(1 if high is None else low, (low if high is None else high) + 1, size)


RandomState.random_integers = _random_integers

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
    if not isinstance(rs, _random.RandomState):
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
