"""Runs saved launches again, in check mode."""

from __future__ import annotations

import ast
import copy
import importlib
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import compat
from .._core import check as _check
from .._kernels.dispatcher import Dispatcher
from .._kernels.recording import VERSION
from ..errors import KernelError

# What a replay looks for unless it is told otherwise: all that is a fault for certain.
DEFAULT_CHECK = "bounds,division,races,uninitialized,barriers,masks,unassigned"


def replay(path: str, check: str = DEFAULT_CHECK) -> int:
    """Runs a saved launch on the CPU device in check mode; returns the process's exit status.

    1 where the launch has a fault, which is printed, 0 where it has none. Raises `ValueError` for a
    file that is none, or whose kernel is not found.
    """
    try:
        saved = pickle.loads(Path(path).read_bytes())
        is_known = saved["version"] == VERSION
    except (pickle.UnpicklingError, TypeError, KeyError, EOFError):
        is_known = False
    if not is_known:
        raise ValueError(f"{path} is no launch that this version of Phalanx has saved")
    if saved["compat"]:
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


def _kernel_of(saved: dict[str, Any]) -> Dispatcher[..., Any]:
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
