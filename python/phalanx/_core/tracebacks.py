"""Uncaught errors end at the program's line: what is below it of this package is left out.

Only what is shown is shorter. The error keeps its traceback, for debuggers and for logs, and
``PHALANX_FULL_TRACEBACK=1`` shows all of it. What this package did not raise on purpose is shown
whole: it is a fault of ours, and the frames say where.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
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
    frames = _frames(traceback)
    kept = _count_kept(frames)
    if not kept or kept == len(frames) or not _is_on_purpose(error, frames[-1]):
        return traceback
    made: TracebackType | None = None
    for each in reversed(frames[:kept]):
        made = TracebackType(made, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return made


@contextlib.contextmanager
def shortened(
    error: BaseException, traceback: TracebackType | None
) -> Iterator[TracebackType | None]:
    """Gives an error the traceback that is shown of it, and those it came of; then theirs again.

    What is given is that of the error itself, the same as `traceback` where nothing is left out.
    """
    whole = [(error, traceback), *((each, each.__traceback__) for each in _causes(error))]
    part = without_own_end(error, traceback)
    try:
        error.__traceback__ = part
        for cause, its in whole[1:]:
            cause.__traceback__ = _of_cause(cause, its)
        yield part
    finally:
        for each, its in whole:
            each.__traceback__ = its


def _causes(error: BaseException) -> list[BaseException]:
    """The errors that are shown above this one: what it was raised from, or while handling."""
    found: list[BaseException] = [error]
    at: BaseException | None = error
    while at is not None:
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
        if at is None or at in found:
            break
        found.append(at)
    return found[1:]


def _of_cause(error: BaseException, traceback: TracebackType | None) -> TracebackType | None:
    """What is shown of a cause: none of its frames where all are ours, and it was on purpose."""
    frames = _frames(traceback)
    if frames and not _count_kept(frames) and _is_on_purpose(error, frames[-1]):
        return None
    return without_own_end(error, traceback)


def _frames(traceback: TracebackType | None) -> list[TracebackType]:
    frames = []
    while traceback is not None:
        frames.append(traceback)
        traceback = traceback.tb_next
    return frames


def _count_kept(frames: list[TracebackType]) -> int:
    """How many frames there are up to the program's last one."""
    kept = len(frames)
    while kept and _is_own(frames[kept - 1]):
        kept -= 1
    return kept


def _is_own(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(_OWN)


def _is_on_purpose(error: BaseException, innermost: TracebackType) -> bool:
    """Returns whether the error is one of ours, or its line raises it."""
    import linecache

    if isinstance(error, PhalanxError):
        return True
    code = innermost.tb_frame.f_code
    return linecache.getline(code.co_filename, innermost.tb_lineno).lstrip().startswith("raise ")


def show(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Show an uncaught error as Python does, up to the program's line."""
    if not is_wanted():
        sys.__excepthook__(kind, error, traceback)
        return
    with shortened(error, traceback) as part:
        sys.__excepthook__(kind, error, part)
    if part is not traceback:
        print(_HINT, file=sys.stderr)
