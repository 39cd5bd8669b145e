"""Texts and patterns looked for and replaced."""

from __future__ import annotations

import re
from typing import Any

from ..._core.warnings import say
from ..signatures import NO_DEFAULT
from . import engine, rows
from .results import Texts, of_texts_only


def _check_text(given: Any) -> None:
    if not isinstance(given, str):
        raise TypeError(f"expected a string object, not {type(given).__name__}")


class Searching(Texts):
    """`contains`, `match`, `find`, `count`, `replace` and the like."""

    @of_texts_only
    def contains(
        self,
        pat: Any,
        case: bool = True,
        flags: int = 0,
        na: Any = NO_DEFAULT,
        regex: bool = True,
    ) -> Any:
        """Where a pattern, or with ``regex=False`` a text, is found. `na`: what missing rows give.

        Raises `re.error` for a wrong pattern.
        """
        if not regex:
            return self._contains_text(pat, case, na)
        pattern = re.compile(pat, flags=flags if case else flags | re.IGNORECASE)
        if pattern.groups:
            say(
                "This pattern is interpreted as a regular expression, and has match groups. To "
                "actually get the groups, use str.extract.",
                UserWarning,
            )
        whole = engine.matches(pattern, "search")
        return self._flags(lambda text: pattern.search(text) is not None, na, whole)

    def _contains_text(self, pat: Any, case: bool, na: Any) -> Any:
        if case:
            return self._flags(lambda text: pat in text, na, engine.contains(pat))
        upper = pat.upper()
        return self._flags(lambda text: upper in text.upper(), na, engine.contains_upper(upper))

    @of_texts_only
    def match(
        self, pat: Any, case: Any = NO_DEFAULT, flags: Any = NO_DEFAULT, na: Any = NO_DEFAULT
    ) -> Any:
        """Where a pattern is found at the beginning. Raises ValueError for two unlike cases."""
        pattern = _pattern_of_match(pat, case, flags)
        whole = engine.matches(pattern, "match")
        return self._flags(lambda text: pattern.match(text) is not None, na, whole)

    @of_texts_only
    def fullmatch(self, pat: Any, case: bool = True, flags: int = 0, na: Any = NO_DEFAULT) -> Any:
        """Where a pattern is all of the text."""
        pattern = re.compile(pat, flags=flags if case else flags | re.IGNORECASE)
        whole = engine.matches(pattern, "fullmatch")
        return self._flags(lambda text: pattern.fullmatch(text) is not None, na, whole)

    @of_texts_only
    def startswith(self, pat: Any, na: Any = NO_DEFAULT) -> Any:
        """Where the text begins with another, or with one of a tuple."""
        if not isinstance(pat, (str, tuple)):
            raise TypeError(f"expected a string or tuple, not {type(pat).__name__}")
        return self._flags(lambda text: text.startswith(pat), na, engine.has_affix(pat, True))

    @of_texts_only
    def endswith(self, pat: Any, na: Any = NO_DEFAULT) -> Any:
        """Where the text ends with another, or with one of a tuple."""
        if not isinstance(pat, (str, tuple)):
            raise TypeError(f"expected a string or tuple, not {type(pat).__name__}")
        return self._flags(lambda text: text.endswith(pat), na, engine.has_affix(pat, False))

    @of_texts_only
    def find(self, sub: str, start: int = 0, end: int | None = None) -> Any:
        """The first position of a text in a slice, -1 where there is none."""
        _check_text(sub)
        whole = engine.position(sub, start, end, last=False)
        return self._counts(lambda text: text.find(sub, start, end), whole)

    @of_texts_only
    def rfind(self, sub: str, start: int = 0, end: int | None = None) -> Any:
        """The last position of a text in a slice, -1 where there is none."""
        _check_text(sub)
        whole = engine.position(sub, start, end, last=True)
        return self._counts(lambda text: text.rfind(sub, start, end), whole)

    @of_texts_only
    def index(self, sub: str, start: int = 0, end: int | None = None) -> Any:
        """As `find`. Raises ValueError where a row has no such text."""
        _check_text(sub)
        return self._counts(lambda text: text.index(sub, start, end))

    @of_texts_only
    def rindex(self, sub: str, start: int = 0, end: int | None = None) -> Any:
        """As `rfind`. Raises ValueError where a row has no such text."""
        _check_text(sub)
        return self._counts(lambda text: text.rindex(sub, start, end))

    @of_texts_only
    def count(self, pat: Any, flags: int = 0) -> Any:
        """How often a pattern is found, without overlaps."""
        pattern = re.compile(pat, flags=flags)
        return self._counts(lambda text: len(pattern.findall(text)), engine.occurrences(pattern))

    @of_texts_only
    def findall(self, pat: Any, flags: int = 0) -> Any:
        """Lists of all that a pattern finds, as Python's `re.findall` gives it."""
        return self._objects(re.compile(pat, flags=flags).findall)

    @of_texts_only
    def replace(
        self,
        pat: Any,
        repl: Any = None,
        n: int = -1,
        case: bool | None = None,
        flags: int = 0,
        regex: bool = False,
    ) -> Any:
        """A text, or with ``regex=True`` a pattern, replaced, at most `n` times a row.

        `pat` may be a dict of texts and what replaces each; `repl` a function of a match. Raises
        TypeError and ValueError for what does not go together.
        """
        _check_replace(pat, repl, case, flags, regex)
        made = self._column
        for key, value in (pat if isinstance(pat, dict) else {pat: repl}).items():
            function, whole = _replacement(key, value, n, (case is False, flags, regex))
            made = rows.texts(made, function, whole, keeps=True)
        return self._labelled(made)


def _pattern_of_match(pat: Any, case: Any, flags: Any) -> re.Pattern[str]:
    compiled = isinstance(pat, re.Pattern)
    given = 0 if flags is NO_DEFAULT else flags
    own = bool((pat.flags if compiled else given) & re.IGNORECASE)
    if case is not NO_DEFAULT and compiled and own == bool(case):
        raise ValueError(
            "Cannot both specify 'case' and pass a compiled regexp object with conflicting "
            "case-sensitivity"
        )
    if case is not NO_DEFAULT and case and own and not compiled:
        raise ValueError("Cannot both specify case=True and pass 'flags' containing re.IGNORECASE")
    ignores = own if case is NO_DEFAULT else not case
    if flags is not NO_DEFAULT and compiled:
        wanted = given | re.IGNORECASE if ignores else given
        if re.compile(pat.pattern, wanted).flags != pat.flags:
            raise ValueError(
                "Cannot both specify 'flags' and pass a compiled regexp object with conflicting "
                "flags"
            )
    if compiled:
        return pat  # type: ignore[no-any-return]
    return re.compile(pat, given | re.IGNORECASE if ignores else given)


def _check_replace(pat: Any, repl: Any, case: Any, flags: int, regex: Any) -> None:
    compiled = isinstance(pat, re.Pattern)
    if isinstance(pat, dict) and repl is not None:
        raise ValueError("repl cannot be used when pat is a dictionary")
    if not isinstance(pat, dict) and not (isinstance(repl, str) or callable(repl)):
        raise TypeError("repl must be a string or callable")
    if regex or regex is None:
        if compiled and (case is not None or flags != 0):
            raise ValueError("case and flags cannot be set when pat is a compiled regex")
    elif compiled:
        raise ValueError("Cannot use a compiled regex as replacement pattern with regex=False")
    elif callable(repl):
        raise ValueError("Cannot use a callable replacement when regex=False")


def _replacement(pat: Any, repl: Any, n: int, how: tuple[bool, int, Any]) -> Any:
    """The functions of a row and of a column that replace one pattern."""
    ignores, flags, regex = how
    flags = flags | re.IGNORECASE if ignores else flags
    if not (regex or flags or callable(repl)):
        return (lambda text: text.replace(pat, repl, n)), engine.replace(pat, repl, n)
    if not isinstance(pat, re.Pattern):
        pat = re.compile(re.escape(pat) if regex is False else pat, flags=flags)
    most = max(n, 0)
    return (lambda text: pat.sub(repl, text, count=most)), engine.substitute(pat, repl, most)
