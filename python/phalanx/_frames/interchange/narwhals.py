"""Frames and series as narwhals takes them: by its classes of libraries with pandas' names.

scikit-learn, plotly and others find columns, their names and dtypes through narwhals.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple


class Implementation:
    """The library of an object, asked as narwhals asks its own list of libraries.

    It is equal to pandas there, so that it is found in narwhals' sets of libraries whose columns
    are NumPy's; what only pandas itself can do narwhals asks by identity.
    """

    value = "phalanx"

    def __init__(self, pandas: Any) -> None:
        self._pandas = pandas

    def __eq__(self, other: object) -> bool:
        return other is self or other is self._pandas

    def __hash__(self) -> int:
        return hash(self._pandas)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("is_"):
            return lambda: name == "is_pandas_like"
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __str__(self) -> str:
        return self.value

    def to_native_namespace(self) -> ModuleType:
        """The module that has pandas' names."""
        import phalanx

        return phalanx

    def _backend_version(self) -> tuple[int, ...]:
        return (3, 1, 1)  # of pandas, whose names and results these are


class _Narwhals(NamedTuple):
    frame: Any
    namespace: Any
    keywords: dict[str, Any]


@cache
def _narwhals() -> _Narwhals:
    """narwhals' classes for frames of ours, and what they are made with."""
    from narwhals._pandas_like.dataframe import PandasLikeDataFrame
    from narwhals._pandas_like.namespace import PandasLikeNamespace
    from narwhals._utils import Implementation as Implementations
    from narwhals._utils import Version

    class Frame(PandasLikeDataFrame):  # type: ignore[misc]
        def __narwhals_namespace__(self) -> Any:
            return Namespace(self._implementation, version=self._version)

        def to_pandas(self) -> Any:
            return self.native.to_pandas()

        def to_arrow(self) -> Any:
            return self.native.to_arrow(preserve_index=False)

    class Namespace(PandasLikeNamespace):  # type: ignore[misc]
        @property
        def _dataframe(self) -> Any:
            return Frame

    ours = Implementation(Implementations.PANDAS)
    return _Narwhals(Frame, Namespace, {"implementation": ours, "version": Version.MAIN})


def as_narwhals_frame(frame: Any) -> Any:
    """What ``__narwhals_dataframe__`` gives; narwhals refuses labels that are there twice."""
    made = _narwhals()
    return made.frame(frame, validate_column_names=True, **made.keywords)


def as_narwhals_series(series: Any) -> Any:
    """What ``__narwhals_series__`` gives."""
    from narwhals._pandas_like.series import PandasLikeSeries

    return PandasLikeSeries(series, **_narwhals().keywords)


def __narwhals_namespace__(version: Any) -> Any:
    """What narwhals makes frames and series with when it is given `phalanx` as the library."""
    made = _narwhals()
    return made.namespace(made.keywords["implementation"], version=version)
