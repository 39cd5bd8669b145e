"""Parts of texts, and texts with something taken off or added."""

from __future__ import annotations

import textwrap
from typing import Any, Literal

import numpy as np

from ..columns.objects import ObjectColumn
from ..columns.strings import StringColumn
from ..dtypes import StringDtype
from ..missing import is_missing
from . import engine
from .results import Texts, of_texts_only


def check_width(width: Any) -> None:
    """Raise TypeError for a width that is no integer."""
    if isinstance(width, bool) or not isinstance(width, (int, np.integer)):
        raise TypeError(f"width must be of integer type, not {type(width).__name__}")


def _repeated(text: Any, times: int) -> Any:
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"{type(text).__name__} is no text: it is not repeated")
    return text * times


class Parts(Texts):
    """`slice`, `get`, `strip`, `pad` and the like."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self.slice(key.start, key.stop, key.step)
        return self.get(key)

    def len(self) -> Any:
        """Characters of each text, elements of each list."""
        return self._counts(len, engine.lengths)

    def get(self, i: Any) -> Any:
        """The character at a position, from the end if it is negative; missing where none is.

        Of lists, tuples and dicts the element.
        """
        missing = None if isinstance(self._dtype, StringDtype) else np.nan

        def element(value: Any) -> Any:
            if isinstance(value, dict):
                return value.get(i)
            return value[i] if len(value) > i >= -len(value) else missing

        return self._texts(element, engine.element(i))

    def slice(
        self, start: int | None = None, stop: int | None = None, step: int | None = None
    ) -> Any:
        """The characters of a slice."""
        part = slice(start, stop, step)
        return self._texts(lambda text: text[part], engine.part(part))

    @of_texts_only
    def slice_replace(
        self, start: int | None = None, stop: int | None = None, repl: str | None = None
    ) -> Any:
        """A slice replaced by another text."""
        new = "" if repl is None else repl

        def replaced(text: str) -> str:
            last = start if text[start:stop] == "" else stop
            before = "" if start is None else text[:start]
            return before + new + ("" if stop is None else text[last:])

        return self._texts(replaced)

    @of_texts_only
    def strip(self, to_strip: str | None = None) -> Any:
        """Without the white space, or some characters, at both ends."""
        return self._texts(lambda text: text.strip(to_strip), engine.strip(to_strip, "both"))

    @of_texts_only
    def lstrip(self, to_strip: str | None = None) -> Any:
        """Without the white space, or some characters, at the beginning."""
        return self._texts(lambda text: text.lstrip(to_strip), engine.strip(to_strip, "left"))

    @of_texts_only
    def rstrip(self, to_strip: str | None = None) -> Any:
        """Without the white space, or some characters, at the end."""
        return self._texts(lambda text: text.rstrip(to_strip), engine.strip(to_strip, "right"))

    @of_texts_only
    def removeprefix(self, prefix: str) -> Any:
        """Without a text at the beginning, where it is there."""
        whole = engine.without_affix(prefix, at_start=True)
        return self._texts(lambda text: text.removeprefix(prefix), whole)

    @of_texts_only
    def removesuffix(self, suffix: str) -> Any:
        """Without a text at the end, where it is there."""
        whole = engine.without_affix(suffix, at_start=False)
        return self._texts(lambda text: text.removesuffix(suffix), whole)

    @of_texts_only
    def pad(
        self, width: int, side: Literal["left", "right", "both"] = "left", fillchar: str = " "
    ) -> Any:
        """Filled up to a width with a character. Raises TypeError for a width or a character
        that is none, ValueError for a side that is none.
        """
        if not isinstance(fillchar, str):
            raise TypeError(f"fillchar must be a character, not {type(fillchar).__name__}")
        if len(fillchar) != 1:
            raise TypeError("fillchar must be a character, not str")
        check_width(width)
        methods = {"left": "rjust", "right": "ljust", "both": "center"}
        if side not in methods:
            raise ValueError("Invalid side: it is 'left', 'right' or 'both'")
        method = methods[side]
        function = lambda text: getattr(text, method)(width, fillchar)  # noqa: E731
        return self._texts(function, engine.pad(width, side, fillchar))

    @of_texts_only
    def center(self, width: int, fillchar: str = " ") -> Any:
        """Filled up at both ends."""
        return self.pad(width, "both", fillchar)

    @of_texts_only
    def ljust(self, width: int, fillchar: str = " ") -> Any:
        """Filled up at the end."""
        return self.pad(width, "right", fillchar)

    @of_texts_only
    def rjust(self, width: int, fillchar: str = " ") -> Any:
        """Filled up at the beginning."""
        return self.pad(width, "left", fillchar)

    @of_texts_only
    def zfill(self, width: int) -> Any:
        """Filled up with zeros, after the sign if there is one."""
        check_width(width)
        return self._texts(lambda text: text.zfill(width), engine.zfill(width))

    @of_texts_only
    def repeat(self, repeats: Any) -> Any:
        """Each text as often as a number says, or one of as many numbers as there are rows."""
        if isinstance(repeats, (int, np.integer)):
            times = int(repeats)
            function = lambda text: _repeated(text, times)  # noqa: E731
            return self._texts(function, engine.repeat(times), keeps=True)
        each = list(repeats)
        if len(each) != len(self._column):
            raise ValueError(f"{len(each)} repeats do not fit {len(self._column)} texts")
        made = [
            text if is_missing(text) else text * count
            for text, count in zip(self._listed(), each, strict=True)
        ]
        if isinstance(self._column, StringColumn):
            return self._labelled(self._as_dtype(made))
        return self._labelled(ObjectColumn(np.array([*made, None], object)[:-1]))

    @of_texts_only
    def wrap(
        self,
        width: int,
        expand_tabs: bool = True,
        tabsize: int = 8,
        replace_whitespace: bool = True,
        drop_whitespace: bool = True,
        initial_indent: str = "",
        subsequent_indent: str = "",
        fix_sentence_endings: bool = False,
        break_long_words: bool = True,
        break_on_hyphens: bool = True,
        max_lines: int | None = None,
        placeholder: str = " [...]",
    ) -> Any:
        """In lines of a width, as Python's `textwrap` makes them."""
        keywords = {name: value for name, value in locals().items() if name != "self"}
        wrapper = textwrap.TextWrapper(**keywords)
        return self._texts(lambda text: "\n".join(wrapper.wrap(text)))
