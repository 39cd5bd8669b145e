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
    if (magic := _magic()) is not None:
        magic.register_magic(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """Shows errors as IPython does again, and takes the magic commands away."""
    ipython.set_custom_exc((), None)
    if (magic := _magic()) is not None:
        magic.remove_magic(ipython)


def _magic() -> Any:
    """The module of the magic commands; None in an installation without the profiler."""
    try:
        return importlib.import_module("phalanx._profile.magic")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("phalanx._profile"):
            raise
        return None


def _show(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    if not tracebacks.is_wanted():
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
        return
    with tracebacks.shortened(error, traceback) as part:
        shell.showtraceback((kind, error, part), tb_offset=tb_offset)
