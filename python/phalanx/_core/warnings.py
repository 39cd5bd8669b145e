"""What warnings look like: a code, one sentence, the page of the guide; the location is Python's.

The engine calls `warn` and `warn_at`. Codes belong to the classes of `phalanx.errors`.
"""

from __future__ import annotations

import linecache
import sys
import types
import warnings
from typing import Any, cast

from .. import errors

GUIDE = "docs/guide/warnings.md"
_OURS = __file__.rpartition("_core")[0]
_registry: dict[Any, Any] = {}  # where Python's filters note what was shown


def _text(category: str, sentence: str) -> str:
    """The code comes first: so ``-W ignore:PHX103`` finds it."""
    code = getattr(errors, category).code
    return f"{code} {sentence} [{GUIDE}#{code.lower()}]"


def _class(category: str) -> type[Warning]:
    return cast("type[Warning]", errors.class_to_raise(category))


def warn(category: str, sentence: str) -> None:
    """Warns at the line of the program that called us; `category` is a class of errors."""
    say(_text(category, sentence), _class(category))


def say(text: str, category: type[Warning]) -> None:
    """Warns at the line of the program that called us, in another library's words and class."""
    _, level = called_from_outside()
    warnings.warn(text, category, stacklevel=level)


def called_from_outside() -> tuple[types.FrameType, int]:
    """The frame of the function of ours that the program called, and the level of the program's own
    frame for who asks."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_back.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    return frame, level


def warn_at(
    category: str,
    sentence: str,
    kernel: tuple[str, int] | None,
    file: str,
    line: int,
    source_line: str,
) -> None:
    """Warns at a line of a kernel; `kernel` is the kernel's file and first line, if known.

    The warning may be as old as the cache: the line is the nearest that reads so now.
    """
    if file.startswith(_OURS):
        return  # our own kernels are as they are meant to be
    nearest = _nearest(file, line, source_line)
    if nearest is None and kernel is not None:
        file, nearest = kernel
    warnings.warn_explicit(
        _text(category, sentence),
        _class(category),
        file,
        nearest or line,
        registry=_registry,
    )


def _nearest(file: str, line: int, text: str) -> int | None:
    found = [at for at, each in enumerate(linecache.getlines(file), 1) if each.strip() == text]
    return min(found, key=lambda at: abs(at - line), default=None)
