"""What programs under ``phalanx run`` show of their errors: nothing of how they were started."""

from __future__ import annotations

import os
import runpy
import sys
from types import TracebackType

_OWN = os.path.dirname(os.path.dirname(__file__)) + os.sep  # noqa: PTH120  (pathlib costs an import at start)
# Python's import system and runpy are frozen modules, but where it was built or asked not to.
_LAUNCHERS = (_OWN, "<frozen ", runpy.__file__)


def program_part(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback from the first frame of the program on; None where it has none."""
    while traceback and traceback.tb_frame.f_code.co_filename.startswith(_LAUNCHERS):
        traceback = traceback.tb_next
    return traceback


def shorten_uncaught() -> None:
    """Lets the hook of the program, or Python's, show the program's part of what ends it."""
    show = sys.excepthook

    def shown(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        part = program_part(traceback)
        show(kind, error.with_traceback(part), part)

    sys.excepthook = shown
