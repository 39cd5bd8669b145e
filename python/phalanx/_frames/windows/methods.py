"""What frames and series have of windows."""

from __future__ import annotations

from typing import Any

from .decaying import ExponentialMovingWindow
from .rolling import Expanding, Rolling
from .weighted import Window


class Windowing:
    """`rolling`, `expanding` and `ewm`."""

    def _windowed(self, kind: Any, keywords: dict[str, Any]) -> Any:
        """The object of a class of windows for what the keywords say."""
        return kind(self, keywords)

    def rolling(
        self,
        window: Any,
        min_periods: int | None = None,
        center: bool = False,
        win_type: str | None = None,
        on: Any = None,
        closed: str | None = None,
        step: int | None = None,
        method: str = "single",
    ) -> Rolling | Window:
        """Windows of that many rows that end with each row, or of so much time, as ``"3D"``.

        Windows of time need an index of dates or durations, or a column of them, ``on``. A window
        with fewer values than ``min_periods`` has NaN: all rows by default, of time 1. ``closed``
        says which ends of a window count, ``center`` puts the row in its middle, ``step`` leaves
        windows out. With ``win_type``, as ``"hann"``, a window's rows have weights, by the names
        of SciPy's windows. Raises ValueError for windows that are neither, and for unknown names.
        """
        keywords = {
            "window": window, "min_periods": min_periods, "center": center, "win_type": win_type,
            "on": on, "closed": closed, "step": step, "method": method,
        }  # fmt: skip
        kind = Rolling if win_type is None else Window
        return self._windowed(kind, keywords)  # type: ignore[no-any-return]

    def expanding(self, min_periods: int = 1, method: str = "single") -> Expanding:
        """Windows of all rows up to each; NaN where fewer than ``min_periods`` have a value."""
        keywords = {"min_periods": min_periods, "method": method}
        return self._windowed(Expanding, keywords)  # type: ignore[no-any-return]

    def ewm(
        self,
        com: float | None = None,
        span: float | None = None,
        halflife: Any = None,
        alpha: float | None = None,
        min_periods: int | None = 0,
        adjust: bool = True,
        ignore_na: bool = False,
        times: Any = None,
        method: str = "single",
    ) -> ExponentialMovingWindow:
        """Rows up to each with weights that fall by a factor from row to row.

        The factor is said by one of ``com``, ``span``, ``halflife`` and ``alpha``; with ``times``
        ``halflife`` is a duration. Raises ValueError for none or several of them.
        """
        keywords = {
            "com": com, "span": span, "halflife": halflife, "alpha": alpha,
            "min_periods": min_periods, "adjust": adjust, "ignore_na": ignore_na, "times": times,
            "method": method,
        }  # fmt: skip
        return self._windowed(ExponentialMovingWindow, keywords)  # type: ignore[no-any-return]
