"""How far a fit is: lines, and a bar below them where somebody looks at a terminal."""

from __future__ import annotations

from typing import Any, Self

from .._core.progress_bar import ProgressBar


class FitProgress:
    """What a fit with `verbose` shows: lines on standard output, and a bar on standard error.

    The bar is of `total` steps, called `unit`, the most that there may be; it is there on a
    terminal, in a `with` block, after half a second. Without `verbose` there is nothing.
    """

    def __init__(self, model: Any, total: int, unit: str) -> None:
        self._bar = ProgressBar(type(model).__name__, unit) if model.verbose else None
        self._total, self._done = total, 0
        self.is_wanted = self._bar is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def hide(self) -> None:
        """Take the bar away until the next step, for lines that others print."""
        if self._bar is not None:
            self._bar.hide()

    def tell(self, text: str) -> None:
        """Print a line."""
        self.hide()
        if self._bar is not None:
            print(text)

    def reached(self, done: int) -> None:
        """So many steps are done."""
        self._done = done
        if self._bar is not None:
            self._bar(done, self._total)

    def step(self) -> None:
        """One step more is done."""
        self.reached(self._done + 1)
