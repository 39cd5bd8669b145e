"""The statistics that windows with two ends have."""

from __future__ import annotations

from typing import Any

from ..functions.row_by_row import one_warning
from ..signatures import leaves_out
from .aggregating import Aggregating
from .applying import applied
from .pairs import Pairs

_INTERPOLATIONS = ("linear", "lower", "higher", "nearest", "midpoint")
_no_engine = leaves_out("engine", "engine_kwargs")


class WindowStatistics(Aggregating, Pairs):
    """`sum`, `mean` and so on: a number for each window, NaN where too few values are there."""

    def count(self, numeric_only: bool = False) -> Any:
        """How many values there are, of any dtype."""
        return self._apply("count", numeric_only)

    @_no_engine
    def sum(self, numeric_only: bool = False) -> Any:
        """The sum."""
        return self._apply("sum", numeric_only)

    @_no_engine
    def mean(self, numeric_only: bool = False) -> Any:
        """The mean."""
        return self._apply("mean", numeric_only)

    @_no_engine
    def median(self, numeric_only: bool = False) -> Any:
        """The median."""
        return self._apply("median", numeric_only)

    @_no_engine
    def min(self, numeric_only: bool = False) -> Any:
        """The least."""
        return self._apply("min", numeric_only)

    @_no_engine
    def max(self, numeric_only: bool = False) -> Any:
        """The greatest."""
        return self._apply("max", numeric_only)

    @_no_engine
    def var(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The variance, over the count less ``ddof``."""
        return self._apply("var", numeric_only, ddof=ddof)

    @_no_engine
    def std(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The standard deviation, over the count less ``ddof``."""
        return self._apply("std", numeric_only, ddof=ddof)

    def sem(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """The standard error of the mean."""
        return self._apply("sem", numeric_only, ddof=ddof)

    def skew(self, numeric_only: bool = False) -> Any:
        """The skewness, free of bias; NaN of fewer than 3 values or where all are equal."""
        return self._apply("skew", numeric_only)

    def kurt(self, numeric_only: bool = False) -> Any:
        """The kurtosis, free of bias; NaN of fewer than 4 values or where all are equal."""
        return self._apply("kurt", numeric_only)

    def first(self, numeric_only: bool = False) -> Any:
        """The first value that is not missing."""
        return self._apply("first", numeric_only)

    def last(self, numeric_only: bool = False) -> Any:
        """The last value that is not missing."""
        return self._apply("last", numeric_only)

    def nunique(self, numeric_only: bool = False) -> Any:
        """How many different values there are."""
        return self._apply("nunique", numeric_only)

    def quantile(self, q: float, interpolation: str = "linear", numeric_only: bool = False) -> Any:
        """The value below which a part ``q`` of the values is.

        Raises ValueError for a part that is not from 0 to 1 and for unknown interpolations.
        """
        if not 0 <= q <= 1:
            raise ValueError(f"quantile value {q} not in [0, 1]")
        if interpolation not in _INTERPOLATIONS:
            raise ValueError(f"Interpolation '{interpolation}' is not supported")
        return self._apply("quantile", numeric_only, quantile=float(q), interpolation=interpolation)

    def rank(
        self,
        method: str = "average",
        ascending: bool = True,
        pct: bool = False,
        numeric_only: bool = False,
    ) -> Any:
        """The rank of a window's last value among all of the window, from 1 on.

        Raises ValueError for a method that is not 'average', 'min' or 'max'.
        """
        if method not in ("average", "min", "max"):
            raise ValueError(f"Method '{method}' is not supported")
        return self._apply(
            "rank", numeric_only, rank=method, descending=not ascending, fraction=bool(pct)
        )

    def apply(
        self,
        func: Any,
        raw: bool = False,
        engine: str | None = None,
        engine_kwargs: Any = None,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """What a function makes of each window: of an array with ``raw``, else of a series.

        Raises ValueError for a ``raw`` that is no bool, TypeError for results that are no numbers,
        NotImplementedError for ``engine="numba"``.
        """
        if raw not in (True, False):
            raise ValueError("raw parameter must be `True` or `False`")
        if engine == "numba":
            raise NotImplementedError("apply: engine='numba' of pandas is not supported")
        if engine not in (None, "cython"):
            raise ValueError("engine must be either 'numba' or 'cython'")
        if engine_kwargs is not None:
            raise ValueError("cython engine does not accept engine_kwargs")
        data = self._data("apply", False)
        call = (func, tuple(args or ()), dict(kwargs or {}))
        with one_warning():
            arrays = [applied(self, each, call, raw=bool(raw)) for each in data.columns]
        return self._assembled(arrays, data.labels)
