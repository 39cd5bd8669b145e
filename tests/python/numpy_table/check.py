"""Runs one cell of the table, here and in NumPy."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import phalanx.cuda
from from_text import function_with

import phalanx

from .cells import Cell
from .compare import difference
from .differences import breaks_numpy, is_listed
from .operands import OPERANDS, OperandSpec, specs

# What NumPy's errors are here.
_ERRORS = (
    ValueError,
    IndexError,
    MemoryError,
    ZeroDivisionError,
    np.linalg.LinAlgError,
    phalanx.CompileError,
)


@lru_cache(1)
def _functions(call: str, parameters: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    lines = call.replace("; ", "\n")
    body = lines if "return" in lines else f"return {lines}"
    function = function_with(body, parameters, np=np)
    return function, phalanx.njit(cache=False)(function)


def functions_of(cell: Cell) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The cell's call as a function of its operands, and the same compiled.

    Cells that follow each other share one, which compiles once for each tuple of types.
    """
    return _functions(cell.call, ", ".join(cell.operands))


def operands_of(cell: Cell, spec: OperandSpec) -> list[Any]:
    """New operands, which the call may write to."""
    return [OPERANDS[name](spec) for name in cell.operands]


def _outcome(function: Callable[..., Any], operands: list[Any]) -> Any:
    try:
        return function(*operands)
    except Exception as error:
        return error


def _is_claimed(cell: Cell) -> bool:
    kind = np.dtype(cell.dtype).kind
    return kind in cell.row.kinds and str(cell.ndim) in cell.row.ndims and cell.dtype != "float16"


def _refusal(cell: Cell, error: Exception, expected: Any) -> str:
    """What is wrong with a CompileError, empty where nothing is."""
    text = str(error)
    if "Register one with overload" in text or len(text.strip().splitlines()) < 2:
        return f"a refusal without help: {text.strip().splitlines()[-1]}"
    if _is_claimed(cell) and not isinstance(expected, Exception) and cell.layout != "broadcast":
        return "refused: " + " | ".join(text.splitlines()[-2:])
    return ""


def _judged(cell: Cell, actual: Any, expected: Any) -> str:
    if isinstance(actual, phalanx.CompileError):
        return _refusal(cell, actual, expected)
    if isinstance(actual, Exception):
        if isinstance(expected, Exception) and isinstance(actual, _ERRORS):
            return ""
        return f"raises {type(actual).__name__}: {str(actual)[:120]}"
    if isinstance(expected, Exception):
        return f"gives {actual!r:.60}, where NumPy raises {type(expected).__name__}"
    return difference(actual, expected)


class Problem(NamedTuple):
    """One result that is not NumPy's."""

    cell: Cell
    spec: OperandSpec
    text: str

    def __str__(self) -> str:
        text = " ".join(self.text.split())
        return f"{self.cell} of shape {self.spec.shape}, {self.spec.values}: {text}"


def problems(cell: Cell) -> list[Problem]:
    """What is not as in NumPy and not listed."""
    function, compiled = functions_of(cell)
    found: list[Problem] = []
    for spec in specs(cell.dtype, cell.ndim, cell.layout, cell.row.is_square):
        if breaks_numpy(cell, spec):
            continue
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = _outcome(function, operands_of(cell, spec))
            actual = _outcome(compiled, operands_of(cell, spec))
        problem = _judged(cell, actual, expected)
        if problem and not is_listed(cell, spec, problem):
            found.append(Problem(cell, spec, problem))
        if isinstance(actual, phalanx.CompileError):
            break  # the types are the same for all specs
    return found


def kernel_problems(cell: Cell) -> list[Problem]:
    """The same of a call that gives one number, in a kernel of one thread."""
    call = cell.call
    names = cell.operands
    function = function_with(f"return {call}", ", ".join(names), np=np)
    kernel = phalanx.cuda.jit(
        function_with(f"result[0] = {call}", ", ".join([*names, "result"]), np=np)
    )
    found: list[Problem] = []
    for spec in specs(cell.dtype, cell.ndim, cell.layout, cell.row.is_square):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = _outcome(function, operands_of(cell, spec))
            # Kernels raise nothing: what an empty array has no answer for is not asked.
            if isinstance(expected, Exception) or np.ndim(expected) or 0 in spec.shape:
                continue
            out = np.zeros(1, np.asarray(expected).dtype)
            actual = _outcome(kernel[1, 1], [*operands_of(cell, spec), out])
        if isinstance(actual, phalanx.CompileError):
            break
        problem = _judged(cell, out[0] if actual is None else actual, expected)
        if problem and not is_listed(cell, spec, problem):
            found.append(Problem(cell, spec, f"in a kernel: {problem}"))
    return found
