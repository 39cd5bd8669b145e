"""Functions of arrays that give a number, compiled and run over many slices of one array."""

from __future__ import annotations

import functools
import inspect
import linecache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._functions import fallback
from ..._functions.decorators import njit
from .compiling.kinds import Refused, kind_of_value

if TYPE_CHECKING:
    from .compiled import UserFunction

# What compiled code would do at another time, or not as Python does.
_EFFECTS = frozenset(("print", "random", "open", "input", "rand", "randn", "append", "time"))


@functools.cache
def _driver(count: int) -> Any:
    """The loop over the slices, for functions with `count` further numbers."""
    rest = "".join(f", number_{i}" for i in range(count))
    text = (
        f"def over_slices(function, values, starts, ends, out{rest}):\n"
        "    for i in prange(len(starts)):\n"
        f"        out[i] = function(values[starts[i]:ends[i]]{rest})\n"
    )
    name = f"<slices with {count} numbers>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    from ..._functions import prange

    names: dict[str, Any] = {"prange": prange}
    exec(compile(text, name, "exec"), names)
    return njit(names["over_slices"], parallel=True, error_model="numpy")


@functools.lru_cache(maxsize=256)
def _compiled(function: Any) -> Any:
    return njit(function, error_model="numpy")


def over_slices(
    function: UserFunction, values: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> np.ndarray:
    """What a function gives for each slice of an array. Raises Refused where it is not compiled.

    The function has NumPy's arithmetic, as in NumPy's arrays. Python computes the first slice too:
    a function of which that has another result, or another kind of number, is refused.
    """
    plain = function.function
    if not inspect.isfunction(plain):
        raise Refused(f"a {type(plain).__name__}, which is not a Python function")
    if _EFFECTS & set(plain.__code__.co_names):
        raise Refused("a function that does more than compute")
    numbers = _numbers_of(function)
    values = np.ascontiguousarray(values)
    try:
        compiled = _compiled(plain)
        first = compiled(values[starts[0] : ends[0]], *numbers)
        kind = kind_of_value(first)
        if kind is None:
            raise Refused(f"a result that is a {type(first).__name__}")
        _check_first(function, values[starts[0] : ends[0]], first)
        out = np.empty(len(starts), {"int": np.int64, "float": np.float64, "bool": bool}[kind.base])
        _driver(len(numbers))(compiled, values, starts, ends, out, *numbers)
    except Refused:
        raise
    except Exception as error:
        # What the function itself raises Python will raise again.
        reason = fallback._sentence(error) if fallback.is_refusal(error) else str(error)
        raise Refused(reason) from None
    return out


def _numbers_of(function: UserFunction) -> list[Any]:
    """The further arguments, which must be numbers, by position."""
    try:
        bound = inspect.signature(function.function).bind(None, *function.args, **function.kwargs)
    except TypeError as error:
        raise Refused(str(error)) from None
    if bound.kwargs:
        raise Refused("keyword-only arguments")
    numbers = list(bound.args[1:])
    if any(kind_of_value(each) is None for each in numbers):
        raise Refused("arguments that are no numbers")
    return numbers


def _check_first(function: UserFunction, part: np.ndarray, found: Any) -> None:
    with np.errstate(all="ignore"):
        wanted = function(part.copy())
    kind, own = kind_of_value(wanted), kind_of_value(found)
    if kind is None or own is None or kind.base != own.base:
        raise Refused(f"a result of another type in Python: {type(wanted).__name__}")
    if not np.isclose(float(wanted), float(found), rtol=1e-9, atol=0, equal_nan=True):
        raise Refused("a result that is another number in Python")
