"""`ewm`: exponentially weighted means, sums and variances."""

from __future__ import annotations

import datetime
from typing import Any, NoReturn

import numpy as np

from .. import engine
from ..building.columns import is_series, ours
from ..indexes.durations import duration_of
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.times import Times
from ..signatures import leaves_out
from .aggregating import Aggregating
from .columns import floats
from .pairs import Pairs

_DURATION = (str, datetime.timedelta, np.timedelta64)
_ARRAYS = ("values", "second")
_no_engine = leaves_out("engine", "engine_kwargs")


class ExponentialMovingWindow(Aggregating, Pairs):
    """Rows weighted by how long before each they are: the weight of a step is 1 / (1 + com) less.

    The formulas are those of pandas' guide ("Exponentially weighted window").
    """

    _names = frozenset({"online"})

    def __init__(self, of: Any, keywords: dict[str, Any], selection: Any = None) -> None:
        super().__init__(of, keywords, selection)
        if keywords["method"] != "single":
            raise NotImplementedError("ewm: method='table' of pandas is not supported")
        self._gaps: np.ndarray | None = None
        halflife, times = keywords["halflife"], keywords["times"]
        if times is None:
            if isinstance(halflife, _DURATION):
                raise ValueError(
                    "halflife can only be a timedelta convertible argument if times is not None."
                )
            names = ("com", "span", "halflife", "alpha")
            self._com = center_of_mass(*(keywords[name] for name in names))
        else:
            self._times = self._checked_times(times, halflife)
            self._gaps = self._gaps_of(self._times)
            self._com = self._com_of_times()

    # What weights are made of.

    def _checked_times(self, given: Any, halflife: Any) -> np.ndarray:
        given = ours(given)
        times = index_of(given._parts[0] if is_series(given) else given)
        if not isinstance(times, Times) or times.dtype.kind != "M":
            raise ValueError("times must be datetime64 dtype.")
        if len(times) != len(self._of):
            raise ValueError("times must be the same length as the object.")
        if not isinstance(halflife, _DURATION):
            raise ValueError("halflife must be a timedelta convertible object")
        if times.hasnans:
            raise ValueError("Cannot convert NaT values to integer")
        self._unit = times.unit
        return times.asi8

    def _gaps_of(self, times: np.ndarray) -> np.ndarray:
        half = duration_of(self._keywords["halflife"]).astype(f"m8[{self._unit}]")
        return np.ascontiguousarray(
            np.diff(times.astype(np.float64)) / float(half.astype(np.int64))
        )

    def _com_of_times(self) -> float:
        given = [self._keywords[name] for name in ("com", "span", "alpha")]
        if all(each is None for each in given):
            return 1.0  # a half of the weight is left after a half-life
        if not self._keywords["adjust"]:
            raise NotImplementedError(
                "None of com, span, or alpha can be specified if times is provided and adjust=False"
            )
        com, span, alpha = given
        return center_of_mass(com, span, None, alpha)

    def _min_periods(self) -> int:
        least = self._keywords["min_periods"]
        return 1 if least is None else max(int(least), 1)

    def _index(self, count: int) -> Index:
        return self._of.index  # type: ignore[no-any-return]

    def _runs(self, count: int) -> np.ndarray:
        """Where the weights begin anew, and the number of rows."""
        return np.array([0, count], np.int64)

    def _computed(self, requests: list[dict[str, Any]], count: int) -> list[np.ndarray]:
        given = self._keywords
        shared = {
            "com": self._com,
            "adjust": bool(given["adjust"]),
            "ignore_na": bool(given["ignore_na"]),
            "gaps": self._gaps,
        }
        return list(
            engine.of_host(
                "decay",
                self._runs(count),
                [
                    {
                        name: engine.on_host(value) if name in _ARRAYS else value
                        for name, value in {**shared, **each}.items()
                    }
                    for each in requests
                ],
            )
        )

    # Methods.

    @_no_engine
    def mean(self, numeric_only: bool = False) -> Any:
        """The weighted mean."""
        return self._apply("mean", numeric_only)

    @_no_engine
    def sum(self, numeric_only: bool = False) -> Any:
        """The weighted sum. Raises NotImplementedError with ``times`` or ``adjust=False``."""
        if not self._keywords["adjust"]:
            raise NotImplementedError("sum is not implemented with adjust=False")
        self._refuse_times("sum")
        return self._apply("sum", numeric_only)

    def var(self, bias: bool = False, numeric_only: bool = False) -> Any:
        """The weighted variance. Raises NotImplementedError with ``times``."""
        return self._variances("var", bias, numeric_only)

    def std(self, bias: bool = False, numeric_only: bool = False) -> Any:
        """The weighted standard deviation. Raises NotImplementedError with ``times``."""
        return self._variances("std", bias, numeric_only)

    def _variances(self, name: str, bias: bool, numeric_only: bool) -> Any:
        self._refuse_times(name)
        data = self._data(name, numeric_only)
        arrays = [self._covariance(each, each, bias) for each in map(floats, data.columns)]
        if name == "std":
            arrays = [np.sqrt(np.maximum(each, 0)) for each in arrays]
        return self._assembled(arrays, data.labels)

    def _covariance(self, x: np.ndarray, y: np.ndarray, bias: bool) -> np.ndarray:
        if len(x) == 0:
            return np.zeros(0)
        wanted = {"kind": "cov", "values": x, "second": y, "bias": bool(bias)}
        wanted["min_periods"] = self._min_periods()
        return np.asarray(self._computed([wanted], len(x))[0])

    def cov(  # type: ignore[override]
        self,
        other: Any = None,
        pairwise: bool | None = None,
        bias: bool = False,
        numeric_only: bool = False,
    ) -> Any:
        """Weighted covariances, as `Rolling.cov`. NotImplementedError with ``times``."""
        self._refuse_times("cov")

        def compute(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return self._covariance(x, y, bias)

        return self._flexible("cov", other, pairwise, numeric_only, compute)

    def corr(  # type: ignore[override]
        self, other: Any = None, pairwise: bool | None = None, numeric_only: bool = False
    ) -> Any:
        """Weighted correlations, as `Rolling.corr`. NotImplementedError with ``times``."""
        self._refuse_times("corr")

        def compute(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            # Both variances are of the rows that both columns have.
            x, y = engine.on_host(x), engine.on_host(y)
            gone = ~(np.isfinite(x) & np.isfinite(y))
            x, y = (np.where(gone, np.nan, each) for each in (x, y))
            variances = self._covariance(x, x, True) * self._covariance(y, y, True)
            with np.errstate(all="ignore"):
                return np.asarray(self._covariance(x, y, True) / np.sqrt(np.maximum(variances, 0)))

        return self._flexible("corr", other, pairwise, numeric_only, compute)

    def _refuse_times(self, name: str) -> None:
        if self._keywords["times"] is not None:
            raise NotImplementedError(f"{name} is not implemented with times")

    def _of_function(self, func: Any, args: Any, kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            "ExponentialMovingWindow.aggregate does not support arbitrary callables; supported "
            "aggregations are mean, sum, std, var, cov, corr."
        )

    def __iter__(self) -> NoReturn:
        raise NotImplementedError("ewm has no windows with an end to iterate over")


def center_of_mass(com: Any, span: Any, halflife: Any, alpha: Any) -> float:
    """The centre of mass of one of four ways to say how weights fall.

    Raises ValueError for none of them, several, and numbers out of bounds.
    """
    given = [each for each in (com, span, halflife, alpha) if each is not None]
    if len(given) > 1:
        raise ValueError("comass, span, halflife, and alpha are mutually exclusive")
    if not given:
        raise ValueError("Must pass one of comass, span, halflife, or alpha")
    if com is not None:
        return _within("comass", com, com >= 0, "comass >= 0")
    if span is not None:
        return (_within("span", span, span >= 1, "span >= 1") - 1) / 2
    if halflife is not None:
        half = _within("halflife", halflife, halflife > 0, "halflife > 0")
        return float(1 / (1 - np.exp(np.log(0.5) / half)) - 1)
    return 1 / _within("alpha", alpha, 0 < alpha <= 1, "0 < alpha <= 1") - 1


def _within(name: str, value: Any, fits: bool, rule: str) -> float:
    if not fits:
        raise ValueError(f"{name} must satisfy: {rule}")
    return float(value)
