"""Launches that can be run again: what ``PHALANX_REPLAY`` saves."""

from __future__ import annotations

import copy
import os
import pickle
import sys
from pathlib import Path
from typing import Any

from .._core.typed import P, R
from .._device.devices import synchronize
from .._device.transfer import as_cuda_array
from .._launch import arguments
from ..errors import DeviceError, OutOfMemoryError
from .dispatcher import Dispatcher

VERSION = 1


class Recorder(Dispatcher[P, R]):
    """A dispatcher whose launches save their arguments first, and wait.

    When a launch fails on the device, the saved launch is written to the file (or into the folder)
    that ``PHALANX_REPLAY`` names, and the error has a note that says how to run it again.
    """

    def __getitem__(self, config: Any, /) -> Any:
        return RecordedLaunch(self, config, super().__getitem__(config))


class RecordedLaunch:
    """What ``kernel[grid, block]`` is when launches are recorded."""

    def __init__(self, kernel: Dispatcher[..., Any], config: Any, launch: Any) -> None:
        self._kernel = kernel
        self._config = config
        self._launch = launch

    def __call__(self, *args: Any, **named: Any) -> None:
        """Saves the arguments, launches and waits; writes them to the file if that fails."""
        if named:
            args = self._kernel._bind(args, named)
        saved = pickled(self._kernel, self._config, args)
        try:
            self._launch(*args)
            synchronize()
        except OutOfMemoryError:
            raise
        except DeviceError as error:
            path = _path_for(self._kernel)
            path.write_bytes(saved)
            error.add_note(
                f"The launch was saved. To see its fault: python -m phalanx replay {path}"
            )
            raise


def _path_for(kernel: Dispatcher[..., Any]) -> Path:
    path = Path(os.environ.get("PHALANX_REPLAY") or f"{kernel.__name__}.replay")
    return path / f"{kernel.__name__}.replay" if path.is_dir() else path


def pickled(kernel: Dispatcher[..., Any], config: Any, args: tuple[Any, ...]) -> bytes:
    """A launch as the bytes of a replay file: where its kernel is, its sizes and its arguments.

    Raises `pickle.PicklingError` for arguments that cannot be saved.
    """
    grid, block, *rest = config
    function = kernel.py_func
    return pickle.dumps(
        {
            "version": VERSION,
            "module": function.__module__,
            "file": function.__code__.co_filename,
            "name": function.__qualname__,
            "grid": grid,
            "block": block,
            "sharedmem": rest[1] if len(rest) > 1 else 0,
            "compat": any(type(each).__module__ == "phalanx.compat" for each in sys.meta_path),
            "path": list(sys.path),
            "arguments": pickle.dumps(tuple(_on_host(arg) for arg in args)),
        }
    )


def _on_host(value: Any) -> Any:
    """A copy of an argument that outlives the launch and the device."""
    if isinstance(value, (arguments.In, arguments.Out, arguments.InOut)):
        return _on_host(value.value)
    if isinstance(value, tuple):
        parts = [_on_host(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if hasattr(value, "copy_to_host"):
        return value.copy_to_host()
    if hasattr(value, "__cuda_array_interface__") and not hasattr(value, "__array_interface__"):
        return as_cuda_array(value).copy_to_host()
    return copy.copy(value)
