"""Maps and sets of characters for the engine, made of what Python's own methods say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..._texts import CharacterMap, CharacterSet

# Characters with a case, and white space, are below these; planes 2 and 3 are ideographs.
_CASED = 0x20000
_SPACES = 0x10000
_ALL = 0x110000


def as_bytes(text: str) -> bytes:
    """A text as columns keep it."""
    return text.encode("utf-8", "surrogatepass")


def map_of(pairs: Mapping[int, str]) -> CharacterMap:
    """A map of code points to texts."""
    return CharacterMap({character: as_bytes(text) for character, text in pairs.items()})


@cache
def case_map(method: str) -> CharacterMap:
    """What a method of `str` makes of each character alone."""
    made = ((i, getattr(chr(i), method)()) for i in range(_CASED))
    return map_of({i: text for i, text in made if text != chr(i)})


@cache
def cased() -> Any:
    """The characters after which a word goes on for `str.title`."""
    return CharacterSet(i for i in range(_CASED) if (chr(i) + "a").title()[-1] == "a")


@cache
def spaces() -> Any:
    """White space, for `str.split` and `str.strip`."""
    return CharacterSet(i for i in range(_SPACES) if chr(i).isspace())


@cache
def characters_that(method: str) -> Any:
    """The characters of which a method of `str` is True."""
    test = getattr(str, method)
    return CharacterSet(i for i in range(_ALL) if test(chr(i)))


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
    return characters_that(method), CharacterSet(unwanted)
