"""Random numbers in our arrays.

`default_rng(seed)` makes a generator by counter (Philox 4x32-10), whose numbers are the same on
all devices and fuse with what is computed of them. `Generator(PCG64(seed))` and NumPy's other bit
generators, `RandomState(seed)` and the functions without a generator (`seed`, `rand`, `normal` and
so on) give NumPy's numbers, seed for seed, which are made on the host.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import numpy as np

from .counters import Philox4x32, SeedSequence
from .generator import Generator, default_rng
from .numpys import MT19937, PCG64, PCG64DXSM, SFC64, Philox, RandomState

BitGenerator = np.random.BitGenerator  # the class of NumPy's

__all__ = [
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "SFC64",
    "BitGenerator",
    "Generator",
    "Philox",
    "Philox4x32",
    "RandomState",
    "SeedSequence",
    "default_rng",
]

_made = threading.Lock()
_shared: RandomState | None = None  # the generator of the functions without one
_OF_STATE = {"ranf": "random_sample", "sample": "random_sample", "random": "random_sample"}


@cache
def _legacy() -> list[str]:
    return [each for each in np.random.__all__ if each not in __all__ and each[0].islower()]


def __getattr__(name: str) -> Any:
    global _shared
    if name not in _legacy():
        raise AttributeError(f"module 'phalanx.random' has no attribute {name!r}")
    with _made:
        if _shared is None:
            _shared = RandomState()
    return getattr(_shared, _OF_STATE.get(name, name))


def __dir__() -> list[str]:
    return sorted([*__all__, *_legacy()])
