"""The classes of `phalanx.types`; plain Python, so that importing them costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

_NUMPY_NAMES = {"boolean": "bool_"}


class Type:
    """A type of values inside kernels; immutable, hashable, equal by structure.

    >>> px.types.float32[:, ::1]
    array(float32, 2d, C)
    >>> px.types.float64(px.types.int32, px.types.float32)
    (int32, float32) -> float64
    """

    _name = ""

    def __init__(self, name: str = "") -> None:
        if name:
            self._name = name

    @property
    def name(self) -> str:
        """As it prints.

        >>> px.types.float32.name
        'float32'
        """
        return self._name

    def _key(self) -> tuple[Any, ...]:
        return (self.name,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Type):
            other = _own(other)
        return type(self) is type(other) and self._key() == other._key()

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


# What gives the types of another library as ours, None for all else: they register here.
converters: list[Callable[[object], Type | None]] = []


def _own(value: object) -> Type | None:
    """A type of another library as ours; None for all else."""
    return next((own for convert in converters if (own := convert(value)) is not None), None)


class Scalar(Type):
    """A boolean, an integer, a floating point or a complex number.

    Made by name: ``Scalar("int32")`` is an `Integer`.

    >>> px.types.int16.bitwidth, px.types.int16.maxval
    (16, 32767)
    >>> px.types.float32(1.5)
    np.float32(1.5)
    """

    def __new__(cls, name: str = "") -> Scalar:
        kind = name.rstrip("0123456789")
        return super().__new__(_SCALAR_CLASSES.get(kind, cls) if cls is Scalar else cls)

    def __init__(self, name: str) -> None:
        self._name = "bool" if name == "boolean" else name
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
        """Bits of a value.

        >>> px.types.float32.bitwidth
        32
        """
        digits = "".join(c for c in self.dtype_name if c.isdigit())
        return int(digits) if digits else 8


class Boolean(Scalar):
    """True or False.

    >>> px.types.boolean
    bool
    """


class Number(Scalar):
    """An integer, a floating point or a complex number.

    >>> from phalanx.extending import overload
    >>> def halved(x):
    ...     return x / 2
    >>> @overload(halved)
    ... def halved_number(x):
    ...     return (lambda x: x * 0.5) if isinstance(x, px.types.Number) else None
    >>> px.njit(lambda x: halved(x))(3)
    1.5
    """


class Integer(Number):
    """A whole number of 8 to 64 bits.

    >>> px.types.uint8.signed, px.types.uint8.maxval
    (False, 255)
    """

    @property
    def signed(self) -> bool:
        """Returns whether it may be below 0.

        >>> px.types.int16.signed, px.types.uint16.signed
        (True, False)
        """
        return not self.dtype_name.startswith("u")

    @property
    def maxval(self) -> int:
        """The greatest value.

        >>> px.types.int16.maxval
        32767
        """
        return int(2 ** (self.bitwidth - self.signed) - 1)

    @property
    def minval(self) -> int:
        """The least value.

        >>> px.types.int16.minval
        -32768
        """
        return int(-(2 ** (self.bitwidth - 1))) if self.signed else 0


class Float(Number):
    """A floating point number.

    >>> px.types.float64.bitwidth
    64
    """


class Complex(Number):
    """A complex number.

    >>> px.types.complex64.underlying_float
    float32
    """

    @property
    def underlying_float(self) -> Scalar:
        """The type of its parts.

        >>> px.types.complex64.underlying_float
        float32
        """
        return Scalar(f"float{self.bitwidth // 2}")


_SCALAR_CLASSES: dict[str, type[Scalar]] = {
    "boolean": Boolean,
    "bool": Boolean,
    "int": Integer,
    "uint": Integer,
    "float": Float,
    "bfloat": Float,
    "complex": Complex,
}


class NoneType(Type):
    """The type of ``None``, and of what a kernel returns.

    >>> px.types.none
    none
    """

    _name = "none"


class Void(NoneType):
    """`none` under the name used in signatures: ``void(float32[:])``.

    >>> px.types.void(px.types.int64)
    (int64) -> none
    """

    def _key(self) -> tuple[Any, ...]:
        return ("none",)

    def __eq__(self, other: object) -> bool:
        return isinstance(other if isinstance(other, Type) else _own(other), NoneType)

    def __hash__(self) -> int:
        return hash("none")


class Array(Type):
    """A view of `ndim` dimensions; `layout` is ``"C"``, ``"F"`` or ``"A"`` (any strides).

    >>> px.types.Array(px.types.float32, 2, "C")
    array(float32, 2d, C)
    """

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
    def name(self) -> str:
        """As Numba prints it, such as ``array(float32, 1d, C)``.

        >>> px.types.float32[:, ::1].name
        'array(float32, 2d, C)'
        """
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
        """The same type with some parts replaced.

        >>> px.types.float32[:].copy(ndim=2)
        array(float32, 2d, A)
        """
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


class Signature:
    """A return type and argument types.

    >>> signature = px.types.void(px.types.float32[:], px.types.int64)
    >>> signature.args
    (array(float32, 1d, A), int64)
    """

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
    """``return_type(*args)`` as a signature.

    >>> px.types.signature(px.types.float64, px.types.int64)
    (int64) -> float64
    """
    return Signature(return_type, args)
