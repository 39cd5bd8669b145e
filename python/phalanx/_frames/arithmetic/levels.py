"""Operands whose labels are those of one level of the other's."""

from __future__ import annotations

from typing import Any

from .. import above
from ..building.columns import is_frame, is_series


def met_by_level(of: Any, other: Any, level: Any, axis: int, caller: str) -> tuple[Any, Any]:
    """Both operands under the labels of the one with levels, of which the other has `level`.

    Raises NotImplementedError for frames as operands, TypeError where both have levels.
    """
    mine = of.index if axis == 0 or of.ndim == 1 else of.columns
    if is_frame(other):
        raise NotImplementedError(f"{caller}: the keyword 'level' beside a frame")
    if not is_series(other):
        return of, other
    if mine.nlevels > 1 and other.index.nlevels > 1:
        if mine.equals(other.index):
            return of, other
        raise TypeError("Join on level between two MultiIndex objects is ambiguous")
    if mine.nlevels > 1:
        return of, _spread(other, mine, level)
    if other.index.nlevels == 1:
        return of, other
    if of.ndim == 1:
        return _spread(of, other.index, level), other
    raise NotImplementedError(f"{caller}: the keyword 'level' of a series with more levels")


def _spread(series: Any, index: Any, level: Any) -> Any:
    """The values of a series for the labels that rows have in a level."""
    taken = series.reindex(index.get_level_values(level))
    return above.Series._of(taken._parts[0], index, series.name)
