"""The operators over texts: what `_engine.frames` has, of arrays that a GPU has in its memory.

`OPERATORS` says which there are, and for which arguments. The host has the others, and all of these
for all arguments. Results are the host's, with arrays of the device in the place of NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import phalanx as px

from . import cases, comparing, parts, patterns, searching
from .copying import copied
from .texts import Texts, texts_of

Key = tuple[Any, ...]  # ("string", offsets, bytes, valid)
Written = tuple[Any, Any, list[int]]  # offsets, bytes, and rows that are left out


def _always(*_: Any) -> bool:
    return True


class Operator(NamedTuple):
    """A function of a column's key and arguments, and which arguments it takes."""

    function: Callable[..., Any]
    takes: Callable[..., bool] = _always


def _of_texts(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of texts as one of their key."""
    return lambda key, *given: function(texts_of(key), *given)


def _written(function: Callable[..., Any]) -> Callable[..., Written]:
    """The same of one that makes offsets and bytes, and leaves no rows out."""
    return lambda key, *given: (*function(texts_of(key), *given), [])


def _runs(function: Callable[..., Any]) -> Callable[..., Written]:
    """The same of one that makes runs of the bytes, which are copied."""

    def run(key: Key, *given: Any) -> Written:
        texts = texts_of(key)
        starts, sizes = function(texts, *given)
        return *copied(starts, sizes, texts.text), []

    return run


def _slice(texts: Texts, bounds: tuple[Any, Any, int]) -> tuple[Any, Any]:
    return parts.slices(texts, *bounds[:2])


def _element(key: Key, position: int) -> tuple[Written, Any]:
    texts = texts_of(key)
    starts, sizes, there = parts.elements(texts, position)
    return (*copied(starts, sizes, texts.text), []), there


def _join(operands: Sequence[Any], rows: int, fill: bytes | None) -> Written:
    return *parts.joined(operands, rows, fill), []


def take(key: Key, rows: Any, has_missing: bool = False) -> tuple[Any, Any, Any]:
    """Offsets, bytes and mask of some rows; -1 is a missing one if `has_missing`."""
    offsets, text, valid = key[1:]
    there = rows >= 0 if has_missing else None
    places = rows if there is None else px.maximum(rows, 0)
    starts = offsets[:-1][places]
    sizes = offsets[1:][places] - starts
    if there is not None:
        sizes = px.where(there, sizes, 0)
    if valid is not None:
        there = valid[places] if there is None else valid[places] & there
    return *copied(starts, sizes, text), there


OPERATORS = {
    # name: a function, and when kernels do it
    "take_strings": Operator(take),
    "text_all_ascii": Operator(_of_texts(cases.all_ascii)),
    "text_all_in": Operator(_of_texts(cases.all_in)),
    "text_any_in": Operator(_of_texts(cases.any_in)),
    "text_character": Operator(_element),
    "text_compare": Operator(comparing.compared),
    "text_contains": Operator(_of_texts(searching.contains)),
    "text_has_affix": Operator(_of_texts(searching.has_affix)),
    "text_join": Operator(_join),
    "text_lengths": Operator(_of_texts(cases.lengths)),
    "text_map": Operator(_of_texts(cases.mapped)),
    "text_occurrences": Operator(_of_texts(searching.occurrences)),
    "text_pad": Operator(_written(parts.padded)),
    "text_positions": Operator(_of_texts(searching.positions)),
    "text_remove_affix": Operator(_runs(searching.without_affix)),
    "text_repeat": Operator(_written(parts.repeated)),
    # An empty text is found between all characters, which the host does.
    "text_replace": Operator(
        _written(searching.replaced), lambda key, wanted, replacement, most: len(wanted) > 0
    ),
    "text_slice": Operator(_runs(_slice), lambda key, bounds: bounds[2] == 1),
    "text_strip": Operator(_runs(parts.stripped)),
    # Patterns that are automata; and where matches are counted none is empty.
    "pattern_matches": Operator(
        _of_texts(patterns.matches), lambda key, pattern: pattern.matching is not None
    ),
    "pattern_counts": Operator(
        _of_texts(patterns.counts), lambda key, pattern: pattern.counting is not None
    ),
    # What is written for a match has no groups in it.
    "pattern_replace": Operator(
        _of_texts(patterns.replaced),
        lambda key, pattern, written, most: (
            pattern.replacing is not None and all(isinstance(each, bytes) for each in written)
        ),
    ),
}


def operator(name: str, given: Sequence[Any]) -> Callable[..., Any] | None:
    """The function that does an operator by kernels, None where the host has to."""
    found = OPERATORS.get(name)
    return found.function if found is not None and found.takes(*given) else None
