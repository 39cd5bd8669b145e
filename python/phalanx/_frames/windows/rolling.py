"""`rolling`: windows of that many rows, or of so much time, that move with the rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine
from ..columns import Column
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.times import Times
from .base import Windowed
from .spans import checked_times, span_edges, span_of
from .statistics import WindowStatistics

_CLOSED = ("right", "both", "left", "neither")


class Moving(Windowed):
    """Windows that move with the rows: which rows are in each, and what labels the results."""

    def __init__(self, of: Any, keywords: dict[str, Any], selection: Any = None) -> None:
        super().__init__(of, keywords, selection)
        self._on = self._found_on()
        self._check()
        window = keywords["window"]
        self._span: int | None = None
        if self._is_of_time(window):
            self._check_order()
            self._span = span_of(window, self._on)
            if keywords["step"] is not None:
                raise NotImplementedError("step is not supported with frequency windows")
        elif isinstance(window, bool) or not isinstance(window, (int, np.integer)) or window < 0:
            raise ValueError("window must be an integer 0 or greater")

    def _check(self) -> None:
        given = self._keywords
        if not isinstance(given["center"], (bool, np.bool_)):
            raise ValueError("center must be a boolean")
        _check_count("min_periods", given["min_periods"])
        _check_count("step", given["step"])
        least, window = given["min_periods"], given["window"]
        if least is not None and isinstance(window, (int, np.integer)) and least > window:
            raise ValueError(f"min_periods {least} must be <= window {window}")
        if given["closed"] is not None and given["closed"] not in _CLOSED:
            raise ValueError("closed must be 'right', 'left', 'both' or 'neither'")
        if given["method"] == "table":
            raise NotImplementedError("rolling: method='table' of pandas is not supported")
        if given["method"] != "single":
            raise ValueError("method must be 'table' or 'single")

    # What windows are found by.

    def _found_on(self) -> Any:
        on = self._keywords["on"]
        if on is None:
            return self._of.index
        if isinstance(on, Index):
            return on
        if self._of.ndim == 2 and on in self._of.columns:
            made: Any = index_of(self._of[on]._parts[0])
            return made.rename(on)
        raise ValueError(
            f"invalid on specified as {on}, must be a column (of DataFrame), an Index or None"
        )

    def _is_of_time(self, window: Any) -> bool:
        if isinstance(window, (int, float, np.integer)) or window is None:
            return False
        return isinstance(self._on, Times) or len(self._of) == 0

    def _check_order(self) -> None:
        checked_times(self._on, self._keywords["on"])

    def _left_out(self) -> Any:
        on = self._keywords["on"]
        return None if isinstance(on, Index) else on

    def _rows_index(self) -> Index:
        return self._on  # type: ignore[no-any-return]

    # Windows.

    def _min_periods(self) -> int:
        least = self._keywords["min_periods"]
        if least is not None:
            return int(least)
        return 1 if self._span is not None else int(self._keywords["window"])

    def _bounds(self, count: int) -> tuple[Any, ...]:
        """The windows of that many rows, as the engine takes them."""
        if self._span is not None:
            return self._time_bounds(count)
        width = int(self._keywords["window"])
        closed = self._keywords["closed"]
        step = self._step()
        ahead = (width - 1) // 2 if self._keywords["center"] or width == 0 else 0
        last = 1 + ahead
        first = last - width - (closed in ("left", "both"))
        last -= closed in ("left", "neither")
        return -(-count // step), first, last, step

    def _time_bounds(self, count: int) -> tuple[engine.Array, engine.Array]:
        times = engine.placed(self._on._column.values).view(np.int64)
        if len(times) < count:
            raise ValueError(
                "Variable rolling window requires the index to be at least as long as the 'other' "
                f"index. Got {len(times)} < {count}. Please align 'other' to the rolling object's "
                "index using reindex_like() or similar method."
            )
        assert self._span is not None
        given, rows = self._keywords, np.array([0, count], np.int64)
        center = bool(given["center"])
        return span_edges(times[:count], rows, self._span, given["closed"], center=center)

    def _step(self) -> int:
        step = self._keywords["step"]
        return 1 if step is None else int(step)

    def _edges(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Where each window begins and ends."""
        bounds = self._bounds(count)
        if len(bounds) == 2:
            return engine.on_host(bounds[0]), engine.on_host(bounds[1])
        number, first, last, step = bounds
        moved = np.arange(number, dtype=np.int64) * step
        starts, ends = np.clip(moved + first, 0, count), np.clip(moved + last, 0, count)
        return starts, np.maximum(starts, ends)

    def _computed(self, requests: list[dict[str, Any]], count: int) -> list[engine.Array]:
        return engine.slide(count, self._bounds(count), requests)

    # Results.

    def _index(self, count: int) -> Index:
        made: Index = self._of.index
        return made if count == len(made) else made._slice(slice(None, None, self._step()))

    def _finished(self, made: Any) -> Any:
        """With the column that the windows were found by where it was."""
        label = self._left_out()
        if label is None or label in made.columns:
            return made
        column: Column = self._ordered(self._on._column)
        if self._step() > 1:
            column = column.slice(slice(None, None, self._step()))
        labels = list(self._selected.columns)
        place = labels.index(label) if label in labels else len(made.columns)
        made._insert(place, label, column)
        return made

    def _refuse_pairs(self, kind: str) -> None:
        if self._keywords["step"] is not None:
            raise NotImplementedError(f"step not implemented for {kind}")

    def __iter__(self) -> Any:
        for start, end in zip(*self._edges(len(self._of)), strict=True):
            yield self._selected._at(slice(int(start), int(end)))


class Rolling(Moving, WindowStatistics):
    """Windows that move with the rows: `sum`, `mean` and so on are of the rows of each."""

    _names = frozenset({"is_datetimelike"})


class Expanding(Rolling):
    """Windows of all rows up to each: `sum`, `mean` and so on are of these."""

    def __init__(self, of: Any, keywords: dict[str, Any], selection: Any = None) -> None:
        full = {"on": None, "closed": None, "step": None, "center": False, "window": len(of)}
        full |= keywords
        super().__init__(of, full, selection)

    def _check(self) -> None:
        _check_count("min_periods", self._keywords["min_periods"])
        if self._keywords["method"] == "table":
            raise NotImplementedError("expanding: method='table' of pandas is not supported")
        if self._keywords["method"] != "single":
            raise ValueError("method must be 'table' or 'single")

    def _bounds(self, count: int) -> tuple[Any, ...]:
        return count, 1 - count, 1, 1

    def __repr__(self) -> str:
        given = self._keywords
        return f"Expanding [min_periods={given['min_periods']},method={given['method']}]"


def _check_count(name: str, given: Any) -> None:
    if given is None:
        return
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)):
        raise ValueError(f"{name} must be an integer")
    if given < 0:
        raise ValueError(f"{name} must be >= 0")
    if name == "step" and given == 0:
        raise ZeroDivisionError("step must be at least 1")
