"""The dtypes of columns: NumPy's, and those that NumPy has not, under pandas' names."""

from __future__ import annotations

import datetime
import importlib
import re
import zoneinfo
from typing import Any

import numpy as np

from . import above
from .arrow_dtypes import ArrowDtype as ArrowDtype
from .arrow_dtypes import DecimalDtype as DecimalDtype
from .arrow_dtypes import ListDtype as ListDtype
from .arrow_dtypes import dtype_of_text
from .dtype_base import ExtensionDtype as ExtensionDtype
from .missing import NA


class StringDtype(ExtensionDtype):
    """Text of Unicode, kept as UTF-8: `str`, whose missing value is NaN, and `string`, with NA.

    >>> px.Series(["a", None], dtype=px.StringDtype()).str.upper()
    0       A
    1    <NA>
    dtype: string
    """

    type = str

    def __init__(self, storage: str | None = None, na_value: Any = NA) -> None:
        if storage not in (None, "python", "pyarrow"):
            raise ValueError(
                f"storage {storage!r} of strings: None, 'python' or 'pyarrow' (all one)"
            )
        self.na_value = na_value
        self.name = "string" if na_value is NA else "str"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return other == self.name
        return isinstance(other, StringDtype) and other.name == self.name

    __hash__ = ExtensionDtype.__hash__


STR = StringDtype(na_value=np.nan)
STRING = StringDtype()


class NullableDtype(ExtensionDtype):
    """NumPy's numbers or bools, with a mask that says which rows have none."""

    def __init__(self, name: str, numpy_dtype: np.dtype) -> None:
        self.name = name
        self.numpy_dtype = numpy_dtype
        self.kind = numpy_dtype.kind
        self.type = numpy_dtype.type
        self.itemsize = numpy_dtype.itemsize

    def __repr__(self) -> str:
        return f"{self.name}Dtype()" if self.name != "boolean" else "BooleanDtype"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return pandas_dtype, (self.name,)


def _dtype_class(name: str, numpy_dtype: Any) -> type[NullableDtype]:
    """The class of one nullable dtype, such as `Int64Dtype`, made without arguments."""

    def __init__(self: NullableDtype) -> None:
        NullableDtype.__init__(self, name, np.dtype(numpy_dtype))

    title = "BooleanDtype" if name == "boolean" else f"{name}Dtype"
    value = {"bool": True, "float32": 1.5, "float64": 1.5}.get(numpy_dtype, 1)
    text = (
        f"Nullable values of NumPy's {np.dtype(numpy_dtype)}.\n\n"
        f">>> px.Series([{value}, None], dtype=px.{title}()).isna().tolist()\n[False, True]\n"
    )
    return type(title, (NullableDtype,), {"__init__": __init__, "__doc__": text})


def _nullable() -> dict[str, NullableDtype]:
    names = [("boolean", "bool")]
    names += [(f"{kind}{bits}", f"{kind.lower()}{bits}")
              for bits in (8, 16, 32, 64) for kind in ("Int", "UInt")]  # fmt: skip
    names += [(f"Float{bits}", f"float{bits}") for bits in (32, 64)]
    return {name: _dtype_class(name, dtype)() for name, dtype in names}  # type: ignore[call-arg]


NULLABLE = _nullable()
BOOLEAN = NULLABLE["boolean"]
Int8Dtype, Int16Dtype, Int32Dtype, Int64Dtype = (
    type(NULLABLE[f"Int{bits}"]) for bits in (8, 16, 32, 64)
)
UInt8Dtype, UInt16Dtype, UInt32Dtype, UInt64Dtype = (
    type(NULLABLE[f"UInt{bits}"]) for bits in (8, 16, 32, 64)
)
Float32Dtype, Float64Dtype = (type(NULLABLE[f"Float{bits}"]) for bits in (32, 64))
BooleanDtype = type(BOOLEAN)
_NULLABLE_OF = {each.numpy_dtype: each for each in NULLABLE.values()}


def nullable_of(dtype: np.dtype) -> NullableDtype:
    """The nullable dtype for NumPy's. Raises TypeError for one without (float16, complex)."""
    try:
        return _NULLABLE_OF[np.dtype(dtype)]
    except KeyError:
        raise TypeError(f"there is no nullable dtype of {dtype}; pass float32 or float64") from None


class CategoricalDtype(ExtensionDtype):
    """Values out of a list of categories, kept as their positions in it.

    ``categories`` is an index without repetitions, or None: those that the values have. ``values``
    is its column.

    >>> px.Series(["a"], dtype=px.CategoricalDtype(["a", "b"])).cat.codes
    0    0
    dtype: int8
    """

    name = "category"
    na_value = np.nan

    def __init__(self, categories: Any = None, ordered: bool | None = False) -> None:
        self.values: Any = None
        self.ordered = ordered
        self._index: Any = None
        self._places: dict[Any, int] | None = None
        if not (ordered is None or isinstance(ordered, (bool, np.bool_))):
            raise TypeError("'ordered' must either be 'True' or 'False'")
        if categories is None:
            return
        if isinstance(categories, str) or not np.iterable(categories):
            raise TypeError(f"Parameter 'categories' must be list-like, was {categories!r}")
        self.values = above.column_of(categories)
        if self.values.has_missing():
            raise ValueError("Categorical categories cannot be null; leave missing values out")
        labels = self.values.tolist()
        if len(set(labels)) != len(labels):
            raise ValueError("Categorical categories must be unique; pass each of them once")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_index": None, "_places": None}

    @property
    def places(self) -> dict[Any, int]:
        """The code of each category; kept, as many columns are often given the same dtype."""
        if self._places is None:
            self._places = {each: i for i, each in enumerate(self.values.tolist())}
        return self._places

    @property
    def categories(self) -> Any:
        """The categories as an index, or None."""
        if self._index is None and self.values is not None:
            self._index = above.index_of(self.values)
        return self._index

    def __repr__(self) -> str:
        if self.values is None:
            return f"CategoricalDtype(categories=None, ordered={self.ordered})"
        return (
            f"CategoricalDtype(categories={self.values.tolist()!r}, ordered={self.ordered}, "
            f"categories_dtype={self.values.dtype})"
        )

    def __str__(self) -> str:
        return "category"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, str):
            return other == "category"
        if not isinstance(other, CategoricalDtype):
            return False
        if self.values is None or other.values is None:
            return self.values is other.values and bool(self.ordered) == bool(other.ordered)
        if bool(self.ordered) != bool(other.ordered) or self.values.dtype != other.values.dtype:
            return False
        mine, others = self.values.tolist(), other.values.tolist()
        return mine == others if self.ordered else set(mine) == set(others)

    def same_list(self, other: CategoricalDtype) -> bool:
        """Returns whether a code is the same category in both."""
        return self.values is other.values or (
            self.values.dtype == other.values.dtype
            and self.values.tolist() == other.values.tolist()
        )

    def __hash__(self) -> int:
        return hash(("category", bool(self.ordered)))


class IntervalDtype(ExtensionDtype):
    """Intervals of numbers, dates or durations, and which of their bounds belong to them.

    >>> px.IntervalDtype("int64")
    interval[int64]
    """

    name = "interval"
    na_value = np.nan

    def __init__(self, subtype: Any = None, closed: str | None = None) -> None:
        if isinstance(subtype, IntervalDtype):
            subtype, closed = subtype.subtype, closed or subtype.closed
        if isinstance(subtype, str) and subtype.startswith("interval["):
            inner = subtype[len("interval[") : -1]
            subtype, _, side = inner.rpartition(",") if "," in inner else (inner, "", "")
            closed = closed or side.strip() or None
        self.subtype: Any = (
            None if subtype is None or subtype == "interval" else (pandas_dtype(subtype))
        )
        self.closed: Any = closed

    def __str__(self) -> str:
        if self.subtype is None:
            return "interval"
        return f"interval[{self.subtype}{'' if self.closed is None else f', {self.closed}'}]"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return other in ("interval", str(self))
        return isinstance(other, IntervalDtype) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))


class PeriodDtype(ExtensionDtype):
    """Periods of a frequency such as 'M', kept as their numbers since 1970.

    ``freq`` is a text, an offset or another such dtype. Raises ValueError for none of periods.

    >>> px.PeriodDtype("M")
    period[M]
    """

    @property
    def na_value(self) -> Any:
        """NaT."""
        return above.NaT

    def __init__(self, freq: Any) -> None:
        if isinstance(freq, PeriodDtype):
            freq = freq.length
        if isinstance(freq, str) and freq.startswith("period["):
            freq = freq[len("period[") : -1]
        self.length: Any = above.period_frequency(freq)
        self.name = f"period[{self.length.freqstr}]"

    @property
    def freq(self) -> Any:
        """From the end of a period to the end of the next one."""
        return self.length.offset


class DatetimeTZDtype(ExtensionDtype):
    """Moments, kept as UTC in a unit, shown in a time zone.

    >>> px.DatetimeTZDtype(tz="UTC")
    datetime64[ns, UTC]
    """

    kind = "M"
    type = np.datetime64

    @property
    def na_value(self) -> Any:
        """NaT."""
        return above.NaT

    def __init__(self, unit: Any = "ns", tz: Any = None) -> None:
        if unit not in ("s", "ms", "us", "ns"):
            raise ValueError(f"unit {unit!r} of moments: 's', 'ms', 'us' or 'ns'")
        if tz is None:
            raise TypeError("a time zone is needed; without one it is datetime64[ns]")
        self.unit = unit
        self.tz = zone_of(tz)
        self.name = f"datetime64[{unit}, {zone_name(self.tz)}]"
        self.numpy_dtype = np.dtype(f"M8[{unit}]")


def zone_of(tz: Any) -> Any:
    """A ``tzinfo`` of a name or of one. Raises KeyError with the name where there is none such."""
    if not isinstance(tz, str):
        return tz
    if tz.upper() == "UTC":
        return datetime.UTC
    fixed = _OFFSET.fullmatch(tz)
    if fixed is not None:
        hours, minutes = int(fixed[2]), int(fixed[3] or 0)
        away = datetime.timedelta(hours=hours, minutes=minutes)
        return datetime.timezone(-away if fixed[1] == "-" else away)
    if tz.startswith("dateutil/"):
        found = importlib.import_module("dateutil.tz").gettz(tz.removeprefix("dateutil/"))
        if found is None:
            raise KeyError(tz)
        return found
    return zoneinfo.ZoneInfo(tz)


_OFFSET = re.compile(r"(?:UTC)?([+-])(\d{2}):?(\d{2})?")  # "+01:15", "UTC-02:00"


def zone_name(tz: Any) -> str:
    """How a time zone is called."""
    return getattr(tz, "key", None) or str(tz)


Dtype = np.dtype | ExtensionDtype


def pandas_dtype(given: Any) -> Dtype:
    """The dtype of a text, a type, or one of pandas' own. Raises TypeError for what is none."""
    if isinstance(given, (ExtensionDtype, np.dtype)):
        return _known(given)
    if given is str or (isinstance(given, str) and given == "str"):
        return STR
    if isinstance(given, str):
        return _of_text(given)
    if given is object:
        return np.dtype(object)
    name = getattr(given, "name", None)
    if isinstance(name, str) and type(given).__module__.startswith("pandas"):
        return _of_pandas(given)
    try:
        return _known(np.dtype(given))
    except TypeError:
        raise TypeError(f"data type {given!r} not understood") from None


def _known(dtype: Dtype) -> Dtype:
    if isinstance(dtype, ExtensionDtype):
        return dtype
    if dtype.kind in "US":
        return STR
    if dtype.kind == "V":
        raise TypeError(f"columns of dtype {dtype} are not supported; pass each field as a column")
    if dtype.kind in "mM" and np.datetime_data(dtype)[0] not in ("s", "ms", "us", "ns"):
        unit = np.datetime_data(dtype)[0]
        if unit == "generic":
            raise TypeError(f"dtype {dtype} has no unit; pass e.g. {dtype.name}[ns]")
        return np.dtype(f"{dtype.kind}8[s]")
    return dtype


def _of_text(text: str) -> Dtype:
    if text in NULLABLE:
        return NULLABLE[text]
    if text == "string" or text.startswith("string["):
        return STRING
    of_arrow = dtype_of_text(text)
    if of_arrow is not None:
        return of_arrow
    if text == "interval" or text.startswith("interval["):
        return IntervalDtype(text)
    if text.startswith("period["):
        return PeriodDtype(text)
    if text == "category":
        return CategoricalDtype(None, None)  # As it comes: ordered or not.
    if text.startswith(("datetime64[", "M8[")) and "," in text:
        unit, tz = text[text.index("[") + 1 : -1].split(",", 1)
        return DatetimeTZDtype(unit.strip(), tz.strip())
    if text.startswith(_ABSENT) or text.endswith("[pyarrow]"):
        raise NotImplementedError(f"columns of pandas' dtype {text!r} are not supported")
    try:
        return _known(np.dtype(text))
    except TypeError:
        raise TypeError(f"data type {text!r} not understood") from None


# How the names of pandas' dtypes begin that we have not.
_ABSENT = ("Sparse[", "period[")


def _of_pandas(given: Any) -> Dtype:
    if given.name == "category":
        return CategoricalDtype(given.categories, given.ordered)
    if given.name == "interval":
        return IntervalDtype(str(given.subtype), given.closed)
    if isinstance(getattr(given, "na_value", None), float) and given.type is str:
        return STR
    return _of_text(str(given))


def is_extension(dtype: Dtype) -> bool:
    """Returns whether NumPy has no such dtype."""
    return isinstance(dtype, ExtensionDtype)


def is_numeric(dtype: Dtype) -> bool:
    """Bools, integers, floats, complex numbers and decimals, nullable ones too."""
    if isinstance(dtype, DecimalDtype):
        return True
    return dtype.kind in "biufc" and not isinstance(dtype, CategoricalDtype)


OBJECT = np.dtype(object)

# The unit of dates and durations, from the coarsest to the finest.
UNITS = ("s", "ms", "us", "ns")


def has_na(dtype: Dtype) -> bool:
    """True for dtypes whose missing value is NA, whose counts and ranks have it too."""
    return isinstance(dtype, (NullableDtype, ArrowDtype)) or dtype == STRING


def unit_of(dtype: Any) -> str:
    """'s', 'ms', 'us' or 'ns': what dates and durations are counted in."""
    return dtype.unit if isinstance(dtype, DatetimeTZDtype) else np.datetime_data(dtype)[0]


def finer_unit(*units: str) -> str:
    """The finest of some units; a coarser one than seconds counts as seconds."""
    return max((each for each in units if each in UNITS), key=UNITS.index, default="s")


def family(dtype: Dtype) -> str:
    """How columns of a dtype are kept and computed with: the rows of every table of rules.

    'bool', 'number', 'nullable', 'decimal', 'datetime', 'zoned', 'timedelta', 'text', 'category',
    'list' or 'object'.
    """
    for kind, name in _FAMILIES.items():
        if isinstance(dtype, kind):
            return name
    return _NUMPY_FAMILIES[dtype.kind]


_FAMILIES: dict[type, str] = {
    NullableDtype: "nullable",
    StringDtype: "text",
    CategoricalDtype: "category",
    DatetimeTZDtype: "zoned",
    DecimalDtype: "decimal",
    ListDtype: "list",
}
_NUMPY_FAMILIES = {"b": "bool", "M": "datetime", "m": "timedelta", "O": "object"} | dict.fromkeys(
    "iufc", "number"
)


def element_dtype(dtype: Any) -> Dtype:
    """The dtype that a list's elements have: that of NumPy's numbers with missing values.

    Raises TypeError for numbers without it and for what is no element: categories, objects.
    """
    found = STRING if isinstance(dtype, StringDtype) else dtype
    if isinstance(found, np.dtype) and found.kind in "biuf":
        return nullable_of(found)
    if family(found) in ("object", "category", "number"):
        raise TypeError(f"lists of {dtype}: elements are numbers, texts, dates, decimals or lists")
    return found
