"""What the engine does to whole columns of texts.

Each function gives one of a column, or None: rows are then left to Python. Columns on a GPU are
done there by kernels, where `_texts.engine` has them, else on the host.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

import phalanx as px
from phalanx import _engine

from ..._texts import CharacterSet
from ..._texts.automata import Pattern
from ..columns.strings import StringColumn, of_texts
from ..engine import of_texts as by_engine
from .automata import automaton
from .characters import as_bytes, case_map, cased, cases_apart, characters_that, map_of, spaces
from .patterns import in_pcre2, literal, replacement_parts
from .rows import Whole

# What it becomes in lower case depends on the letters around it.
_SIGMA = 0x3A3


def _of(name: str, *arguments: Any) -> Whole:
    """A function of the engine as one of a column."""
    return lambda column: by_engine(name, column.key(), *arguments)


def _placed(made: Any, column: StringColumn) -> Any:
    """An array where the column is."""
    return px.asarray(made, device=column.offsets.device)


def _texts(made: Any, column: StringColumn, function: Any = None) -> StringColumn:
    """Texts that the engine has made of a column; a function makes those that it left out."""
    offsets, text = (_placed(each, column) for each in made[:2])
    left_out = made[2]
    whole = StringColumn(offsets, text, column.valid, column.dtype)
    return _patched(whole, left_out, column, function) if left_out else whole


def _patched(
    made: StringColumn, rows: Sequence[int], column: StringColumn, function: Any
) -> StringColumn:
    """Some rows by a function of Python's."""
    there = column.take(_placed(np.array(rows, np.int64), column)).to_numpy()
    few = of_texts([function(each) for each in there], None, made.dtype)
    few = StringColumn(_placed(few.offsets, column), _placed(few.text, column), None, made.dtype)
    places = np.arange(len(made))
    places[list(rows)] = len(made) + np.arange(len(rows))
    taken = made.joined([few]).take(_placed(places, column))
    return StringColumn(taken.offsets, taken.text, column.valid, made.dtype)


def _texts_of(name: str, *arguments: Any, function: Any = None) -> Whole:
    run: Any = _of(name, *arguments)
    return lambda column: _texts(run(column), column, function)


# Cases and kinds of characters.


def in_case(name: str) -> Whole:
    """`lower`, `upper`, `title`, `capitalize`, `swapcase`, `casefold`."""
    function = getattr(str, name)
    leaves = 0 if name in ("upper", "casefold") else _SIGMA

    def whole(column: StringColumn) -> Any:
        if name in ("title", "capitalize"):
            words = cased() if name == "title" else None
            maps: tuple[Any, ...] = (case_map("lower"), case_map("title"), words)
        else:
            maps = (case_map(name), None, None)
        run: Any = _texts_of("text_map", *maps, leaves, function=function)
        return run(column)

    return whole


def only_beyond_ascii(function: Callable[[str], str]) -> Whole:
    """What changes no text of ASCII: the other rows alone are made."""

    def whole(column: StringColumn) -> Any:
        run: Any = _of("text_all_ascii")
        found = np.asarray(run(column))
        rows = np.flatnonzero(~found & np.asarray(column.present())).tolist()
        return _patched(column, rows, column, function) if rows else column

    return whole


def is_all(name: str) -> Whole:
    """`isalpha` and the like."""
    if name == "isascii":
        return _of("text_all_ascii")
    if name == "istitle":
        return None

    def whole(column: StringColumn) -> Any:
        if name in ("islower", "isupper"):
            run: Any = _of("text_any_in", *cases_apart(name))
        else:
            run = _of("text_all_in", characters_that(name))
        return run(column)

    return whole


def translate(table: Any) -> Whole:
    """A dict of code points is a map; other tables are asked for each character."""
    if not isinstance(table, dict):
        return None
    kept = {
        key: value for key, value in table.items() if isinstance(key, int) and 0 <= key < 1 << 20
    }
    if not all(value is None or isinstance(value, (int, str)) for value in kept.values()):
        return None
    try:
        pairs = {key: _becomes(value) for key, value in kept.items()}
    except (ValueError, OverflowError):
        return None
    return _texts_of("text_map", map_of(pairs))


def _becomes(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else chr(value)


# Parts.

lengths = _of("text_lengths")


def element(position: Any) -> Whole:
    """`get`, where texts that are too short are missing."""
    if not _is_position(position):
        return None

    def whole(column: StringColumn) -> Any:
        run: Any = _of("text_character", int(position))
        found = run(column)
        made, there = _texts(found[0], column), _placed(found[1], column)
        complete = column.valid is None and bool(there.all())
        return StringColumn(made.offsets, made.text, None if complete else there, made.dtype)

    return whole


def _is_position(given: Any) -> bool:
    integer = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    return integer and -(2**62) < given < 2**62


def _slice_of(*bounds: Any) -> tuple[Any, ...] | None:
    if all(each is None or _is_position(each) for each in bounds):
        return tuple(None if each is None else int(each) for each in bounds)
    return None


def part(given: slice) -> Whole:
    """The characters of a slice."""
    step = 1 if given.step is None else given.step
    bounds = _slice_of(given.start, given.stop, step)
    return _texts_of("text_slice", bounds) if bounds and step else None


def strip(characters: Any, ends: str) -> Whole:
    """`strip`, `lstrip` and `rstrip`."""
    if characters is not None and not isinstance(characters, str):
        return None
    sides = ends in ("both", "left"), ends in ("both", "right")

    def whole(column: StringColumn) -> Any:
        wanted = spaces() if characters is None else CharacterSet(map(ord, characters))
        run: Any = _texts_of("text_strip", wanted, *sides)
        return run(column)

    return whole


def without_affix(affix: Any, *, at_start: bool) -> Whole:
    """`removeprefix` and `removesuffix`."""
    if not isinstance(affix, str):
        return None
    return _texts_of("text_remove_affix", as_bytes(affix), at_start)


def pad(width: Any, side: str, fill: str) -> Whole:
    """`pad`: texts that are filled up on the left are those that `rjust` gives."""
    if not _is_position(width):
        return None
    sides = side in ("both", "left"), side in ("both", "right")
    return _texts_of("text_pad", int(width), as_bytes(fill), *sides)


def zfill(width: Any) -> Whole:
    """`zfill`."""
    return _texts_of("text_pad", int(width), b"0", False, False) if _is_position(width) else None


def repeat(times: int) -> Whole:
    """All texts as often."""
    return _texts_of("text_repeat", times) if _is_position(times) else None


def split(separator: Any, most: Any, *, from_end: bool) -> Callable[[StringColumn], Any] | None:
    """The columns of `split` and `rsplit` with `expand`."""
    if not (separator is None or (isinstance(separator, str) and separator)):
        return None
    if not _is_position(most):
        return None

    def whole(column: StringColumn) -> Any:
        blank = spaces() if separator is None else None
        run: Any = _of("text_split", as_bytes(separator or ""), blank, int(most), from_end)
        counts, widest, made = run(column)
        if widest == 0:
            return None
        parts = _texts(made, column)
        parts = StringColumn(parts.offsets, parts.text, None, column.dtype)
        starts = np.cumsum(counts) - counts
        return [
            parts.take(_placed(np.where(counts > i, starts + i, -1), column), has_missing=True)
            for i in range(widest)
        ]

    return whole


# Searches.


def contains(wanted: Any) -> Whole:
    """Where a text is part of others."""
    return _of("text_contains", as_bytes(wanted)) if isinstance(wanted, str) else None


def contains_upper(wanted: str) -> Whole:
    """Where an upper-case text is part of others in upper case."""

    def whole(column: StringColumn) -> Any:
        raised: Any = in_case("upper")
        found: Any = contains(wanted)
        return found(raised(column))

    return whole


def has_affix(affixes: Any, at_start: bool) -> Whole:
    """`startswith` and `endswith`."""
    wanted = affixes if isinstance(affixes, tuple) else (affixes,)
    if not all(isinstance(each, str) for each in wanted):
        return None
    return _of("text_has_affix", [as_bytes(each) for each in wanted], at_start)


def position(wanted: str, start: Any, end: Any, *, last: bool) -> Whole:
    """`find` and `rfind`."""
    bounds = _slice_of(start, end)
    return None if bounds is None else _of("text_positions", as_bytes(wanted), (*bounds, 1), last)


def replace(wanted: Any, replacement: Any, most: Any) -> Whole:
    """One text by another."""
    texts = isinstance(wanted, str) and isinstance(replacement, str)
    if not texts or not _is_position(most):
        return None
    return _texts_of("text_replace", as_bytes(wanted), as_bytes(replacement), int(most))


def joined_rows(
    columns: Sequence[Any], separator: str, fill: Any, dtype: Any
) -> StringColumn | None:
    """The texts of each row with a separator between them; `fill` is what missing ones are."""
    if fill is not None and not isinstance(fill, str):
        return None
    operands: list[Any] = []
    for each in columns:
        operands += [as_bytes(separator), each.key()]
    filler = None if fill is None else as_bytes(fill)
    made = by_engine("text_join", operands[1:], len(columns[0]), filler)
    offsets, text = (_placed(each, columns[0]) for each in made[:2])
    valid = None
    masks = [each.valid for each in columns if each.valid is not None]
    if fill is None and masks:
        valid = masks[0]
        for mask in masks[1:]:
            valid = valid & mask
    return StringColumn(offsets, text, valid, dtype)


# Patterns.


@lru_cache(256)
def _compiled(pattern: re.Pattern[str], how: str, captures: bool) -> Any:
    """A pattern as the engine takes it; None where Python has to match it."""
    written = in_pcre2(pattern, how, captures=captures)
    try:
        host = None if written is None else _engine.frames.TextPattern(*written)
    except ValueError:  # One that is larger than PCRE2 takes.
        return None
    return None if host is None else Pattern(host, lambda task: automaton(pattern, how, task))


def _by_pattern(name: str, pattern: re.Pattern[str], how: str, one: Callable[[str], Any]) -> Whole:
    """Numbers of rows by the engine; `one` gives those of rows that it leaves out."""
    compiled = _compiled(pattern, how, False)
    if compiled is None:
        return None

    def whole(column: StringColumn) -> Any:
        run: Any = _of(name, compiled)
        found, left_out = run(column)
        if left_out:
            rows = np.array(left_out, np.int64)
            there = column.take(_placed(rows, column)).to_numpy()
            found[rows] = [one(each) for each in there]
        return found

    return whole


def matches(pattern: re.Pattern[str], how: str) -> Whole:
    """Where a pattern is found: "search", "match" or "fullmatch"."""
    text = literal(pattern) if how == "search" else None
    if text is not None:
        return contains(text)
    method = getattr(pattern, how)
    return _by_pattern("pattern_matches", pattern, how, lambda each: method(each) is not None)


def occurrences(pattern: re.Pattern[str]) -> Whole:
    """How often a pattern is found."""
    text = literal(pattern)
    if text is not None:
        return _of("text_occurrences", as_bytes(text))
    return _by_pattern("pattern_counts", pattern, "search", lambda each: len(pattern.findall(each)))


def substitute(pattern: re.Pattern[str], replacement: Any, most: int) -> Whole:
    """A pattern replaced by a text with groups, at most so many times (0: all)."""
    parts = replacement_parts(pattern, replacement) if isinstance(replacement, str) else None
    if parts is None or not _is_position(most):
        return None
    captures = any(isinstance(each, int) and each > 0 for each in parts)
    compiled = _compiled(pattern, "search", captures)
    if compiled is None:
        return None
    function = lambda text: pattern.sub(replacement, text, count=most)  # noqa: E731
    return _texts_of("pattern_replace", compiled, parts, int(most), function=function)


def groups(pattern: re.Pattern[str], column: StringColumn) -> list[Any] | None:
    """What the groups of a pattern match where it is found first: a column each."""
    compiled = _compiled(pattern, "search", True)
    run: Any = _of("pattern_groups", compiled, pattern.groups)
    found = None if compiled is None else run(column)
    if found is None or found[1]:
        return None
    made = []
    for texts, there in found[0]:
        whole = _texts(texts, column)
        valid = None if there.all() else _placed(there, column)
        made.append(StringColumn(whole.offsets, whole.text, valid, column.dtype))
    return made
