"""Maps and sets of characters for the engine, made of what Python's own methods say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from ... import _engine

# Characters with a case, and white space, are below these; planes 2 and 3 are ideographs.
_CASED = 0x20000
_SPACES = 0x10000
_ALL = 0x110000


def frames() -> Any:
    """What the engine has of frames."""
    return _engine.frames


def as_bytes(text: str) -> bytes:
    """A text as columns keep it."""
    return text.encode("utf-8", "surrogatepass")


def map_of(pairs: Mapping[int, str]) -> Any:
    """A map of code points to texts."""
    characters = sorted(pairs)
    texts = [as_bytes(pairs[each]) for each in characters]
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(each) for each in texts], out=offsets[1:])
    return frames().CharacterMap(np.array(characters, np.int64), offsets, b"".join(texts))


def set_of(characters: Iterable[int]) -> Any:
    """A set of code points."""
    return frames().CharacterSet(np.array(sorted(set(characters)), np.int64))


@cache
def case_map(method: str) -> Any:
    """What a method of `str` makes of each character alone."""
    made = ((i, getattr(chr(i), method)()) for i in range(_CASED))
    return map_of({i: text for i, text in made if text != chr(i)})


@cache
def cased() -> Any:
    """The characters after which a word goes on for `str.title`."""
    return set_of(i for i in range(_CASED) if (chr(i) + "a").title()[-1] == "a")


@cache
def spaces() -> Any:
    """White space, for `str.split` and `str.strip`."""
    return set_of(i for i in range(_SPACES) if chr(i).isspace())


@cache
def characters_that(method: str) -> Any:
    """The characters of which a method of `str` is True."""
    test = getattr(str, method)
    return set_of(i for i in range(_ALL) if test(chr(i)))


@cache
def _in_title_case(but_not: str) -> frozenset[int]:
    return frozenset(
        i for i in range(_CASED) if chr(i).istitle() and not getattr(chr(i), but_not)()
    )


@cache
def cases_apart(method: str) -> tuple[Any, Any]:
    """Characters that a text must have for `islower` (`isupper`), and those that it may not."""
    other = "isupper" if method == "islower" else "islower"
    unwanted = {i for i in range(_CASED) if getattr(chr(i), other)()} | _in_title_case(method)
    return characters_that(method), set_of(unwanted)
