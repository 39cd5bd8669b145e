"""Uncaught errors end at the program's line: what is below it of this package is left out.

Only what is shown is shorter. The error keeps its traceback, for debuggers and for logs, and
``PHALANX_FULL_TRACEBACK=1`` shows all of it. What this package did not raise on purpose is shown
whole: it is a fault of ours, and the frames say where.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType

from ..errors import PhalanxError

_OWN = os.path.dirname(os.path.dirname(__file__)) + os.sep  # noqa: PTH120  (pathlib costs an import at start)
_HINT = "(The frames of phalanx are left out; PHALANX_FULL_TRACEBACK=1 shows them.)"


def is_wanted() -> bool:
    """Returns whether tracebacks are to be shown without our frames."""
    return os.environ.get("PHALANX_FULL_TRACEBACK", "0") in ("", "0")


def without_own_end(error: BaseException, traceback: TracebackType | None) -> TracebackType | None:
    """The traceback up to the last frame of the program, if an error of ours ends it.

    The same traceback where nothing is left out.
    """
    frames: list[TracebackType] = []
    at = traceback
    while at is not None:
        frames.append(at)
        at = at.tb_next
    kept = len(frames)
    while kept and _is_own(frames[kept - 1]):
        kept -= 1
    if not kept or kept == len(frames) or not _is_on_purpose(error, frames[-1]):
        return traceback
    made: TracebackType | None = None
    for each in reversed(frames[:kept]):
        made = TracebackType(made, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return made


def _is_own(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(_OWN)


def _is_on_purpose(error: BaseException, innermost: TracebackType) -> bool:
    """Returns whether the error is one of ours, or its line raises it."""
    import linecache

    if isinstance(error, PhalanxError):
        return True
    code = innermost.tb_frame.f_code
    return linecache.getline(code.co_filename, innermost.tb_lineno).lstrip().startswith("raise ")


def install() -> None:
    """Lets Python show uncaught errors so, if no other hook does it already."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _show


def _show(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    part = without_own_end(error, traceback) if is_wanted() else traceback
    sys.__excepthook__(kind, error.with_traceback(part), part)
    error.__traceback__ = traceback
    if part is not traceback:
        print(_HINT, file=sys.stderr)
