"""Has Python show uncaught errors by `tracebacks`, which is imported when there is one."""

from __future__ import annotations

import sys
from types import TracebackType


def install() -> None:
    """Lets Python show uncaught errors so, if no other hook does it already."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _show


def _show(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    from .tracebacks import show

    show(kind, error, traceback)
