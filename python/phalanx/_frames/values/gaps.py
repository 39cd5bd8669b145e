"""Missing rows between others: carried on from one side, or interpolated."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import engine
from ..columns import Column
from ..columns.numbers import NumberColumn
from ..dtypes import NULLABLE, OBJECT, CategoricalDtype, NullableDtype, StringDtype, is_numeric
from ..indexes.times import Times
from ..selection.rows import RowMethods
from ..signatures import in_place_self

_METHODS = ("linear", "time", "index", "values", "nearest", "zero")
_OF_SCIPY = frozenset(
    ["slinear", "quadratic", "cubic", "barycentric", "krogh", "spline", "polynomial",
     "from_derivatives", "piecewise_polynomial", "pchip", "akima", "cubicspline"]
)  # fmt: skip
_DIRECTIONS = ("forward", "backward", "both")
_AREAS = ("inside", "outside")


def checked_limit(limit: Any) -> int | None:
    """How many rows of a gap are filled, at most. Raises ValueError for what is no such number."""
    if limit is None:
        return None
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)):
        raise ValueError("Limit must be an integer")
    if limit < 1:
        raise ValueError("Limit must be greater than 0")
    return int(limit)


def checked_area(area: Any) -> str | None:
    """'inside', 'outside' or None. Raises ValueError for anything else."""
    if area is None:
        return None
    if str(area).lower() not in _AREAS:
        raise ValueError(
            f"Invalid limit_area: expecting one of {list(_AREAS)}, got {str(area).lower()}."
        )
    return str(area).lower()


def _area_keywords(area: str | None) -> dict[str, Any]:
    return {"inside": area != "outside", "outside": area != "inside"}


def carried_column(
    column: Column, limit: int | None, *, backward: bool, area: str | None = None
) -> Column:
    """Missing rows as the last row before them, or the first after them, that is not missing."""
    keywords: dict[str, Any] = {
        "rule": "after" if backward else "before",
        "from_begin": not backward,
        "from_end": backward,
        **_area_keywords(area),
    }
    if limit is not None:
        keywords["limit"] = limit
    if not _has_gaps(column):
        return column
    if isinstance(column, NumberColumn) and column.values.dtype.kind != "c":
        return _filled(column, keywords)
    valid = np.ascontiguousarray(~np.asarray(column.isna()))
    rows = np.asarray(engine.of_host("rows_of_gaps", valid, keywords))
    # What stays missing stays what it is: None or NaN.
    return column.take(px.asarray(np.where(rows < 0, np.arange(len(rows)), rows)))


def _has_gaps(column: Column) -> bool:
    """False where no row can be missing; without a look at floats, of which most are filled."""
    if isinstance(column, NumberColumn) and not isinstance(column.dtype, NullableDtype):
        return column.values.dtype.kind in "fcmM"
    return column.has_missing()


def _filled(column: Any, keywords: dict[str, Any]) -> NumberColumn:
    values = np.ascontiguousarray(np.asarray(column.values))
    if values.dtype == np.float16:
        wide = _filled(column.astype(np.dtype(np.float32)), keywords)
        return wide.astype(column.dtype)  # type: ignore[return-value]
    mask = None if column.valid is None else np.ascontiguousarray(np.asarray(column.valid))
    made, valid = engine.of_host("fill_gaps", values, mask, keywords)
    there = None if valid is None else px.asarray(np.asarray(valid))
    return NumberColumn(px.asarray(np.asarray(made).view(values.dtype)), there, column.dtype)


class Interpolating(RowMethods):
    """`interpolate`."""

    @in_place_self
    def interpolate(
        self,
        method: str = "linear",
        *,
        axis: Any = 0,
        limit: int | None = None,
        limit_direction: str | None = None,
        limit_area: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Missing numbers by those before and after them.

        ``method`` is 'linear', by the rows' numbers; 'index', 'values' or 'time', by their labels;
        'nearest' or 'zero', the one before. ``limit_direction`` says from which value on a gap is
        filled, ``limit`` how many rows of it, ``limit_area`` if only gaps between two values are
        ('inside') or only others. Raises ValueError for other values of these, TypeError for text
        and objects, and NotImplementedError for methods of SciPy.
        """
        if self._axis(axis) == 1:
            of: Any = self
            turned = of.T
            return turned.interpolate(
                method, limit=limit, limit_direction=limit_direction, limit_area=limit_area,
                **kwargs,
            ).T  # fmt: skip
        if self.empty:
            return self.copy()
        _check_method(method, limit_direction, kwargs)
        keywords = _keywords(method, limit, limit_direction, limit_area)
        if method != "linear" and self._index._has_missing():
            raise NotImplementedError(
                "Interpolation with NaNs in the index has not been implemented. Try filling those "
                "NaNs before interpolating."
            )
        return self._keep_attrs(
            self._each(lambda each: _interpolated(each, self._index, method, keywords))
        )


def _check_method(method: Any, direction: Any, kwargs: dict[str, Any]) -> None:
    if not isinstance(method, str):
        raise ValueError("'method' should be a string, not None.")
    one_way = {"pad": "forward", "ffill": "forward", "backfill": "backward", "bfill": "backward"}
    if method in one_way and direction not in (None, one_way[method]):
        raise ValueError(f"`limit_direction` must be '{one_way[method]}' for method `{method}`")
    if method in _OF_SCIPY:
        if method in ("spline", "polynomial") and kwargs.get("order") is None:
            raise ValueError("You must specify the order of the spline or polynomial.")
        raise NotImplementedError(
            f"interpolate: the method {method!r} of SciPy is not supported; to_pandas() gives an "
            "object that has it"
        )
    if method not in _METHODS:
        raise ValueError(f"Can not interpolate with method={method}.")


def _keywords(method: str, limit: Any, direction: Any, area: Any) -> dict[str, Any]:
    direction = "forward" if direction is None else str(direction).lower()
    if direction not in _DIRECTIONS:
        raise ValueError(
            f"Invalid limit_direction: expecting one of {list(_DIRECTIONS)}, got '{direction}'."
        )
    keywords: dict[str, Any] = {
        "rule": method if method in ("nearest", "zero") else "linear",
        "from_begin": direction != "backward",
        "from_end": direction != "forward",
        **_area_keywords(checked_area(area)),
    }
    checked = checked_limit(limit)
    if checked is not None:
        keywords["limit"] = checked
    return keywords


def _interpolated(column: Column, index: Any, method: str, keywords: dict[str, Any]) -> Column:
    _check_dtype(column, method)
    if not _has_gaps(column):
        return column
    if isinstance(column.dtype, NullableDtype) and column.dtype.kind != "f":
        column = column.astype(NULLABLE["Float64"])
    if method == "linear":
        return _filled(column, keywords)
    positions = _positions(index, method)
    if keywords["rule"] != "linear":
        # What is before the first value or after the last is not said.
        keywords = {**keywords, "outside": False}
    if (np.diff(positions) > 0).all():
        return _filled(column, {**keywords, "positions": positions})
    return _unsorted(column, positions, keywords)


def _check_dtype(column: Column, method: str) -> None:
    dtype = column.dtype
    if isinstance(dtype, CategoricalDtype):
        raise NotImplementedError("Categorical does not implement interpolate")
    if isinstance(dtype, StringDtype):
        raise TypeError(f"Cannot interpolate with {dtype} dtype")
    if dtype == OBJECT or dtype.kind == "c":
        raise TypeError(f"interpolate: there are no numbers between those of dtype {dtype}")
    if isinstance(dtype, NullableDtype) and dtype.kind == "b":
        raise NotImplementedError(f"interpolate is not implemented for dtype={dtype}")
    if dtype.kind in "mM" and method != "linear":
        raise NotImplementedError(f"interpolate: dates by the method {method!r}")


def _positions(index: Any, method: str) -> np.ndarray:
    if isinstance(index, Times):
        return index.asi8.astype(np.float64)
    if method == "time":
        raise ValueError(
            "time-weighted interpolation only works on Series or DataFrames with a DatetimeIndex"
        )
    if index.nlevels > 1:
        raise ValueError("Only `method=linear` interpolation is supported on MultiIndexes.")
    if not is_numeric(index.dtype):
        raise TypeError(
            f"interpolate: labels of dtype {index.dtype} are no positions; "
            "method='linear' needs none"
        )
    return np.ascontiguousarray(index.to_numpy().astype(np.float64))


def _unsorted(column: Any, positions: np.ndarray, keywords: dict[str, Any]) -> Column:
    """By positions in any order, or repeated ones: which rows are filled is still said by the rows.

    Of values at one position the last counts, as in ``numpy.interp``.
    """
    if keywords["rule"] != "linear":
        raise NotImplementedError(
            "interpolate: 'nearest' and 'zero' by labels that do not grow; sort_index() first"
        )
    gone = np.asarray(column.isna())
    if gone.all():
        unchanged: Column = column
        return unchanged
    order = np.argsort(positions[~gone])
    values = np.asarray(column.values)
    made = values.copy()
    made[gone] = np.interp(positions[gone], positions[~gone][order], values[~gone][order])
    left = _filled(column, keywords).isna()
    rest: Column = column.missing(len(column))
    found = NumberColumn(
        px.asarray(made), None if column.valid is None else ~px.asarray(left), column.dtype
    )
    if column.valid is not None:
        return found
    return rest.where(left, found)
