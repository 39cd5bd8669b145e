"""The classes behind `phalanx.types`; plain Python, so that importing them costs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_NUMPY_NAMES = {"boolean": "bool_"}


class Type:
    """A type of values inside kernels; immutable, hashable, equal by structure."""

    name: str = ""

    def __init__(self, name: str = "") -> None:
        if name:
            self.name = name

    def _key(self) -> tuple[Any, ...]:
        return (self.name,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))

    def __repr__(self) -> str:
        return self.name

    def __getitem__(self, item: Any) -> Array:
        """An array type: ``float32[:]``, ``float32[:, ::1]``, ``float32[::1, :]``."""
        return Array._from_slices(self, item)

    def __call__(self, *args: Any) -> Any:
        """A signature that returns this type."""
        if all(isinstance(arg, Type) for arg in args):
            return Signature(self, args)
        raise TypeError(f"{self} takes types, to make a signature: got {args!r}")

    def __deepcopy__(self, memo: object) -> Type:
        return self


class Scalar(Type):
    """A boolean, an integer, a floating point or a complex number."""

    def __init__(self, name: str) -> None:
        self.name = "bool" if name == "boolean" else name
        self.dtype_name = name

    def _key(self) -> tuple[Any, ...]:
        return (self.dtype_name,)

    def __call__(self, *args: Any) -> Any:
        """Called with types a signature, with one value that value as a NumPy scalar."""
        if len(args) == 1 and not isinstance(args[0], Type):
            import numpy as np

            return getattr(np, _NUMPY_NAMES.get(self.dtype_name, self.dtype_name))(args[0])
        return super().__call__(*args)

    def __reduce__(self) -> tuple[Any, ...]:
        return Scalar, (self.dtype_name,)

    @property
    def bitwidth(self) -> int:
        """Bits of a value."""
        digits = "".join(c for c in self.dtype_name if c.isdigit())
        return int(digits) if digits else 8


class NoneType(Type):
    """The type of ``None``, and of what a kernel returns."""

    name = "none"


class Void(NoneType):
    """`none` under the name used in signatures: ``void(float32[:])``."""

    def _key(self) -> tuple[Any, ...]:
        return ("none",)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoneType)

    def __hash__(self) -> int:
        return hash("none")


class Array(Type):
    """A view of `ndim` dimensions; `layout` is ``"C"``, ``"F"`` or ``"A"`` (any strides)."""

    def __init__(
        self, dtype: Type, ndim: int, layout: str, readonly: bool = False, aligned: bool = True
    ) -> None:
        if layout not in ("C", "F", "A"):
            raise ValueError(f"array layout must be 'C', 'F' or 'A', not {layout!r}")
        self.dtype = dtype
        self.ndim = ndim
        self.layout = layout
        self.mutable = not readonly
        self.aligned = aligned

    @property
    def name(self) -> str:  # type: ignore[override]
        """As Numba prints it, such as ``array(float32, 1d, C)``."""
        kind = "array" if self.mutable else "readonly array"
        return f"{kind}({self.dtype}, {self.ndim}d, {self.layout})"

    def _key(self) -> tuple[Any, ...]:
        return (self.dtype, self.ndim, self.layout, self.mutable)

    def copy(
        self,
        dtype: Type | None = None,
        ndim: int | None = None,
        layout: str | None = None,
        readonly: bool | None = None,
    ) -> Array:
        """The same type with some parts replaced."""
        return Array(
            dtype or self.dtype,
            self.ndim if ndim is None else ndim,
            layout or self.layout,
            (not self.mutable) if readonly is None else readonly,
        )

    @classmethod
    def _from_slices(cls, dtype: Type, item: Any) -> Array:
        parts = item if isinstance(item, tuple) else (item,)
        if not parts or not all(isinstance(part, slice) for part in parts):
            raise TypeError(
                f"array types are written {dtype}[:] or {dtype}[:, ::1], not [{item!r}]"
            )
        steps = [part.step for part in parts]
        contiguous = [index for index, step in enumerate(steps) if step == 1]
        if contiguous == [len(parts) - 1]:
            layout = "C"
        elif contiguous == [0]:
            layout = "F"
        elif not contiguous:
            layout = "A"
        else:
            raise TypeError("only the first (F) or the last (C) dimension of an array can be ::1")
        return cls(dtype, len(parts), layout)


class Tuple(Type):
    """A tuple of these types."""

    def __init__(self, types: Iterable[Type]) -> None:
        self.types = tuple(types)

    @property
    def name(self) -> str:  # type: ignore[override]
        """As Numba prints it, such as ``UniTuple(int64, 2)``."""
        if self.types and len(set(self.types)) == 1:
            return f"UniTuple({self.types[0]}, {len(self.types)})"
        inner = ", ".join(map(str, self.types))
        return f"Tuple({inner})"

    def _key(self) -> tuple[Any, ...]:
        return (self.types,)

    def __len__(self) -> int:
        return len(self.types)

    def __iter__(self) -> Any:
        return iter(self.types)


def UniTuple(dtype: Type, count: int) -> Tuple:
    """A tuple of `count` values of one type."""
    return Tuple([dtype] * count)


class NamedTuple(Type):
    """A named tuple: its class and the types of its fields."""

    def __init__(self, types: Iterable[Type], cls: type) -> None:
        self.types = tuple(types)
        self.instance_class = cls
        self.fields: tuple[str, ...] = tuple(cls._fields)  # type: ignore[attr-defined]

    @property
    def name(self) -> str:  # type: ignore[override]
        """As Numba prints it."""
        return f"{self.instance_class.__name__}({', '.join(map(str, self.types))})"

    def _key(self) -> tuple[Any, ...]:
        return (self.types, self.instance_class)


class Record(Type):
    """A structured dtype: fields (name, type, byte offset), `size` bytes in all."""

    def __init__(
        self, fields: Sequence[tuple[str, Type, int]], size: int, aligned: bool = False
    ) -> None:
        self.fields = tuple(fields)
        self.size = size
        self.aligned = aligned

    @property
    def name(self) -> str:  # type: ignore[override]
        """The fields with their types and offsets."""
        inner = ", ".join(f"{name}[type={type_};offset={at}]" for name, type_, at in self.fields)
        return f"Record({inner};{self.size};{self.aligned})"

    def _key(self) -> tuple[Any, ...]:
        return (self.fields, self.size)


class Signature:
    """A return type and argument types."""

    def __init__(self, return_type: Type | None, args: Sequence[Type]) -> None:
        self.return_type = return_type
        self.args = tuple(args)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Signature)
            and self.args == other.args
            and self.return_type == other.return_type
        )

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))

    def __repr__(self) -> str:
        inner = ", ".join(map(str, self.args))
        return f"({inner}) -> {self.return_type}"


def signature(return_type: Type, *args: Type) -> Signature:
    """``return_type(*args)`` as a signature."""
    return Signature(return_type, args)


def from_dtype(dtype: Any) -> Type:
    """The type of a NumPy dtype's elements; structured dtypes give a `Record`.

    Raises `TypeError` for dtypes that kernels cannot hold (objects, strings).
    """
    import numpy as np

    dtype = np.dtype(dtype)
    if dtype.fields is not None:
        fields = [
            (name, from_dtype(field[0]), int(field[1]))
            for name, field in ((name, dtype.fields[name]) for name in dtype.names or ())
        ]
        return Record(fields, dtype.itemsize, dtype.isalignedstruct)
    names = {"b": "boolean", "i": "int", "u": "uint", "f": "float", "c": "complex"}
    if dtype.kind not in names or dtype.subdtype is not None:
        raise TypeError(f"kernels have no element type for NumPy dtype {dtype}")
    name = names[dtype.kind]
    return Scalar(name if dtype.kind == "b" else f"{name}{8 * dtype.itemsize}")
