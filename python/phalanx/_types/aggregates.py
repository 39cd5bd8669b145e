"""Types made of others, and those that a name tells apart: tuples, records, times, vectors."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from .objects import Array, Scalar, Type


class BaseTuple(Type):
    """A tuple of any kind: `types` are those of its elements.

    >>> from phalanx.extending import overload
    >>> def count(x):
    ...     raise NotImplementedError("for compiled code")
    >>> @overload(count)
    ... def count_of_any(x):
    ...     if isinstance(x, px.types.Number):
    ...         return lambda x: 1
    ...     if isinstance(x, px.types.BaseTuple):
    ...         return lambda x: len(x)
    >>> @px.njit
    ... def counts():
    ...     return count(2.5), count((1, 2.5, 3))
    >>> counts()
    (1, 3)
    """

    types: tuple[Type, ...]

    @property
    def count(self) -> int:
        """The number of elements.

        >>> px.types.UniTuple(px.types.int32, 3).count
        3
        """
        return len(self.types)

    def _key(self) -> tuple[Any, ...]:
        return (self.types,)

    def __len__(self) -> int:
        return len(self.types)

    def __iter__(self) -> Iterator[Type]:
        return iter(self.types)

    def __getitem__(self, item: Any) -> Any:
        """The type of an element; with slices of nothing (``[:]``) an array type."""
        is_number = isinstance(item, int)
        return self.types[item] if is_number else super().__getitem__(item)


class Tuple(BaseTuple):
    """A tuple of these types; where all are one type, a `UniTuple`.

    >>> px.types.Tuple((px.types.int64, px.types.float32))
    Tuple(int64, float32)
    """

    def __new__(cls, types: Iterable[Type] = ()) -> Any:
        types = tuple(types)
        if cls is Tuple and types and len(set(types)) == 1:
            return UniTuple(types[0], len(types))
        return super().__new__(cls)

    def __init__(self, types: Iterable[Type] = ()) -> None:
        self.types = tuple(types)

    @property
    def name(self) -> str:
        """As Numba prints it.

        >>> px.types.Tuple((px.types.int32, px.types.float32)).name
        'Tuple(int32, float32)'
        """
        return f"Tuple({', '.join(map(str, self.types))})"


class UniTuple(BaseTuple):
    """A tuple of `count` values of one type.

    >>> px.types.UniTuple(px.types.int64, 3)
    UniTuple(int64 x 3)
    """

    def __init__(self, dtype: Type, count: int) -> None:
        self.dtype = dtype
        self.types = (dtype,) * count

    @property
    def name(self) -> str:
        """As Numba prints it, such as ``UniTuple(int64 x 2)``.

        >>> px.types.UniTuple(px.types.int32, 3).name
        'UniTuple(int32 x 3)'
        """
        return f"UniTuple({self.dtype} x {self.count})"


class List(Type):
    """A list of values of one type, in CPU functions.

    >>> px.types.List(px.types.int64)
    list(int64)
    """

    def __init__(self, dtype: Type) -> None:
        self.dtype = dtype

    def _key(self) -> tuple[Any, ...]:
        return (self.dtype,)

    @property
    def name(self) -> str:
        """Such as ``list(int64)``.

        >>> px.types.List(px.types.int32).name
        'list(int32)'
        """
        return f"list({self.dtype})"


def _fields_of(named_tuple: Any) -> tuple[str, ...]:
    return tuple(named_tuple._fields)


class BaseNamedTuple(BaseTuple):
    """A named tuple: its class and the types of its fields.

    >>> from collections import namedtuple
    >>> from phalanx.extending import overload
    >>> def names(x):
    ...     raise NotImplementedError("for compiled code")
    >>> @overload(names)
    ... def names_of_tuple(x):
    ...     if isinstance(x, px.types.BaseNamedTuple):
    ...         fields = len(x.fields)
    ...         return lambda x: fields
    >>> Point = namedtuple("Point", "x y")
    >>> @px.njit
    ... def f():
    ...     return names(Point(1, 2.5))
    >>> f()
    2
    """

    instance_class: type
    fields: tuple[str, ...]

    def _key(self) -> tuple[Any, ...]:
        return (self.types, self.instance_class.__name__, self.fields)


class NamedTuple(BaseNamedTuple):
    """A named tuple of different types; `NamedUniTuple` where all are one.

    >>> from collections import namedtuple
    >>> Point = namedtuple("Point", "x weight")
    >>> px.types.NamedTuple((px.types.int64, px.types.float32), Point)
    Point(int64, float32)
    """

    def __new__(cls, types: Iterable[Type], instance_class: type) -> Any:
        types = tuple(types)
        if cls is NamedTuple and types and len(set(types)) == 1:
            return NamedUniTuple(types[0], len(types), instance_class)
        return super().__new__(cls)

    def __init__(self, types: Iterable[Type], instance_class: type) -> None:
        self.types = tuple(types)
        self.instance_class = instance_class
        self.fields = _fields_of(instance_class)

    @property
    def name(self) -> str:
        """As Numba prints it."""
        return f"{self.instance_class.__name__}({', '.join(map(str, self.types))})"


class NamedUniTuple(BaseNamedTuple):
    """A named tuple of one type.

    >>> from collections import namedtuple
    >>> Point = namedtuple("Point", "x y")
    >>> px.types.NamedUniTuple(px.types.float64, 2, Point)
    Point(float64 x 2)
    """

    def __init__(self, dtype: Type, count: int, instance_class: type) -> None:
        self.dtype = dtype
        self.types = (dtype,) * count
        self.instance_class = instance_class
        self.fields = _fields_of(instance_class)

    @property
    def name(self) -> str:
        """As Numba prints it."""
        return f"{self.instance_class.__name__}({self.dtype} x {self.count})"


@cache
def named_tuple_class(name: str, fields: tuple[str, ...]) -> type:
    """A class for a named tuple of which only the names are known."""
    return namedtuple(name, fields)


class NestedArray(Array):
    """An array of fixed `shape` inside a record.

    >>> px.types.NestedArray(px.types.float32, (2, 3))
    nestedarray(float32, (2, 3))
    """

    def __init__(self, dtype: Type, shape: Sequence[int]) -> None:
        super().__init__(dtype, len(shape), "C")
        self.shape = tuple(shape)

    @property
    def name(self) -> str:
        """As Numba prints it."""
        return f"nestedarray({self.dtype}, {self.shape})"

    def _key(self) -> tuple[Any, ...]:
        return (self.dtype, self.shape)


class Record(Type):
    """A structured dtype: fields (name, type, byte offset), `size` bytes in all.

    >>> px.types.from_dtype(np.dtype([("x", "f4"), ("n", "i4")]))
    Record(x[type=float32;offset=0],n[type=int32;offset=4];8;False)
    """

    def __init__(
        self, fields: Sequence[tuple[str, Type, int]], size: int, aligned: bool = False
    ) -> None:
        self.fields = tuple(fields)
        self.size = size
        self.aligned = aligned

    @property
    def name(self) -> str:
        """The fields with their types and offsets, as Numba prints them.

        >>> point = px.types.from_dtype(np.dtype([("x", "f4"), ("y", "i4")]))
        >>> point.name
        'Record(x[type=float32;offset=0],y[type=int32;offset=4];8;False)'
        """
        inner = ",".join(f"{name}[type={type_};offset={at}]" for name, type_, at in self.fields)
        return f"Record({inner};{self.size};{self.aligned})"

    def _key(self) -> tuple[Any, ...]:
        return (self.fields, self.size, self.aligned)

    @property
    def members(self) -> list[tuple[str, Type]]:
        """Name and type of each field.

        >>> point = px.types.from_dtype(np.dtype([("x", "f4"), ("y", "i4")]))
        >>> point.members
        [('x', float32), ('y', int32)]
        """
        return [(name, type_) for name, type_, _ in self.fields]

    def __len__(self) -> int:
        return len(self.fields)

    def _field(self, key: str) -> tuple[str, Type, int]:
        for field in self.fields:
            if field[0] == key:
                return field
        raise KeyError(f"{self} has no field {key!r}")

    def typeof(self, key: str) -> Type:
        """The type of a field; raises `KeyError` where there is none of that name.

        >>> point = px.types.from_dtype(np.dtype([("x", "f4"), ("y", "i4")]))
        >>> point.typeof("y")
        int32
        """
        return self._field(key)[1]

    def offset(self, key: str) -> int:
        """Where a field begins, in bytes; raises `KeyError` where there is none of that name.

        >>> point = px.types.from_dtype(np.dtype([("x", "f4"), ("y", "i4")]))
        >>> point.offset("y")
        4
        """
        return self._field(key)[2]

    @property
    def dtype(self) -> Any:
        """The NumPy dtype.

        >>> point = px.types.from_dtype(np.dtype([("x", "f4"), ("y", "i4")]))
        >>> point.dtype
        dtype([('x', '<f4'), ('y', '<i4')])
        """
        return as_dtype(self)


class CharSeq(Type):
    """Text of a fixed length in a record: ``S`` of bytes, ``U`` of code points.

    >>> px.types.CharSeq("S", 4)
    [char x 4]
    """

    def __init__(self, kind: str, count: int) -> None:
        self.kind = kind
        self.count = count
        self._name = f"[{'unichr' if kind == 'U' else 'char'} x {count}]"


class _Time(Type):
    """Counts of a unit since 1970, or between two points in time."""

    kind: str

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self._name = f"{self.kind}64[{unit}]"


class NPDatetime(_Time):
    """``np.datetime64`` of a unit, such as ``NPDatetime("D")``.

    >>> px.types.NPDatetime("D")
    datetime64[D]
    """

    kind = "datetime"


class NPTimedelta(_Time):
    """``np.timedelta64`` of a unit.

    >>> px.types.NPTimedelta("s")
    timedelta64[s]
    """

    kind = "timedelta"


class Vector(Type):
    """One of CUDA's vector types, such as ``float32x3``: up to four numbers x, y, z, w.

    >>> px.cuda.float32x3.base_type, px.cuda.float32x3.num_elements
    (float32, 3)
    """

    def __init__(self, dtype: Scalar, count: int) -> None:
        self.dtype = dtype
        self.count = count
        self._name = f"{dtype.dtype_name}x{count}"
        self.aliases: list[str] = []

    base_type = property(lambda self: self.dtype, doc="The type of its numbers.")
    num_elements = property(lambda self: self.count, doc="How many numbers it has.")
    user_facing_object = property(lambda self: self, doc="What kernels call to make one.")

    def __call__(self, *args: Any) -> Any:
        """Called with types a signature; a vector is made in kernels only."""
        if args and all(isinstance(arg, Type) for arg in args):
            return super().__call__(*args)
        raise RuntimeError(f"{self.name} can be made only inside a kernel or a device function")

    def __reduce__(self) -> tuple[Any, ...]:
        return Vector, (self.dtype, self.count)


class CPointer(Type):
    """An address of values of `dtype`; host code passes an array or an int for it.

    >>> px.types.CPointer(px.types.float32)
    float32*
    """

    def __init__(self, dtype: Type) -> None:
        self.dtype = dtype
        self._name = f"{dtype}*"


def from_dtype(dtype: Any) -> Type:
    """The type of a NumPy dtype's elements; structured dtypes give a `Record`, text a `CharSeq`.

    Raises `TypeError` for dtypes that kernels cannot hold: objects, swapped bytes, long doubles.

    >>> px.types.from_dtype(np.dtype(np.float32))
    float32
    """
    import numpy as np

    dtype = np.dtype(dtype)
    if not dtype.isnative:
        raise TypeError(
            f"kernels have no element type for NumPy dtype {dtype}: its bytes are swapped; convert "
            "with .astype(dtype.newbyteorder('='))"
        )
    if dtype.fields is not None:
        fields = [
            (name, _field_type(dtype.fields[name][0]), int(dtype.fields[name][1]))
            for name in dtype.names or ()
        ]
        return Record(fields, dtype.itemsize, dtype.isalignedstruct)
    if dtype.kind in "mM":
        unit, _ = np.datetime_data(dtype)
        unit = dtype.name.partition("[")[2].rstrip("]") or unit
        return NPDatetime(unit) if dtype.kind == "M" else NPTimedelta(unit)
    if dtype.kind in "US" and dtype.itemsize:
        return CharSeq(dtype.kind, dtype.itemsize // (4 if dtype.kind == "U" else 1))
    if dtype.name not in _NUMBERS or dtype.subdtype is not None:
        raise TypeError(f"kernels have no element type for NumPy dtype {dtype}")
    return Scalar("boolean" if dtype.kind == "b" else dtype.name)


# By the names of NumPy's dtypes; that of bfloat16 is made by ml_dtypes.
_NUMBERS = frozenset(
    ["bool", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
    + [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
)


def _numbers_dtype(numpy: Any, name: str) -> Any:
    """NumPy's dtype of a scalar type; ml_dtypes makes that of bfloat16 when it is imported."""
    if name == "bfloat16":
        try:
            import ml_dtypes  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError:
            raise NotImplementedError(
                "NumPy knows bfloat16 by the package ml_dtypes: pip install ml_dtypes, or look at "
                "the bits with .view(np.uint16)"
            ) from None
        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype("bool" if name == "boolean" else name)


def _field_type(dtype: Any) -> Type:
    """The type of a record's field, which may be an array or text."""
    if dtype.subdtype is not None:
        element, shape = dtype.subdtype
        return NestedArray(_field_type(element), shape)
    return from_dtype(dtype)


def as_dtype(type_: Type) -> Any:
    """The NumPy dtype of a scalar, time or record type; raises `NotImplementedError` for others."""
    import numpy as np

    if isinstance(type_, Scalar):
        return _numbers_dtype(np, type_.dtype_name)
    if isinstance(type_, _Time):
        return np.dtype(f"{type_.kind}64" + (f"[{type_.unit}]" if type_.unit != "generic" else ""))
    if isinstance(type_, CharSeq):
        return np.dtype(f"{type_.kind}{type_.count}")
    if isinstance(type_, NestedArray):
        return np.dtype((as_dtype(type_.dtype), type_.shape))
    if isinstance(type_, Record):
        description: Any = {
            "names": [name for name, _, _ in type_.fields],
            "formats": [as_dtype(field) for _, field, _ in type_.fields],
            "offsets": [offset for _, _, offset in type_.fields],
            "itemsize": type_.size,
        }
        return np.dtype(description, align=type_.aligned)
    raise NotImplementedError(f"{type_} has no NumPy dtype")
