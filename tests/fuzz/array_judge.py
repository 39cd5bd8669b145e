"""The judge of random programs of arrays: NumPy, line by line, and the variables at the end."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import array_rules as rules
import numpy as np
from array_programs import Program, removals

import phalanx as px
from phalanx import _engine

# A line may have two of these, of which NumPy names another one first.
FAULTS = (
    *("casting rule", "broadcast", "read-only", "not supported for", "out of bounds"),
    "complex",
)


class Difference(NamedTuple):
    kind: str  # "error", "look", "value" or "type"; what is left of a program has the same
    text: str


def _step(text: str, names: dict[str, Any]) -> Exception | None:
    try:
        exec(text, names)
    except Exception as error:
        return error
    return None


def _is_same_error(ours: Exception | None, numpys: Exception | None) -> bool:
    if numpys is None or ours is None:
        return ours is numpys
    if all(any(fault in str(each) for fault in FAULTS) for each in (ours, numpys)):
        return True
    kinds = (IndexError, OverflowError, TypeError, ZeroDivisionError, ValueError, AttributeError)
    return any(isinstance(ours, kind) and isinstance(numpys, kind) for kind in kinds)


def _value_difference(
    owner: type, ours: Any, numpys: Any, tolerance: float | None
) -> Difference | None:
    """How an array of ours differs; with a tolerance where its roundings may."""
    expected = np.asarray(numpys)
    if not isinstance(ours, owner):
        return Difference("type", f"a {type(ours).__name__}")
    if (ours.shape, ours.dtype) != (expected.shape, expected.dtype):
        return Difference(
            "type", f"{ours.dtype}{ours.shape}, NumPy has {expected.dtype}{expected.shape}"
        )
    try:
        host = np.array(ours)
    except Exception as error:
        return Difference("look", repr(error))
    if expected.dtype.kind in "fc" and tolerance is not None:
        wide = "c16" if expected.dtype.kind == "c" else "f8"
        near = np.isclose(host.astype(wide), expected.astype(wide), 0, tolerance, equal_nan=True)
        same = bool(near.all())
    else:
        same = np.array_equal(host, expected, equal_nan=expected.dtype.kind in "fc")
    if same:
        return None
    return Difference(
        "value", f"{str(host.tolist())[:400]}, NumPy has {str(expected.tolist())[:400]}"
    )


def difference(program: Program) -> Difference | None:
    """How ours differs: the error of a line, or a variable at the end.

    Raises `rules.Unspecified` where the program has no one right result, or is none.
    """
    numpys: dict[str, Any] = {"np": np, "xp": np}
    ours: dict[str, Any] = {"np": np, "xp": px}
    for line in program.lines:
        with (
            warnings.catch_warnings(record=True) as told,
            np.errstate(all="ignore", invalid="warn"),
        ):
            warnings.simplefilter("always")
            problem = _step(line.text, numpys)
            if isinstance(problem, NameError) or rules.is_unspecified(told):
                raise rules.Unspecified
            error = _step(line.text, ours)
        if not _is_same_error(error, problem):
            return Difference("error", f"{line.text}: {error!r}, NumPy: {problem!r}")
    rounded = program.lines[-1].rounded if program.lines else frozenset()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        # NumPy's arrays of the same memory, whose names begin with h, are copies on a GPU.
        kinds = "vh" if _engine.current_device().is_host else "v"
        for name in sorted(name for name in numpys if name[0] in kinds):
            tolerance = program.tolerance if name in rounded else None
            owner = np.ndarray if name[0] == "h" else px.ndarray
            found = _value_difference(owner, ours.get(name), numpys[name], tolerance)
            if found is not None:
                return found._replace(text=f"{name} is {found.text}")
    return None


def shrunk(program: Program, kind: str) -> Program:
    """The program without the lines that it differs in the same manner without."""
    for candidate in removals(program):
        try:
            found = difference(candidate)
        except rules.Unspecified:
            continue
        if found is not None and found.kind == kind:
            return shrunk(candidate, kind)
    return program


def describe(program: Program) -> str:
    """How the program differs, with what is left of its lines; empty where it does not."""
    found = difference(program)
    if found is None:
        return ""
    least = shrunk(program, found.kind)
    again = difference(least) or found
    lines = least.text.replace("\n", "\n    ").rstrip()
    return f"{again.text}\n    {lines}\n"
