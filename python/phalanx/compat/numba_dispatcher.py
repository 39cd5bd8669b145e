"""``numba.core.dispatcher`` and ``numba.core.registry``: the classes that programs ask for."""

from __future__ import annotations

import abc

from .._functions import Function
from ..cuda import Dispatcher as CUDADispatcher

__all__ = ["CPUDispatcher", "Dispatcher"]

CPUDispatcher = Function


class Dispatcher(abc.ABC):  # noqa: B024  (for isinstance alone)
    """What a decorator of Numba's makes, for the CPU or a GPU."""


Dispatcher.register(CPUDispatcher)
Dispatcher.register(CUDADispatcher)
