"""Other dtypes for the same values: `astype`, `convert_dtypes`, `select_dtypes`."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

import phalanx as px
from phalanx.errors import Pandas4Warning

from ..._core.warnings import say
from .. import dtypes
from ..building.columns import is_series
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..dtypes import (
    OBJECT,
    CategoricalDtype,
    DatetimeTZDtype,
    Dtype,
    NullableDtype,
    StringDtype,
    is_numeric,
    pandas_dtype,
)
from ..missing import is_missing
from ..selection.rows import RowMethods
from ..signatures import NO_DEFAULT, leaves_out


class Casting(RowMethods):
    """`astype`, `infer_objects` and `convert_dtypes`."""

    @leaves_out("copy")
    def astype(self, dtype: Any, errors: str = "raise") -> Self:
        """The values in another dtype; of frames a dict of them by column.

        Raises KeyError for a column that is not there, and TypeError or ValueError for values
        that the dtype cannot have, unless ``errors`` is ``"ignore"``.
        """
        if errors not in ("raise", "ignore"):
            raise ValueError(
                "Expected value of kwarg 'errors' to be one of ['raise', 'ignore']. Supplied value "
                f"is '{errors}'"
            )
        if isinstance(dtype, Mapping) or is_series(dtype):
            return self._keep_attrs(self._cast_some(dict(dtype.items()), errors))  # type: ignore[no-any-return]
        if isinstance(dtype, type) and issubclass(dtype, dtypes.ExtensionDtype):
            raise TypeError(
                f"Expected an instance of {dtype.__name__}, but got the class instead. Try "
                "instantiating 'dtype'."
            )
        wanted, unit = pandas_dtype(dtype), _coarse_unit(dtype)

        def cast(column: Column) -> Column:
            return _cast(_counted_in(unit, column), wanted, errors)

        return self._keep_attrs(self._each(cast))  # type: ignore[no-any-return]

    def _cast_some(self, by_label: dict[Any, Any], errors: str) -> Self:
        labels: Any = [self.name] if self.ndim == 1 else self._labels_of(1)  # type: ignore[attr-defined]
        for label in by_label:
            if label not in labels:
                raise KeyError(
                    "Only a column name can be used for the key in a dtype mappings argument. "
                    f"'{label}' not found in columns."
                )
        made = [
            _cast(each, pandas_dtype(by_label[label]), errors) if label in by_label else each
            for label, each in zip(labels, self._parts, strict=True)
        ]
        return self._with(made)

    def infer_objects(self, copy: Any = None) -> Self:
        """Objects in the dtype that fits them, if one does."""
        return self._keep_attrs(self._each(_inferred))  # type: ignore[no-any-return]

    def convert_dtypes(
        self,
        infer_objects: Any = NO_DEFAULT,
        convert_string: Any = NO_DEFAULT,
        convert_integer: Any = NO_DEFAULT,
        convert_boolean: Any = NO_DEFAULT,
        convert_floating: Any = NO_DEFAULT,
        dtype_backend: str = "numpy_nullable",
    ) -> Self:
        """Values in dtypes that have NA: whole floats as integers too.

        Warns, as pandas does, of all keywords but ``dtype_backend``: they will be gone.
        """
        if dtype_backend != "numpy_nullable":
            raise NotImplementedError(
                f"convert_dtypes: dtype_backend={dtype_backend!r} of pandas is not supported"
            )
        given = {
            "infer_objects": infer_objects,
            "convert_string": convert_string,
            "convert_integer": convert_integer,
            "convert_boolean": convert_boolean,
            "convert_floating": convert_floating,
        }
        for name, value in given.items():
            if value is not NO_DEFAULT:
                say(
                    f"The {name} keyword in {type(self).__name__}.convert_dtypes is deprecated and "
                    "will be removed in a future version.",
                    Pandas4Warning,
                )
        infers, *kinds = [value is NO_DEFAULT or value for value in given.values()]
        wanted = dict(zip(("O", "iu", "b", "f"), kinds, strict=True))

        def convert(column: Column) -> Column:
            column = _inferred(column) if infers else column
            if infers and column.dtype == OBJECT and _are_bools(column.tolist()):
                column = column.astype(dtypes.BOOLEAN)
            return _nullable(column, wanted)

        return self._keep_attrs(self._each(convert))  # type: ignore[no-any-return]


def _coarse_unit(dtype: Any) -> Any:
    """NumPy's dtype of times whose unit no column has, such as hours, of which numbers count."""
    try:
        given = np.dtype(dtype) if isinstance(dtype, (str, np.dtype)) else None
    except (TypeError, ValueError):  # The latter of names with a comma.
        return None
    if given is None or given.kind not in "mM":
        return None
    return given if np.datetime_data(given)[0] in ("m", "h", "D") else None


def _counted_in(unit: Any, column: Column) -> Column:
    """Numbers as times of a unit, so that a column of seconds does not take them for seconds."""
    if unit is None or not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iuf":
        return column
    return column_of(column.to_numpy().astype(unit))


def _cast(column: Column, dtype: Dtype, errors: str) -> Column:
    try:
        return column.astype(dtype)
    except (TypeError, ValueError):
        if errors == "ignore":
            return column
        raise


def _inferred(column: Column) -> Column:
    return column_of(column.tolist()) if column.dtype == OBJECT and len(column) else column


def _are_bools(objects: list[Any]) -> bool:
    """True for bools, some of which may be missing."""
    there = [each for each in objects if not is_missing(each)]
    return bool(there) and all(isinstance(each, (bool, np.bool_)) for each in there)


def _nullable(column: Column, wanted: dict[str, bool]) -> Column:
    dtype = column.dtype
    if isinstance(dtype, StringDtype):
        return column.astype(dtypes.STRING) if wanted["O"] else column
    if not isinstance(column, NumberColumn) or not isinstance(dtype, (np.dtype, NullableDtype)):
        return column
    kind = column.values.dtype.kind
    if kind == "b" and wanted["b"]:
        return column.astype(dtypes.BOOLEAN)
    if kind in "iu" and wanted["iu"] and isinstance(dtype, np.dtype):
        return column.astype(dtypes.nullable_of(dtype))
    if kind == "f":
        values = column.values
        whole = bool(
            (px.isnan(values) | (px.isfinite(values) & (px.trunc(values) == values))).all()
        )
        if whole and wanted["iu"] and isinstance(dtype, np.dtype):
            with contextlib.suppress(TypeError):  # numbers beyond 64 bits stay floats
                return column.astype(dtypes.NULLABLE["Int64"])
        if wanted["f"] and isinstance(dtype, np.dtype) and dtype.itemsize > 2:
            return column.astype(dtypes.nullable_of(dtype))
    return column


# Selection by dtype.

_GROUPS = {
    "number": lambda dtype: (is_numeric(dtype) and dtype.kind not in "bO") or dtype.kind == "m",
    "datetime": lambda dtype: dtype.kind == "M" and isinstance(dtype, np.dtype),
    "timedelta": lambda dtype: dtype.kind == "m",
    "category": lambda dtype: isinstance(dtype, CategoricalDtype),
    "datetimetz": lambda dtype: isinstance(dtype, DatetimeTZDtype),
    "integer": lambda dtype: dtype.kind in "iu",
    "floating": lambda dtype: dtype.kind == "f",
    "object": lambda dtype: dtype == OBJECT or dtype == dtypes.STR,
    "str": lambda dtype: isinstance(dtype, StringDtype),
    "string": lambda dtype: isinstance(dtype, StringDtype),
    "bool": lambda dtype: dtype.kind == "b",
}
_NAMES = {
    np.number: "number", "datetime64": "datetime", np.datetime64: "datetime",
    "timedelta64": "timedelta", np.timedelta64: "timedelta", np.integer: "integer",
    np.floating: "floating", str: "str", object: "object", np.object_: "object", "O": "object",
    bool: "bool", np.bool_: "bool", "boolean": "bool",
}  # fmt: skip


def _test(kind: Any) -> Any:
    """True for dtypes that a word, a type or a dtype of `select_dtypes` names."""
    name = _NAMES.get(kind, kind) if not isinstance(kind, np.dtype) else kind
    if isinstance(name, str) and name in _GROUPS:
        return _GROUPS[name]
    if kind is float:
        kind = np.float64
    wanted = pandas_dtype(kind)
    if isinstance(wanted, StringDtype):
        return lambda dtype: isinstance(dtype, StringDtype)
    if wanted.kind in "iufb":
        # Nullable dtypes are of the same type of Python's.
        return lambda dtype: getattr(dtype, "numpy_dtype", dtype) == wanted or dtype == wanted
    return lambda dtype: dtype == wanted


class SelectingDtypes(RowMethods):
    """`select_dtypes`."""

    def select_dtypes(self, include: Any = None, exclude: Any = None) -> Any:
        """The columns of some dtypes, or of others than some.

        Raises ValueError where neither is given, or one in both.
        """
        lists = [_listed(include), _listed(exclude)]
        if not lists[0] and not lists[1]:
            raise ValueError("at least one of include or exclude must be nonempty")
        both = [each for each in lists[0] if each in lists[1]]
        if both:
            raise ValueError(f"include and exclude overlap on {both}")
        included, excluded = ([_test(each) for each in part] for part in lists)
        numbers = [
            i
            for i, each in enumerate(self._parts)
            if (not included or any(test(each.dtype) for test in included))
            and not any(test(each.dtype) for test in excluded)
        ]
        return self._columns_at(np.array(numbers, np.int64))

    def _get_numeric_data(self) -> Any:
        """As `_numeric`, by the name that libraries know of pandas' frames."""
        return self._numeric()

    def _numeric(self) -> Any:
        """The columns of numbers and bools."""
        numbers = [i for i, each in enumerate(self._parts) if is_numeric(each.dtype)]
        return self._columns_at(np.array(numbers, np.int64))


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if is_list_like(given) else [given]
