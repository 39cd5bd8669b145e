"""Python's regular expressions in the syntax of PCRE2, where they mean the same there.

The pattern is read by Python's own parser and written again with every class of characters, anchor
and flag spelled out; what the two engines do not do alike is refused before anything runs. It is
written twice: for texts of ASCII and for all others. docs/decisions/0074-text-patterns.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ... import _engine

_parser: Any = getattr(re, "_parser")  # noqa: B009
_names: Any = getattr(re, "_constants")  # noqa: B009

_NOTHING = "(?!)"
_ANYTHING = "(?s:.)"
_MOST_REPEATS = 65535
# Characters beyond ASCII that are the same as ASCII letters where case does not count.
_TWINS = (0x130, 0x131, 0x17F, 0x212A)
_SURROGATES = range(0xD800, 0xE000)
_SPACES = (
    (0x09, 0x0D), (0x1C, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip


class UnlikeError(Exception):
    """A pattern that PCRE2 would not match as Python does."""


@lru_cache(512)
def in_pcre2(pattern: re.Pattern[str], how: str, *, captures: bool) -> tuple[bytes, bytes] | None:
    """A pattern for ASCII and one for all texts; None where there is none that means the same.

    `how`: "search", "match" or "fullmatch". Without `captures` nobody asks what groups match.
    """
    flags = pattern.flags & ~re.DEBUG
    if flags & re.LOCALE or not isinstance(pattern.pattern, str):
        return None
    try:
        tree = _parser.parse(pattern.pattern, flags)
        captures = captures or _has_references(tree)
        written = [_Writer(ascii_only, captures).items(tree, flags) for ascii_only in (True, False)]
    except UnlikeError:
        return None
    begin = "" if how == "search" else r"\A"
    end = r"\z" if how == "fullmatch" else ""
    first, second = (f"{begin}(?:{each}){end}".encode() for each in written)
    return first, second


def literal(pattern: re.Pattern[str]) -> str | None:
    """The text that is all that a pattern matches; None for other patterns."""
    if pattern.flags & ~re.UNICODE:
        return None
    tree = _parser.parse(pattern.pattern, pattern.flags)
    if all(operation is _names.LITERAL for operation, _ in tree):
        return "".join(chr(character) for _, character in tree)
    return None


def _has_references(tree: Any) -> bool:
    for operation, argument in tree:
        if operation in (_names.GROUPREF, _names.GROUPREF_EXISTS):
            return True
        if any(_has_references(each) for each in _parts(operation, argument)):
            return True
    return False


def _parts(operation: Any, argument: Any) -> Iterable[Any]:
    """The trees inside of an operation."""
    if operation is _names.SUBPATTERN:
        return (argument[3],)
    if operation is _names.BRANCH:
        return argument[1]  # type: ignore[no-any-return]
    if operation in _REPEATS:
        return (argument[2],)
    if operation in (_names.ASSERT, _names.ASSERT_NOT):
        return (argument[1],)
    return (argument,) if operation is _names.ATOMIC_GROUP else ()


def _has_groups(tree: Any) -> bool:
    return any(
        (operation is _names.SUBPATTERN and argument[0] is not None)
        or any(_has_groups(each) for each in _parts(operation, argument))
        for operation, argument in tree
    )


_REPEATS = {
    _names.MAX_REPEAT: "",
    _names.MIN_REPEAT: "?",
    _names.POSSESSIVE_REPEAT: "+",
}


def _character(number: int) -> str:
    if number in _SURROGATES:
        raise UnlikeError
    text = chr(number)
    return text if number < 128 and text.isalnum() else f"\\x{{{number:X}}}"


@cache
def _class_of(name: str, holds: Callable[[str], bool]) -> str:
    """A class of PCRE2's, or its ranges where PCRE2 and Python are of other versions of Unicode."""
    if _engine.frames.TextPattern.unicode_version() == unicodedata.unidata_version:
        return name
    is_in = np.array([holds(chr(i)) for i in range(0x110000)])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_in, [False]]))).tolist()
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return "".join(f"\\x{{{first:X}}}-\\x{{{last - 1:X}}}" for first, last in pairs)


@cache
def _same_letters(number: int, flags: int) -> tuple[int, ...]:
    """The characters that match one of ASCII where case does not count."""
    if number > 127:
        raise UnlikeError
    wanted = re.compile(re.escape(chr(number)), flags & (re.IGNORECASE | re.ASCII))
    return tuple(i for i in (*range(128), *_TWINS) if wanted.match(chr(i)))


class _Writer:
    """Writes trees of Python's parser."""

    def __init__(self, ascii_only: bool, captures: bool) -> None:
        self._ascii_only = ascii_only
        self._captures = captures

    def items(self, tree: Any, flags: int) -> str:
        """A sequence of operations."""
        return "".join(self._item(operation, argument, flags) for operation, argument in tree)

    def _item(self, operation: Any, argument: Any, flags: int) -> str:
        write = _WRITERS.get(operation)
        if write is None:
            raise UnlikeError
        return write(self, operation, argument, flags)

    # Single characters.

    def _literal(self, operation: Any, number: int, flags: int) -> str:
        negated = operation is _names.NOT_LITERAL
        if not negated and not flags & re.IGNORECASE:
            return _character(number) if number < 128 or not self._ascii_only else _NOTHING
        return self._class([(_names.LITERAL, number)], negated, flags)

    def _any(self, operation: Any, argument: Any, flags: int) -> str:
        return _ANYTHING if flags & re.DOTALL else r"[^\x{A}]"

    def _in(self, operation: Any, members: Any, flags: int) -> str:
        negated = members[0][0] is _names.NEGATE
        return self._class(members[1:] if negated else members, negated, flags)

    def _class(self, members: Any, negated: bool, flags: int) -> str:
        kinds = {argument for operation, argument in members if operation is _names.CATEGORY}
        if any(_OPPOSITES.get(kind) in kinds for kind in kinds):
            return _NOTHING if negated else _ANYTHING
        if len(members) == 1 and members[0][1] in _NEGATIVES:
            return self._class([(_names.CATEGORY, _OPPOSITES[members[0][1]])], not negated, flags)
        inside = "".join(self._member(kind, value, flags) for kind, value in members)
        if not inside:
            return _ANYTHING if negated else _NOTHING
        return f"[{'^' if negated else ''}{inside}]"

    def _member(self, operation: Any, argument: Any, flags: int) -> str:
        if operation is _names.CATEGORY:
            return self._category(argument, flags)
        low, high = (argument, argument) if operation is _names.LITERAL else argument
        if not flags & re.IGNORECASE:
            return self._range(low, high)
        found = {each for i in range(low, high + 1) for each in _same_letters(i, flags)}
        return "".join(self._range(each, each) for each in sorted(found))

    def _range(self, low: int, high: int) -> str:
        if self._ascii_only:
            if low > 127:
                return ""
            high = min(high, 127)
        if low < 0xE000 and high >= 0xD800:
            raise UnlikeError
        return _character(low) if low == high else f"{_character(low)}-{_character(high)}"

    def _category(self, kind: Any, flags: int) -> str:
        narrow = self._ascii_only or bool(flags & re.ASCII)
        if kind is _names.CATEGORY_SPACE:
            if flags & re.ASCII:
                return r"\x{9}-\x{D}\x{20}"
            return "".join(self._range(*each) for each in _SPACES)
        if kind is _names.CATEGORY_DIGIT:
            return "0-9" if narrow else _class_of(r"\p{Nd}", str.isdecimal)
        if kind is _names.CATEGORY_WORD:
            return "0-9A-Z_a-z" if narrow else _class_of(r"\p{L}\p{N}", str.isalnum) + "_"
        raise UnlikeError

    # Places.

    def _at(self, operation: Any, place: Any, flags: int) -> str:
        if place is _names.AT_BOUNDARY:
            return self._boundary(flags)
        lines = bool(flags & re.MULTILINE)
        written = {
            _names.AT_BEGINNING: r"(?<![^\x{A}])" if lines else r"\A",
            _names.AT_BEGINNING_STRING: r"\A",
            _names.AT_END: r"(?![^\x{A}])" if lines else r"\Z",
            _names.AT_END_STRING: r"\z",
        }.get(place)
        if written is None:
            raise UnlikeError
        return written

    def _boundary(self, flags: int) -> str:
        if self._ascii_only:
            return r"\b"
        word = f"[{self._category(_names.CATEGORY_WORD, flags)}]"
        return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"

    # Groups.

    def _branch(self, operation: Any, argument: Any, flags: int) -> str:
        return f"(?:{'|'.join(self.items(each, flags) for each in argument[1])})"

    def _group(self, operation: Any, argument: Any, flags: int) -> str:
        number, added, removed, tree = argument
        inside = self.items(tree, (flags | added) & ~removed)
        return f"({inside})" if number is not None and self._captures else f"(?:{inside})"

    def _reference(self, operation: Any, number: int, flags: int) -> str:
        if flags & re.IGNORECASE:
            raise UnlikeError
        return f"\\g{{{number}}}"

    def _atomic(self, operation: Any, tree: Any, flags: int) -> str:
        return f"(?>{self.items(tree, flags)})"

    def _look(self, operation: Any, argument: Any, flags: int) -> str:
        direction, tree = argument
        if self._captures and _has_groups(tree):
            raise UnlikeError
        behind = "<" if direction < 0 else ""
        sign = "=" if operation is _names.ASSERT else "!"
        return f"(?{behind}{sign}{self.items(tree, flags)})"

    def _repeat(self, operation: Any, argument: Any, flags: int) -> str:
        low, high, tree = argument
        # What a repetition of empty matches captures, and when it ends, differs.
        if high != 1 and (tree.getwidth()[0] == 0 or (self._captures and _has_groups(tree))):
            raise UnlikeError
        if low > _MOST_REPEATS or (high is not _names.MAXREPEAT and high > _MOST_REPEATS):
            raise UnlikeError
        inside = self.items(tree, flags)
        if len(tree) != 1 or tree[0][0] not in _SINGLE or inside in (_NOTHING, _ANYTHING):
            inside = f"(?:{inside})"
        last = "" if high is _names.MAXREPEAT else high
        times = {(0, ""): "*", (1, ""): "+", (0, 1): "?"}.get((low, last), f"{{{low},{last}}}")
        return f"{inside}{times}{_REPEATS[operation]}"


_SINGLE = (_names.LITERAL, _names.NOT_LITERAL, _names.ANY, _names.IN)
_WRITERS: dict[Any, Callable[[_Writer, Any, Any, int], str]] = {
    _names.LITERAL: _Writer._literal,
    _names.NOT_LITERAL: _Writer._literal,
    _names.ANY: _Writer._any,
    _names.IN: _Writer._in,
    _names.AT: _Writer._at,
    _names.BRANCH: _Writer._branch,
    _names.SUBPATTERN: _Writer._group,
    _names.GROUPREF: _Writer._reference,
    _names.ATOMIC_GROUP: _Writer._atomic,
    _names.ASSERT: _Writer._look,
    _names.ASSERT_NOT: _Writer._look,
    _names.MAX_REPEAT: _Writer._repeat,
    _names.MIN_REPEAT: _Writer._repeat,
    _names.POSSESSIVE_REPEAT: _Writer._repeat,
}
_OPPOSITES = {
    _names.CATEGORY_NOT_DIGIT: _names.CATEGORY_DIGIT,
    _names.CATEGORY_NOT_SPACE: _names.CATEGORY_SPACE,
    _names.CATEGORY_NOT_WORD: _names.CATEGORY_WORD,
}
_NEGATIVES = frozenset(_OPPOSITES)

_ESCAPES = re.compile(r"\\(?:g<(\w+)>|([1-9])(?!\d)|(n|t|\\)|(.|$))|([^\\]+)", re.DOTALL)


def replacement_parts(pattern: re.Pattern[str], replacement: str) -> list[bytes | int] | None:
    """The texts and groups that a replacement is made of; None for escapes of rarer kinds."""
    parts: list[bytes | int] = []
    for found in _ESCAPES.finditer(replacement):
        name, number, escape, other, text = found.groups()
        group = number or name
        if other is not None:
            return None
        if group is not None:
            known = int(group) if group.isdecimal() else pattern.groupindex.get(group, -1)
            if not 0 <= known <= pattern.groups or (group.isdecimal() and not group.isascii()):
                return None
            parts.append(known)
        else:
            plain = {"n": "\n", "t": "\t", "\\": "\\", None: text}[escape]
            parts.append(plain.encode("utf-8", "surrogatepass"))
    return parts
