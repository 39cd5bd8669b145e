"""A bar for long work, where somebody looks at a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time

WIDTH = 40  # characters of the bar
SILENT = 0.5  # seconds in which nothing is shown
_AGAIN = 0.1  # seconds from one text to the next


def _is_terminal() -> bool:
    if sys.stderr is None or threading.current_thread() is not threading.main_thread():
        return False
    try:
        return sys.stderr.isatty()
    except ValueError:  # it is closed
        return False


def _columns() -> int:
    """The width of the terminal, at least 20."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):  # no terminal of the system
        columns = 0
    return max(columns or 80, 20)


class ProgressBar:
    """Called with how much is done and how much there is, it shows both on standard error.

    They are bytes, or what `unit` says. Nothing is shown of work that is done within half a second,
    where standard error is no terminal, and in threads beside the main one, whose bars would write
    over each other. `close` takes the bar away.
    """

    def __init__(self, what: str, unit: str | None = None) -> None:
        self._what, self._unit = what, unit
        self._begin = time.monotonic()
        self._last = 0.0
        self._is_shown = False
        self.is_terminal = _is_terminal()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not self.is_terminal or now - self._begin < SILENT or now - self._last < _AGAIN:
            return
        self._last, self._is_shown = now, True
        part = done / total if total else 0.0
        rest = f" {part:4.0%} of {self._amount(total)}"
        # A line that is as wide as the terminal, or wider, is not taken away as a whole.
        room = _columns() - 1
        width = min(WIDTH, room - len(self._what) - len(rest) - 3)
        bar = f" [{'#' * int(part * width):<{width}}]" if width > 0 else ""
        print(f"\r{(self._what + bar + rest)[:room]}", end="", file=sys.stderr, flush=True)

    def _amount(self, total: int) -> str:
        return f"{total / 1e6:.0f} MB" if self._unit is None else f"{total} {self._unit}"

    def hide(self) -> None:
        """Takes the bar away, if it is there, for a line in its place; the next call shows it."""
        if self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._is_shown, self._last = False, 0.0

    close = hide
