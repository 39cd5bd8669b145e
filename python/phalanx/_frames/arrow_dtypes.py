"""The dtypes of Arrow that neither NumPy nor pandas' own have: decimals and lists."""

from __future__ import annotations

import decimal
import importlib
import re
from typing import Any

from . import above
from .dtype_base import ExtensionDtype

MOST_DIGITS = 38


class _OfType(type):
    """What makes ``ArrowDtype(type)`` a dtype of the class that the type of pyarrow's has here."""

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        if cls.__name__ != "ArrowDtype":
            return super().__call__(*args, **keywords)
        (wanted,) = (*args, *keywords.values())
        found = dtype_of_text(f"{wanted}[pyarrow]")
        if found is None:
            raise NotImplementedError(
                f"ArrowDtype of {wanted}: only decimal128 and lists are of it; columns of other "
                "types have pandas' own dtypes, such as 'Int64', 'string', 'datetime64[us]'"
            )
        return found


class ArrowDtype(ExtensionDtype, metaclass=_OfType):
    """pandas' dtype of one of Arrow's types: here of ``decimal128`` and of lists.

    Called with a type of pyarrow's, it gives the dtype. Raises NotImplementedError for other types,
    whose columns have the dtypes that they have without pyarrow.

    >>> import pyarrow
    >>> px.ArrowDtype(pyarrow.decimal128(5, 2))
    decimal128(5, 2)[pyarrow]
    """

    @property
    def pyarrow_dtype(self) -> Any:
        """The type of pyarrow's. Raises ImportError without pyarrow."""
        raise NotImplementedError  # Each dtype has its own.


class DecimalDtype(ArrowDtype):
    """Numbers of at most ``precision`` digits, 38 at most, of which ``scale`` are after the point.

    Raises ValueError for a precision that is not 1 to 38, and a scale that is not 0 to it.
    """

    type = decimal.Decimal

    def __init__(self, precision: int = MOST_DIGITS, scale: int = 0) -> None:
        if not 1 <= precision <= MOST_DIGITS:
            raise ValueError(
                f"precision should be between 1 and {MOST_DIGITS}, not {precision}: decimals have "
                f"{MOST_DIGITS} digits at most; cast an operand to fewer, or to float64"
            )
        if not 0 <= scale <= precision:
            raise ValueError(f"scale {scale} of {precision} digits: it is from 0 to as many")
        self.precision = precision
        self.scale = scale
        self.name = f"decimal128({precision}, {scale})[pyarrow]"

    def __reduce__(self) -> tuple[Any, ...]:
        return DecimalDtype, (self.precision, self.scale)

    @property
    def pyarrow_dtype(self) -> Any:
        """The type of pyarrow's. Raises ImportError without pyarrow."""
        return importlib.import_module("pyarrow").decimal128(self.precision, self.scale)

    @property
    def itemsize(self) -> int:
        """Bytes of a number."""
        return 16


class ListDtype(ArrowDtype):
    """Lists of elements of one dtype: nullable numbers, texts, dates, decimals or lists.

    ``element`` is what ``pandas_dtype`` takes; NumPy's numbers are nullable ones. ``field`` is what
    Arrow calls the elements.
    """

    type = list

    def __init__(self, element: Any = "int64", field: str = "item") -> None:
        self.element: Any = above.element_dtype(above.pandas_dtype(element))
        self.field = field
        self.name = f"list<{field}: {arrow_name(self.element)}>[pyarrow]"

    def __reduce__(self) -> tuple[Any, ...]:
        return ListDtype, (self.element, self.field)

    def __eq__(self, other: object) -> bool:
        """True for lists of the same elements, as Arrow has it, whatever these are called."""
        if isinstance(other, ListDtype):
            return bool(self.element == other.element)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(("list", self.element))

    @property
    def pyarrow_dtype(self) -> Any:
        """The type of pyarrow's. Raises ImportError without pyarrow."""
        arrow = importlib.import_module("pyarrow")
        return arrow.list_(arrow.field(self.field, _pyarrow_type(arrow, self.element)))


def _pyarrow_type(arrow: Any, dtype: Any) -> Any:
    if isinstance(dtype, ArrowDtype):
        return dtype.pyarrow_dtype
    name = arrow_name(dtype)
    unit, _, zone = name.partition("[")[2].removesuffix("]").partition(", tz=")
    if name.startswith("timestamp"):
        return arrow.timestamp(unit, zone or None)
    return arrow.duration(unit) if unit else arrow.type_for_alias(name)


_NAMES = {"boolean": "bool", "Float32": "float", "Float64": "double", "str": "string"}
_OF_NAMES = {
    "bool": "boolean", "float": "Float32", "double": "Float64", "string": "string",
    "large_string": "string",
} | {
    f"{kind.lower()}{bits}": f"{kind}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)
}  # fmt: skip


def arrow_name(dtype: Any) -> str:
    """What Arrow calls the type of an element's dtype."""
    name = str(dtype)
    if isinstance(dtype, ArrowDtype):
        return name.removesuffix("[pyarrow]")
    if name.startswith("datetime64["):
        return f"timestamp[{name[len('datetime64[') : -1].replace(', ', ', tz=')}]"
    if name.startswith("timedelta64["):
        return f"duration[{name[len('timedelta64[') : -1]}]"
    return _NAMES.get(name, name.lower())


_DECIMAL = re.compile(r"decimal128\((\d+), ?(-?\d+)\)")
_LIST = re.compile(r"(?:large_)?list<(\w+): (.+)>")
_TIMES = re.compile(r"(timestamp|duration)\[(\w+)(?:, tz=(.+))?\]")


def dtype_of_text(text: str) -> ArrowDtype | None:
    """The dtype of pandas' name for it, such as "decimal128(10, 2)[pyarrow]"; None for others.

    Raises ValueError for decimals of impossible digits.
    """
    if not text.endswith("[pyarrow]"):
        return None
    found = _of_name(text.removesuffix("[pyarrow]"))
    return found if isinstance(found, ArrowDtype) else None


def _of_name(name: str) -> Any:
    """The dtype of a type's name in Arrow; None where there is none."""
    number = _DECIMAL.fullmatch(name)
    if number is not None:
        return DecimalDtype(int(number[1]), int(number[2]))
    listed = _LIST.fullmatch(name)
    if listed is not None:
        element = _of_name(listed[2].removesuffix(" not null"))
        return None if element is None else ListDtype(element, listed[1])
    time = _TIMES.fullmatch(name)
    if time is not None:
        kind = "datetime64" if time[1] == "timestamp" else "timedelta64"
        return f"{kind}[{time[2]}{'' if time[3] is None else f', {time[3]}'}]"
    return _OF_NAMES.get(name)
