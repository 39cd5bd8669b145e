"""The kernels around a user's function: the engine makes the loops and calls the function in them.

The forms, by how the operands lie in memory (``phalanx/numpy/elementwise_kernel.h``):

- ``flat``: the arrays are without gaps and of one shape; thread i does element i.
- ``rows``: any strides; the innermost dimension runs along x, the others are counted by row, so
  that addresses within a row are linear.
- ``items``: any strides and short rows; each thread works out its own indices.
- ``reduce``, ``reduce rows``: of a function that combines two elements
  (``phalanx/numpy/reduction_kernel.h``).
- ``stacked``: of a gufunc, whose function takes items of arrays; each thread calls it for one.
"""

from __future__ import annotations

from typing import Any

from .. import _engine
from .._kernels import options
from .._kernels.dispatcher import Dispatcher
from .._launch import front_end


class ItemKernel(Dispatcher[..., Any]):
    """The kernel of a form: takes what the function takes, and then the output."""

    def __init__(self, core: Any, form: str) -> None:
        super().__init__(core.py_func, options.read({}))
        self.__name__ = core.__name__ if core.__name__.isidentifier() else "ufunc"
        self._core = core
        self._form = form

    def _identity(self, lines: bool) -> bytes | None:
        around = ("items", self._form, self._core)
        return front_end.fingerprint(self.py_func, lines=lines, around=around)

    def _front_end(self, types: tuple[_engine.Type, ...]) -> _engine.Module:
        chosen = self.options.frontend_options()
        return _engine.compile_for_items(
            self._core, list(types), self.__name__, self._form, **chosen
        )
