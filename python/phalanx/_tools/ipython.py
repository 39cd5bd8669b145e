"""What ``%load_ext phalanx`` does in IPython and notebooks.

Errors are shown up to the line of the cell, as `_core.tracebacks` says, and the magic commands of
the profiler are there.
"""

from __future__ import annotations

import importlib
from types import TracebackType
from typing import Any

from .._core import tracebacks


def load_ipython_extension(ipython: Any) -> None:
    """Shows errors without our frames, and registers the magic commands."""
    ipython.set_custom_exc((Exception,), _show)
    _register_magic(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """Shows errors as IPython does again; magic commands stay."""
    ipython.set_custom_exc((), None)


def _register_magic(ipython: Any) -> None:
    try:
        magic = importlib.import_module("phalanx._profile.magic")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("phalanx._profile"):
            raise
        return  # an installation without the profiler
    magic.register_magic(ipython)


def _show(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    part = tracebacks.without_own_end(error, traceback) if tracebacks.is_wanted() else traceback
    shell.showtraceback((kind, error.with_traceback(part), part), tb_offset=tb_offset)
    error.__traceback__ = traceback
