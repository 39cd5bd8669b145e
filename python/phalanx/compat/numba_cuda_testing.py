"""``numba.cuda.testing``: what the tests of projects that use numba.cuda are written with."""

from __future__ import annotations

import contextlib
import io
import unittest
from collections.abc import Callable, Iterator
from typing import Any

from . import numba_config
from ._placeholders import names_of

_QUIET = ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY")


class CUDATestCase(unittest.TestCase):
    """A test of kernels, without the warnings of small grids and host arrays."""

    def setUp(self) -> None:
        """Puts the warnings off."""
        self._settings = {name: getattr(numba_config, name) for name in _QUIET}
        for name in _QUIET:
            setattr(numba_config, name, 0)

    def tearDown(self) -> None:
        """Puts them back."""
        for name, value in self._settings.items():
            setattr(numba_config, name, value)


class ContextResettingTestCase(CUDATestCase):
    """A test that leaves no memory allocated."""

    def tearDown(self) -> None:
        """Gives the memory back."""
        super().tearDown()
        from ..cuda import close

        close()


def skip_on_cudasim(reason: str) -> Callable[[Any], Any]:
    """The test as it is: kernels are compiled here, nothing is simulated."""
    return lambda test: test


def skip_unless_cudasim(reason: str) -> Callable[[Any], Any]:
    """Skips the test: there is no simulator."""
    return unittest.skip(reason)


@contextlib.contextmanager
def captured_stdout() -> Iterator[io.StringIO]:
    """What Python prints in a ``with`` block; kernels print to the process's own output."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        yield text


__all__ = [
    "CUDATestCase",
    "ContextResettingTestCase",
    "captured_stdout",
    "skip_on_cudasim",
    "skip_unless_cudasim",
    "unittest",
]

__getattr__ = names_of("numba.cuda.testing")
