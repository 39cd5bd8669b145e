"""Texts of offsets, as '2h' and 'QE-MAR', and the offset of anything that says one."""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np

from phalanx.errors import Pandas4Warning

from ..._core.warnings import say
from ..scalars.units import duration_count
from . import days, months, spans
from .base import BaseOffset
from .calendars import NANOSECONDS
from .months import Easter
from .relative import DateOffset
from .spans import tick_of

_PART = re.compile(r"([+-]?\d*(?:\.\d+)?)\s*([A-Za-z]+(?:-[A-Za-z0-9]+)?)")
_RENAMED = {"M": "ME", "Q": "QE", "Y": "YE", "A": "YE", "H": "h", "T": "min", "S": "s", "L": "ms"}
_SPANS_IN_ANY_CASE = ("min", "us", "ns")
_IN_SMALL_LETTERS = ("D", "B", "C", "W")
# The class of each prefix of a text.
KINDS: dict[str, type[BaseOffset]] = {
    kind.prefix: kind
    for module in (spans, days, months)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, BaseOffset) and kind.prefix
}

_CLASSES = {kind.__name__: kind for kind in (*KINDS.values(), Easter, DateOffset)}


def frequency_of(given: Any) -> BaseOffset | None:
    """An offset of a text, a duration or one of pandas' offsets; None of None.

    Raises ValueError for a text that says none.
    """
    if given is None or isinstance(given, BaseOffset):
        return given
    if hasattr(given, "freqstr"):
        return _of_pandas(given)
    if isinstance(given, (datetime.timedelta, np.timedelta64)):
        count = duration_count(given)
        if count is None:
            raise ValueError("NaT is no frequency")
        return tick_of(count[0] * NANOSECONDS[count[1]])
    if isinstance(given, tuple):
        raise TypeError(f"to_offset does not support tuples {given}, pass as a string instead")
    if not isinstance(given, str):
        raise TypeError(f"a frequency is a text such as '2h' or 'ME', not {given!r}")
    parts = _PART.findall(given)
    if not parts or "".join(count + name for count, name in parts) != given.replace(" ", ""):
        raise _invalid(given)
    found = [_single(given, count, _as_written_now(name)) for count, name in parts]
    if len(found) == 1:
        return found[0]
    if any(not each.is_span for each in found):
        raise _invalid(given)
    return tick_of(sum(each.nanos for each in found))


def _of_pandas(given: Any) -> BaseOffset:
    """An offset of pandas', by its class. Raises NotImplementedError for one that there is not."""
    name = type(given).__name__
    kind: Any = _CLASSES.get(name)
    if kind is None:
        raise NotImplementedError(f"offsets.{name} of pandas is not supported in phalanx")
    made: BaseOffset = kind(given.n, given.normalize, **given.kwds)
    return made


def named(name: str, n: int = 1) -> BaseOffset:
    """So many of a rule by its text, as 'QE-MAR'. Raises ValueError for a text that says none."""
    prefix, dash, suffix = name.partition("-")
    kind: Any = KINDS.get(prefix)
    if kind is None or (dash and not hasattr(kind, "of_suffix")):
        raise ValueError(f"{name!r} is no rule")
    return kind(n, **kind.of_suffix(suffix)) if hasattr(kind, "of_suffix") else kind(n)  # type: ignore[no-any-return]


def _as_written_now(name: str) -> str:
    """The name of a rule in the case that it has; pandas takes a few in others, and warns."""
    if name == "Min":
        return "min"
    prefix, dash, suffix = name.partition("-")
    if prefix.lower() in _SPANS_IN_ANY_CASE and not dash:
        meant = name.lower()
    elif prefix.upper() in _IN_SMALL_LETTERS and (not dash or prefix in "Ww"):
        meant = prefix.upper() + dash + suffix.upper()
    else:
        return name
    if meant != name:
        text = f"{name!r} is deprecated and will be removed in a future version, "
        # The caller of what takes a frequency is some frames above; which depends on that.
        say(text + f"please use {meant!r} instead.", Pandas4Warning)
    return meant


def _single(given: str, count: str, name: str) -> BaseOffset:
    try:
        if "." in count:
            return tick_of(round(named(name).nanos * float(count)))
        return named(name, int(count + ("1" if count in ("", "+", "-") else "")))
    except ValueError:
        raise _invalid(given) from None


def _invalid(given: str) -> ValueError:
    name = _PART.sub(r"\2", given)
    instead = _RENAMED.get(name)
    hint = f"{instead!r} instead of {name!r}" if instead else "one such as '2h', 'D', 'ME' or 'B'"
    return ValueError(f"Invalid frequency: {given}. Pass {hint}.")
