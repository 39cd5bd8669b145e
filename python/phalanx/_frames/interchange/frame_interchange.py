"""Frames as dicts, arrays, records and objects of other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import above
from ..building.columns import ours
from ..columns.making import column_of
from ..dtypes import is_extension
from ..indexes.index import Index
from ..indexes.making import index_of, labels_of
from ..operations.joined import common_dtype
from ..signatures import NO_DEFAULT, leaves_out
from .arrays import column_array, of_python, table_array
from .arrow import arrow_table, frame_of_arrow, frame_stream
from .device_forms import FrameDeviceForms, device_values
from .narwhals import as_narwhals_frame
from .protocols import Protocols
from .to_pandas import pandas_frame

if TYPE_CHECKING:
    from ..frame import DataFrame

_ORIENTS = ("dict", "list", "series", "split", "tight", "records", "index")


class FrameInterchange(Protocols, FrameDeviceForms):
    """Other forms of a frame."""

    _columns: Index

    def to_numpy(
        self, dtype: Any = None, copy: bool = False, na_value: Any = NO_DEFAULT
    ) -> np.ndarray:
        """The elements as NumPy's array, of the dtype that the columns have in common."""
        return table_array(self._parts, len(self._index), dtype, na_value)

    @property
    def values(self) -> np.ndarray:
        """The elements as NumPy's array."""
        on_device = device_values(self._parts)
        return self.to_numpy() if on_device is None else on_device

    def transpose(self, *args: Any, copy: Any = NO_DEFAULT) -> DataFrame:
        """Rows as columns, of the dtype that the columns have in common."""
        dtypes = [each.dtype for each in self._parts]
        dtype = common_dtype(dtypes) if dtypes else np.dtype(object)
        if any(each != dtypes[0] for each in dtypes) and any(map(is_extension, dtypes)):
            dtype = np.dtype(object)  # as pandas' table of all columns
        if isinstance(dtype, np.dtype) and dtype.kind != "O":
            table = table_array(self._parts, len(self._index), dtype, NO_DEFAULT)
            parts = [column_of(row) for row in table]
        else:
            rows = zip(*(each.astype(dtype).tolist() for each in self._parts), strict=True)
            parts = [column_of(list(row), dtype) for row in rows]
        if not dtypes:
            parts = [column_of([], np.dtype(np.float64)) for _ in range(len(self._index))]
        return self._keep_attrs(above.DataFrame._of(parts, self._columns, self._index))  # type: ignore[no-any-return]

    def to_dict(self, orient: str = "dict", *, into: Any = dict, index: bool = True) -> Any:
        """The elements in dicts and lists, as ``orient`` says.

        Raises ValueError for an ``orient`` that is none of dict, list, series, split, tight,
        records, index.
        """
        if orient not in _ORIENTS:
            raise ValueError(f"orient '{orient}' not understood")
        if not index and orient not in ("split", "tight"):
            raise ValueError("'index=False' is only valid when 'orient' is 'split' or 'tight'")
        columns = list(self._columns)
        if orient in ("dict", "list", "series"):
            return into(zip(columns, self._column_forms(orient, into), strict=True))
        lists = [of_python(each) for each in self._parts]
        rows: Iterator[Any] = zip(*lists, strict=True) if lists else iter([()] * len(self))
        if orient == "records":
            return [into(zip(columns, row, strict=True)) for row in rows]
        if orient == "index":
            if not self._index.is_unique:
                raise ValueError("DataFrame index must be unique for orient='index'.")
            pairs = (
                (label, into(zip(columns, row, strict=True)))
                for label, row in zip(self._index, rows, strict=True)
            )
            return into(pairs)
        return self._split(orient, into, index, [list(row) for row in rows])

    def _column_forms(self, orient: str, into: Any) -> Iterator[Any]:
        for i, each in enumerate(self._parts):
            if orient == "series":
                yield self._column_series(i)  # type: ignore[attr-defined]
            elif orient == "list":
                yield of_python(each)
            else:
                yield into(zip(self._index, of_python(each), strict=True))

    def _split(self, orient: str, into: Any, index: bool, data: list[Any]) -> Any:
        made = [("index", list(self._index))] if index else []
        made += [("columns", list(self._columns)), ("data", data)]
        if orient == "tight":
            made += [("index_names", list(self._index.names))] if index else []
            made += [("column_names", list(self._columns.names))]
        return into(made)

    def to_records(
        self, index: bool = True, column_dtypes: Any = None, index_dtypes: Any = None
    ) -> np.recarray[Any, Any]:
        """The rows as a record array of NumPy's."""
        arrays, names = [], []
        if index:
            for i in range(self._index.nlevels):
                label = self._index.names[i]
                fallback = "index" if self._index.nlevels == 1 else f"level_{i}"
                names.append(fallback if label is None else str(label))
                values = column_array(
                    self._index.get_level_values(i)._values_column(), None, False, NO_DEFAULT
                )
                arrays.append(_cast(values, index_dtypes, i, names[-1]))
        for i, (label, each) in enumerate(zip(self._columns, self._parts, strict=True)):
            names.append(str(label))
            arrays.append(
                _cast(column_array(each, None, False, NO_DEFAULT), column_dtypes, i, label)
            )
        return np.rec.fromarrays(
            arrays, dtype=[(name, each.dtype) for name, each in zip(names, arrays, strict=True)]
        )

    @classmethod
    @leaves_out("coerce_float")
    def from_records(
        cls,
        data: Any,
        index: Any = None,
        exclude: Any = None,
        columns: Any = None,
        nrows: int | None = None,
    ) -> Any:
        """A frame of rows: tuples, dicts, a structured array."""
        if nrows is not None:
            import itertools

            data = (
                data[:nrows]
                if hasattr(data, "__getitem__")
                else list(itertools.islice(data, nrows))
            )
        made: Any = cls(data if hasattr(data, "dtype") else list(data), columns=columns)  # type: ignore[call-arg]
        if exclude is not None:
            made = made.drop(columns=list(exclude))
        if isinstance(index, str) or (
            isinstance(index, list) and all(each in made.columns for each in index)
        ):
            return made.set_index(index)
        if index is not None:
            made.index = index_of(ours(index))
        return made

    @classmethod
    def from_dict(
        cls, data: Any, orient: str = "columns", dtype: Any = None, columns: Any = None
    ) -> Any:
        """A frame of a dict of columns, or with ``orient="index"`` of rows, or of ``"tight"``."""
        if orient == "columns":
            if columns is not None:
                raise ValueError("cannot use columns parameter with orient='columns'")
            return cls(data, dtype=dtype)  # type: ignore[call-arg]
        if orient == "index":
            rows = list(data.values())
            return (
                cls(rows, index=labels_of(list(data)), columns=columns, dtype=dtype)  # type: ignore[call-arg]
                if rows
                else cls(columns=columns)  # type: ignore[call-arg]
            )
        if orient != "tight":
            raise ValueError(
                "Expected 'index', 'columns' or 'tight' for orient parameter. "
                f"Got '{orient}' instead"
            )
        made: Any = cls(
            data["data"],
            index=index_of(data["index"]),
            columns=index_of(data["columns"]),
            dtype=dtype,
        )  # type: ignore[call-arg]
        made.index = made.index.set_names(data["index_names"])
        made.columns = made.columns.set_names(data["column_names"])
        return made

    @classmethod
    def from_arrow(cls, data: Any) -> Any:
        """A frame of a table of Arrow's, or of what hands one out. ImportError without pyarrow."""
        return frame_of_arrow(data)

    def to_pandas(self) -> Any:
        """A frame of pandas, with its labels and attributes. Raises ImportError without pandas."""
        return pandas_frame(self)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return frame_stream(self, requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return arrow_table(self).schema.__arrow_c_schema__()

    def to_arrow(self, preserve_index: bool | None = None) -> Any:
        """A table of pyarrow's, with the index unless ``preserve_index`` is False.

        Raises ImportError without pyarrow, ValueError for repeated labels.
        """
        return arrow_table(self, preserve_index)

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return arrow_table(self).__dataframe__(nan_as_null, allow_copy)

    def __narwhals_dataframe__(self) -> Any:
        return as_narwhals_frame(self)


def _cast(values: np.ndarray, dtypes: Any, number: int, name: Any) -> np.ndarray:
    if dtypes is None:
        return values
    if isinstance(dtypes, dict):
        wanted = dtypes.get(name, dtypes.get(number))
        return values if wanted is None else values.astype(wanted)
    return values.astype(dtypes)
