"""Layouts of generalised ufuncs: ``"(m,n),(n,p)->(m,p)"``.

As NumPy has them: a dimension is a name or a number, with ``?`` where it may be missing. Without
``->`` there are no outputs: the function writes to its arguments.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(r"\s*(->|[(),]|(?:[A-Za-z_]\w*|[1-9]\d*)(?:\s*\?)?)")
_DIMENSION = re.compile(r"(\w+)\s*(\?)?")

Core = tuple[str, ...]  # the names of an argument's core dimensions


class Layout(NamedTuple):
    """The core dimensions of each input and of each output."""

    inputs: tuple[Core, ...]
    outputs: tuple[Core, ...]
    is_in_place: bool = False  # without "->"
    is_flexible: bool = False  # some dimension may be missing

    @property
    def cores(self) -> tuple[Core, ...]:
        """Those of all operands."""
        return (*self.inputs, *self.outputs)

    @property
    def dimensions(self) -> list[str]:
        """The names, as NumPy counts them: in the order of their first mention."""
        return list(dict.fromkeys(name for core in self.cores for name in core))


def _bad(text: str, at: int, problem: str) -> ValueError:
    return ValueError(f"bad token in signature: {problem}\n    {text}\n    {' ' * at}^")


def _tokens(text: str) -> list[tuple[str, int]]:
    tokens = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        found = _TOKEN.match(text, at)
        if found is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise _bad(text, at, f"{text[at]!r} has no meaning in a layout")
        tokens.append((found[1], found.start(1)))
        at = found.end()
    return [*tokens, ("", len(stripped))]


def parse(text: str) -> Layout:
    """The layout that a text describes.

    Raises `ValueError` that shows the spot where it stops making sense, `NameError` for a dimension
    of an output that no input has.
    """
    tokens = _tokens(text)
    is_flexible = any("?" in token for token, _ in tokens)
    if "->" not in [token for token, _ in tokens]:
        written, _ = _groups(text, tokens, 0, "")
        return Layout(tuple(written), (), True, is_flexible)
    inputs, at = _groups(text, tokens, 0, "->")
    outputs, _ = _groups(text, tokens, at, "")
    known = {name for core in inputs for name in core}
    missing = sorted({name for core in outputs for name in core if not name.isdigit()} - known)
    if missing:
        raise NameError(f"undefined output symbols: {','.join(missing)} in {text!r}")
    return Layout(tuple(inputs), tuple(outputs), False, is_flexible)


def _groups(text: str, tokens: list[tuple[str, int]], at: int, end: str) -> tuple[list[Core], int]:
    """The groups of parentheses up to the token `end`, and where to go on."""
    groups: list[Core] = []
    while tokens[at][0] != end:
        core, at = _core(text, tokens, at)
        groups.append(core)
        token, offset = tokens[at]
        if token == end:
            break
        if token != ",":
            raise _bad(text, offset, f"expected ',' or {repr(end) if end else 'the end'}")
        at += 1
    return groups, at + 1


def _core(text: str, tokens: list[tuple[str, int]], at: int) -> tuple[Core, int]:
    """The names of the group that begins at a token, and where to go on."""
    if tokens[at][0] != "(":
        raise _bad(text, tokens[at][1], "expected '('")
    names: list[str] = []
    at += 1
    while tokens[at][0] != ")":
        token, offset = tokens[at]
        found = _DIMENSION.fullmatch(token)
        if found is None:
            raise _bad(text, offset, "expected the name of a dimension or ')'")
        names.append(found[1])
        at += 1
        token, offset = tokens[at]
        if token == ",":
            at += 1
        elif token != ")":
            raise _bad(text, offset, "expected ',' or ')'")
    return tuple(names), at + 1
