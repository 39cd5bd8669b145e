"""Launches that can be run again: what ``PHALANX_REPLAY`` saves, and how it is taken up."""

from __future__ import annotations

import ast
import copy
import importlib
import os
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import DeviceError, KernelError, OutOfMemoryError
from . import _arguments, _check
from ._dispatcher import Dispatcher

_VERSION = 1

# What a replay looks for unless it is told otherwise: all that is a fault for certain.
DEFAULT_CHECK = "bounds,division,races,uninitialized,barriers,masks,unassigned"


class Recorder(Dispatcher):
    """A dispatcher whose launches save their arguments first, and wait.

    When a launch fails on the device, the saved launch is written to the file (or into the folder)
    that ``PHALANX_REPLAY`` names, and the error has a note that says how to run it again.
    """

    def __getitem__(self, config: Any) -> Any:
        return RecordedLaunch(self, config, super().__getitem__(config))


class RecordedLaunch:
    """What ``kernel[grid, block]`` is when launches are recorded."""

    def __init__(self, kernel: Dispatcher, config: Any, launch: Any) -> None:
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
            from . import synchronize

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


def _path_for(kernel: Dispatcher) -> Path:
    path = Path(os.environ.get("PHALANX_REPLAY") or f"{kernel.__name__}.replay")
    return path / f"{kernel.__name__}.replay" if path.is_dir() else path


def pickled(kernel: Dispatcher, config: Any, args: tuple[Any, ...]) -> bytes:
    """A launch as the bytes of a replay file: where its kernel is, its sizes and its arguments.

    Raises `pickle.PicklingError` for arguments that cannot be saved.
    """
    grid, block, *rest = config
    function = kernel.py_func
    return pickle.dumps(
        {
            "version": _VERSION,
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
    if isinstance(value, (_arguments.In, _arguments.Out, _arguments.InOut)):
        return _on_host(value.value)
    if isinstance(value, tuple):
        parts = [_on_host(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if hasattr(value, "copy_to_host"):
        return value.copy_to_host()
    if hasattr(value, "__cuda_array_interface__") and not hasattr(value, "__array_interface__"):
        from . import as_cuda_array

        return as_cuda_array(value).copy_to_host()
    return copy.copy(value)


def replay(path: str, check: str = DEFAULT_CHECK) -> int:
    """Runs a saved launch on the CPU device in check mode; returns the process's exit status.

    1 where the launch has a fault, which is printed, 0 where it has none. Raises `ValueError` for a
    file that is none, or whose kernel is not found.
    """
    try:
        saved = pickle.loads(Path(path).read_bytes())
        is_known = saved["version"] == _VERSION
    except (pickle.UnpicklingError, TypeError, KeyError, EOFError):
        is_known = False
    if not is_known:
        raise ValueError(f"{path} is no launch that this version of Phalanx has saved")
    if saved["compat"]:
        from .. import compat

        compat.install()
    sys.path += [each for each in saved["path"] if each not in sys.path]
    kernel = _kernel_of(saved)
    arguments = pickle.loads(saved["arguments"])
    options = copy.copy(kernel.options)
    options.check = _check.read(check)
    name = kernel.__name__
    try:
        again = Dispatcher(kernel.py_func, options)
        again[saved["grid"], saved["block"], 0, saved["sharedmem"]](*arguments)
    except KernelError as error:
        print(error)
        return 1
    print(
        f"{name}: no fault found on the CPU device; looked for {', '.join(sorted(options.check))}"
    )
    return 0


def _kernel_of(saved: dict[str, Any]) -> Dispatcher:
    name = saved["name"]
    if "<locals>" in name:
        raise ValueError(
            f"kernel {name} of {saved['file']} is made inside a function, where a replay does not "
            "find it: move it to the top of its module, and save the launch again"
        )
    if saved["module"] == "__main__":
        module = _definitions_of(saved["file"])
    else:
        module = importlib.import_module(saved["module"])
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, Dispatcher):
        raise ValueError(f"{saved['file']} has no kernel {name} any more")
    return found


def _definitions_of(file: str) -> ModuleType:
    """The script's functions, classes, imports and values, without running what it does."""
    module = ModuleType("__main__")
    module.__file__ = file
    sys.modules["__main__"] = module  # its classes are found there by the arguments
    tree = ast.parse(Path(file).read_text(), file)
    for statement in _definitions_in(tree.body):
        try:
            exec(
                compile(ast.Module([statement], []), file, "exec", dont_inherit=True),
                module.__dict__,
            )
        except Exception:
            # A value that only the running script can make; a kernel that needs it says so.
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                raise
    return module


def _definitions_in(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    kinds = (
        ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
        ast.Try, ast.If,
    )  # fmt: skip
    for statement in body:
        is_guard = isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)
        if isinstance(statement, kinds) and not is_guard:
            yield statement
