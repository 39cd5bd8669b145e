"""What happens to CPU functions that Phalanx cannot compile: the installed Numba, or Python.

`PHALANX_FALLBACK`, or `set_fallback`, says which: ``"numba"``, ``"python"``, or ``"error"``, the
default outside of ``python -m phalanx run``. Kernels never fall back.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from .._types import numba_objects
from ..errors import CompileError

POLICIES = ("numba", "python", "error")
_DEFAULT = "error"

# What a refusal is: mistakes in the source, types and values that compiled code does not have.
REFUSALS: tuple[type[Exception], ...] = (
    CompileError,
    TypeError,
    ValueError,
    OverflowError,
    NotImplementedError,
    OSError,
)


@dataclass(frozen=True)
class Row:
    """A function that was handed over: where it is, to what, and why."""

    file: str
    line: int
    name: str
    to: str
    reason: str


class _State:
    """What the process was told, and what happened since."""

    policy: str | None = None
    handed_over: dict[tuple[str, int, str], Row]
    compiled: set[tuple[str, int, str]]

    def __init__(self) -> None:
        self.handed_over = {}
        self.compiled = set()


_state = _State()


def policy() -> str:
    """What happens to functions that do not compile: one of `POLICIES`."""
    if _state.policy is None:
        set_fallback(os.environ.get("PHALANX_FALLBACK") or _DEFAULT)
    return str(_state.policy)


def set_fallback(policy: str) -> None:
    """Says what happens from now on to CPU functions that do not compile.

    ``"error"`` raises `CompileError`; ``"numba"`` lets the installed Numba compile them;
    ``"python"`` leaves them in Python. A function that was handed over stays where it is.

    Raises `ValueError` for another word, and for ``"numba"`` where Numba is not installed.
    """
    if policy not in POLICIES:
        raise ValueError(f"there is no fallback {policy!r}: it is one of {', '.join(POLICIES)}")
    if policy == "numba" and numba_objects.find_installed() is None:
        raise ValueError(
            "the fallback 'numba' needs Numba, which is not installed: pip install numba, or "
            "choose 'python' or 'error'"
        )
    _state.policy = policy


def numba_jit() -> Callable[..., Any]:
    """The installed Numba's own `jit`."""
    import importlib

    found: Callable[..., Any] = importlib.import_module("numba.core.decorators").jit
    return found


def is_refusal(error: BaseException) -> bool:
    """Returns whether the error refuses to compile something; overloads raise Numba's own."""
    return isinstance(error, (*REFUSALS, *numba_errors()))


def numba_errors() -> tuple[type[BaseException], ...]:
    """What Numba raises for functions that it does not compile; none while it is not imported."""
    if numba_objects.installed() is None:
        return ()
    errors: Any = sys.modules["numba.core.errors"]
    return errors.NumbaError, errors.UnsupportedBytecodeError


def _key(function: Any) -> tuple[str, int, str]:
    code = function.__code__
    return code.co_filename, code.co_firstlineno, function.__qualname__


def note_compiled(function: Any) -> None:
    """Counts a function for which there is code of ours."""
    _state.compiled.add(_key(function))


def note(function: Any, error: BaseException, to: str) -> None:
    """Remembers that a function was handed over."""
    key = _key(function)
    reason = _sentence(error)
    _state.handed_over.setdefault(key, Row(*key, to=to, reason=reason))


def _sentence(error: BaseException) -> str:
    """What is missing, in one line."""
    known = getattr(error, "sentence", "")
    lines = [each.strip() for each in (known or str(error)).splitlines() if each.strip()]
    if not lines:
        return type(error).__name__
    line = getattr(error, "line", 0) if known else 0
    return f"{lines[0]} (line {line})" if line else lines[0]


def instead_of(function: Any, given: Any, options: dict[str, Any], error: BaseException) -> Any:
    """What a decorator gives that cannot decorate `function` with these arguments.

    Raises `error` where functions do not fall back, and both errors where Numba fails too.
    """
    if policy() == "error":
        raise error
    if policy() == "python":
        note(function, error, "python")
        return function
    try:
        made = numba_jit()(given, **options)
        made = made if given is function else made(function)
    except Exception as second:
        raise_both(function.__name__, error, second)
    note(function, error, "numba")
    return made


def raise_both(name: str, first: BaseException, second: BaseException) -> NoReturn:
    """Raises what says that neither Phalanx nor Numba compiles a function, of both classes."""
    text = (
        f"{name} is compiled neither by Phalanx nor by Numba.\n\nPhalanx: {first}\n\n"
        f"Numba: {second}"
    )
    kind: type[BaseException] = _both(type(second))  # type: ignore[arg-type]
    error = kind.__new__(kind, text)
    error.__dict__.update(vars(second))
    error.args = (text,)
    raise error from first


@functools.cache
def _both(second: type[BaseException]) -> type[BaseException]:
    """An error of ours that programs which expect Numba's catch too."""

    def reduce(error: BaseException) -> tuple[Any, ...]:
        return _remade, (second, error.args, vars(error))

    members = {
        "__doc__": "Neither compiler takes the function.",
        "__str__": _text_of,
        "__reduce__": reduce,
    }
    return type("FallbackError", (CompileError, second), members)


def _remade(second: Any, args: tuple[Any, ...], state: dict[str, Any]) -> BaseException:
    """A `FallbackError` that was pickled."""
    kind: Any = _both(second)
    error: BaseException = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _text_of(error: BaseException) -> str:
    return str(error.args[0])


def rows() -> list[dict[str, Any]]:
    """What was handed over, in the order in which it happened."""
    return [asdict(each) for each in _state.handed_over.values()]


def counts() -> tuple[int, int]:
    """How many functions were compiled by Phalanx, and how many there were in all."""
    ours = _state.compiled - _state.handed_over.keys()
    return len(ours), len(ours) + len(_state.handed_over)


_HOW = {"numba": "compiled by Numba", "python": "left in Python"}
_SHOWN = 20


def summary() -> str:
    """The lines that `phalanx run` ends with; empty if nothing was handed over."""
    found = list(_state.handed_over.values())
    if not found:
        return ""
    ours, total = counts()
    lines = [f"phalanx run: {ours} of {total} CPU functions compiled by Phalanx. The others:"]
    lines += [
        f"  {row.file}:{row.line}: {row.name}, {_HOW[row.to]}: {row.reason}"
        for row in found[:_SHOWN]
    ]
    if len(found) > _SHOWN:
        lines.append(f"  and {len(found) - _SHOWN} more (PHALANX_FALLBACK_LOG=FILE has them all)")
    return "\n".join(lines)


def report() -> None:
    """Prints the summary, and writes it to `PHALANX_FALLBACK_LOG`, one JSON object a line."""
    text = summary()
    if text:
        print(text, file=sys.stderr)
    path = os.environ.get("PHALANX_FALLBACK_LOG")
    if path:
        _write(path)


def _write(path: str) -> None:
    import json

    ours = sorted(_state.compiled - _state.handed_over.keys())
    compiled = [
        {"file": file, "line": line, "name": name, "to": "phalanx", "reason": ""}
        for file, line, name in ours
    ]
    with open(path, "a") as file:  # noqa: PTH123  (pathlib costs an import)
        file.writelines(json.dumps(row) + "\n" for row in compiled + rows())
