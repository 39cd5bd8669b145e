"""Labels and objects as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..missing import is_missing
from ..options import get_option
from .numbers import float_cells

_ESCAPES = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def escaped(thing: object, escapes: Mapping[str, str] | None = None, quote: bool = False) -> str:
    """One object; sequences and mappings are written item by item, three levels deep.

    Tabs and line ends are written as such where no other ``escapes`` are given.
    """
    return _text(thing, _ESCAPES if escapes is None else escapes, quote, 0)


def _text(thing: object, escapes: Mapping[str, str], quote: bool, depth: int) -> str:
    deep = depth >= get_option("display.pprint_nest_depth")
    if isinstance(thing, Mapping) and not deep:
        return _mapping(thing, escapes, depth)
    if isinstance(thing, (list, tuple, set, frozenset, range, np.ndarray)) and not deep:
        return (
            str(thing)
            if np.ndim(thing) == 0 and not _sized(thing)  # type: ignore[arg-type]
            else _sequence(thing, escapes, quote, depth)
        )
    text = str(thing)
    for old, new in escapes.items():
        text = text.replace(old, new)
    return f"'{text}'" if quote and isinstance(thing, str) else text


def _sized(thing: Any) -> bool:
    return not isinstance(thing, np.ndarray) or thing.ndim > 0


def _mapping(thing: Mapping[Any, Any], escapes: Mapping[str, str], depth: int) -> str:
    limit = get_option("display.max_seq_items") or len(thing)
    items = [
        f"{_text(key, {}, True, depth + 1)}: {_text(value, {}, True, depth + 1)}"
        for key, value in list(thing.items())[:limit]
    ]
    return "{" + ", ".join(items) + (", ..." if limit < len(thing) else "") + "}"


def _sequence(thing: Any, escapes: Mapping[str, str], quote: bool, depth: int) -> str:
    limit = get_option("display.max_seq_items") or len(thing)
    items = []
    for item in list(thing)[:limit]:
        if isinstance(item, float) and not is_missing(item):
            item = trimmed(f"{item:.{get_option('display.precision')}f}")
        items.append(_text(item, escapes, quote, depth + 1))
    body = ", ".join(items)
    if limit < len(thing):
        body += ", ..."
    elif isinstance(thing, tuple) and len(thing) == 1:
        body += ","
    if isinstance(thing, frozenset):
        return f"frozenset({{{body}}})" if thing else "frozenset()"
    if isinstance(thing, set):
        return f"{{{body}}}"
    return f"[{body}]" if hasattr(thing, "__setitem__") else f"({body})"


def trimmed(number: str) -> str:
    """A number without the zeros at its end, but one after the point."""
    number = number.rstrip("0")
    return number + "0" if number.endswith(".") else number


def name_text(name: object) -> str:
    """The name of an index or a series, empty for None; floats as floats in columns are."""
    if name is None:
        return ""
    if isinstance(name, float) and not is_missing(name):
        return float_cells(np.array([name]), leading_space=False)[0].strip()
    return escaped(name)


# Columns of text.


def justified(texts: Iterable[str], width: int, mode: str = "right") -> list[str]:
    """Texts filled up with spaces: to the left, right or both sides."""
    fill: Callable[[str, int], str] = {"left": str.ljust, "center": str.center}.get(mode, str.rjust)
    return [fill(each, width) for each in texts]


def adjoined(space: int, *columns: Sequence[str]) -> str:
    """Columns beside each other, with so many spaces between them; short ones end below."""
    height = max(map(len, columns))
    widths = [max(map(len, each)) + space for each in columns[:-1]]
    widths.append(max(map(len, columns[-1])))
    filled = [
        [" " * width] * (height - len(column)) + justified(column, width, "left")
        for column, width in zip(columns, widths, strict=True)
    ]
    return "\n".join("".join(line) for line in zip(*filled, strict=True))


def fixed_width(
    texts: list[str], justify: str = "right", minimum: int | None = None
) -> tuple[list[str], int]:
    """Texts of one width and that width, which is at most the option's for columns."""
    longest = max(map(len, texts), default=0)
    if not texts or justify == "all":
        return texts, longest
    longest = max(longest, minimum or 0)
    limit = get_option("display.max_colwidth")
    if limit is not None:
        longest = min(longest, limit)
        keep = max(longest - 3, 0)
        dots = "..."[: longest - keep]
        texts = [each[:keep] + dots if len(each) > longest else each for each in texts]
    return justified(texts, longest, justify), longest


def without_front(texts: list[str]) -> list[str]:
    """Texts without the spaces that all of them begin with."""
    spaces = min((len(each) - len(each.lstrip()) for each in texts), default=0)
    return [each[spaces:] for each in texts]
