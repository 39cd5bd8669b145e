"""Series as lists, dicts, arrays and objects of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..categories.categorical import Categorical
from ..columns.categories import CategoryColumn
from ..dtypes import DatetimeTZDtype
from ..signatures import NO_DEFAULT
from .arrays import column_array, of_python
from .arrow import series_array, series_of_arrow, series_stream
from .device_forms import SeriesDeviceForms, device_values
from .narwhals import as_narwhals_series
from .protocols import Protocols
from .to_pandas import pandas_series


class SeriesInterchange(Protocols, SeriesDeviceForms):
    """Other forms of a series."""

    _name: Any

    def to_numpy(
        self, dtype: Any = None, copy: bool = False, na_value: Any = NO_DEFAULT
    ) -> np.ndarray:
        """The values as NumPy's array: of objects for dtypes that NumPy has not.

        Without ``copy`` it may be a view, which cannot be written to.
        """
        return column_array(self._parts[0], dtype, copy, na_value)

    @property
    def values(self) -> np.ndarray:
        """The values as NumPy's array, which cannot be written to, or as a `Categorical`.

        Dates of a zone are those of UTC, without it; `to_numpy` has them as objects.
        """
        if isinstance(self._parts[0].dtype, DatetimeTZDtype):
            return np.asarray(self._parts[0].values)  # type: ignore[attr-defined]
        if isinstance(self._parts[0], CategoryColumn):
            return self.array  # type: ignore[no-any-return]
        on_device = device_values(self._parts)
        return self.to_numpy() if on_device is None else on_device[:, 0]

    @property
    def array(self) -> Any:
        """The values as an array of the library, for dtypes that it has, else NumPy's."""
        column = self._parts[0]
        if isinstance(column.dtype, np.dtype) and hasattr(column, "values"):
            return column.values
        if isinstance(column, CategoryColumn):
            return Categorical._of(column)
        return self.to_numpy()

    def to_list(self) -> list[Any]:
        """The values as Python's objects."""
        return self._parts[0].tolist()

    tolist = to_list

    def to_dict(self, *, into: Any = dict) -> Any:
        """The values by their labels."""
        pairs = zip(self._index, of_python(self._parts[0]), strict=True)
        return (
            into(pairs)
            if not callable(getattr(into, "default_factory", None))
            else _filled(into, pairs)
        )

    def to_pandas(self) -> Any:
        """A series of pandas, with its labels and attributes. Raises ImportError without pandas."""
        return pandas_series(self)

    @classmethod
    def from_arrow(cls, data: Any) -> Any:
        """A series of an array of Arrow's, or what hands one out. ImportError without pyarrow."""
        return series_of_arrow(data)

    def to_arrow(self) -> Any:
        """The values as an array of pyarrow's. Raises ImportError without pyarrow."""
        return series_array(self)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_array__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self.to_arrow().type.__arrow_c_schema__()

    def __narwhals_series__(self) -> Any:
        return as_narwhals_series(self)

    def __dlpack__(self, **keywords: Any) -> Any:
        return self._plain_values().__dlpack__(**keywords)

    def __dlpack_device__(self) -> Any:
        return self._plain_values().__dlpack_device__()

    def _plain_values(self) -> Any:
        """The array of the values. Raises BufferError for what DLPack has not."""
        column = self._parts[0]
        values = getattr(column, "values", None)
        if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufc":
            return values
        raise BufferError(f"DLPack has no {column.dtype}: to_numpy() gives an array of it")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return series_stream(self, requested_schema)


def _filled(into: Any, pairs: Any) -> Any:
    made = into.copy()
    made.update(pairs)
    return made
