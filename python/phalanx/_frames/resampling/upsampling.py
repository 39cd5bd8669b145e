"""Rows at the edges of bins: what is between the rows that are there."""

from __future__ import annotations

from typing import Any

from .resampler import Binned


class Upsampling(Binned):
    """`asfreq`, `ffill` and the like: a row for each bin's label."""

    def _grid(self) -> Any:
        """The labels of the rows: the edges at which bins are closed."""
        if self._sorted.is_selected:
            raise ValueError(
                "Upsampling from level= or on= selection is not supported, use .set_index(...) to "
                "explicitly set index to datetime-like"
            )
        edges = self._bins.edges
        if len(edges) == 0:
            return edges
        is_right = self._keywords["rule"].closed == "right" and edges.dtype.kind == "M"
        return edges._slice(slice(1, None) if is_right else slice(0, -1))

    def _upsampled(self, method: Any, limit: Any = None, fill_value: Any = None) -> Any:
        grid = self._grid()
        keywords = {} if fill_value is None else {"fill_value": fill_value}
        made = self._ordered_selection().reindex(grid, method=method, limit=limit, **keywords)
        made.index = grid
        return made

    def asfreq(self, fill_value: Any = None) -> Any:
        """The rows at the labels of the bins, with a value where there is none."""
        return self._upsampled(None, None, fill_value)

    def ffill(self, limit: int | None = None) -> Any:
        """The rows at the labels of the bins, or the last before."""
        return self._upsampled("ffill", limit)

    def bfill(self, limit: int | None = None) -> Any:
        """The rows at the labels of the bins, or the first after."""
        return self._upsampled("bfill", limit)

    def nearest(self, limit: int | None = None) -> Any:
        """The rows at the labels of the bins, or the nearest."""
        return self._upsampled("nearest", limit)

    def interpolate(
        self,
        method: str = "linear",
        *,
        axis: Any = 0,
        limit: int | None = None,
        limit_direction: str = "forward",
        limit_area: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Values at the labels of the bins between those of the rows, as `Series.interpolate`."""
        grid = self._grid()
        every = grid.union(self._sorted.index(self._of))
        made = self._ordered_selection().reindex(every).interpolate(
            method, axis=axis, limit=limit, limit_direction=limit_direction,
            limit_area=limit_area, **kwargs,
        )  # fmt: skip
        made = made.reindex(grid)
        made.index = grid
        return made
