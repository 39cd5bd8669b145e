"""The types of kernel arguments and values, under Numba's names and with Numba's syntax.

    >>> from phalanx.types import float32, int64, void
    >>> float32[:, ::1]
    array(float32, 2d, C)
    >>> void(float32[:], int64)
    (array(float32, 1d, A), int64) -> none

A scalar type called with a value converts it on the host, as NumPy's scalar types do; called with
types it makes a signature.
"""

from __future__ import annotations

from ._types import numba_objects  # noqa: F401  (types of Numba's equal ours)
from ._types.aggregates import (
    BaseNamedTuple,
    BaseTuple,
    CharSeq,
    CPointer,
    List,
    NamedTuple,
    NamedUniTuple,
    NestedArray,
    NPDatetime,
    NPTimedelta,
    Record,
    Tuple,
    UniTuple,
    Vector,
    from_dtype,
)
from ._types.literals import (
    BooleanLiteral,
    DType,
    IntegerLiteral,
    Literal,
    Opaque,
    StringLiteral,
    UnicodeType,
    literal,
)
from ._types.objects import (
    Array,
    Boolean,
    Complex,
    Float,
    Integer,
    NoneType,
    Number,
    Scalar,
    Signature,
    Type,
    Void,
    signature,
)

boolean = bool_ = b1 = Scalar("boolean")
int8 = i1 = char = Scalar("int8")
int16 = i2 = short = Scalar("int16")
int32 = i4 = intc = Scalar("int32")
int64 = i8 = intp = int_ = long_ = longlong = ssize_t = Scalar("int64")
uint8 = u1 = uchar = byte = Scalar("uint8")
uint16 = u2 = ushort = Scalar("uint16")
uint32 = u4 = uintc = Scalar("uint32")
uint64 = u8 = uintp = uint = ulong = ulonglong = size_t = Scalar("uint64")
float16 = f2 = Scalar("float16")
bfloat16 = Scalar("bfloat16")
float32 = f4 = float_ = Scalar("float32")
float64 = f8 = double = Scalar("float64")
complex64 = c8 = Scalar("complex64")
complex128 = c16 = Scalar("complex128")
none = NoneType()
void = Void()

signed_domain = frozenset((int8, int16, int32, int64))
unsigned_domain = frozenset((uint8, uint16, uint32, uint64))
integer_domain = signed_domain | unsigned_domain
real_domain = frozenset((float32, float64))
complex_domain = frozenset((complex64, complex128))
number_domain = integer_domain | real_domain | complex_domain

# CUDA's vector types, float32x3 and so on, with CUDA's names for them.
_VECTOR_ALIASES = {
    "int8": ("char",), "int16": ("short",), "int32": ("int",), "int64": ("long", "longlong"),
    "uint8": ("uchar",), "uint16": ("ushort",), "uint32": ("uint",),
    "uint64": ("ulong", "ulonglong"), "float32": ("float",), "float64": ("double",),
}  # fmt: skip
VECTORS: dict[str, Vector] = {}
for _dtype, _aliases in _VECTOR_ALIASES.items():
    for _count in range(1, 5):
        _vector = Vector(globals()[_dtype], _count)
        VECTORS[_vector.name] = _vector
        VECTORS.update(dict.fromkeys((f"{alias}{_count}" for alias in _aliases), _vector))
for _vector in set(VECTORS.values()):
    _vector.aliases = sorted(name for name in VECTORS if VECTORS[name] is _vector)

_SCALARS: dict[str, Type] = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, Type) and not name.startswith("_")
}


def scalar(name: str) -> Type | None:
    """The scalar type of that name or alias, ``None`` if there is none.

    >>> px.types.scalar("float32"), px.types.scalar("text")
    (float32, None)
    """
    return _SCALARS.get(name)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Array",
    "BaseNamedTuple",
    "BaseTuple",
    "Boolean",
    "BooleanLiteral",
    "CPointer",
    "CharSeq",
    "Complex",
    "DType",
    "Float",
    "Integer",
    "IntegerLiteral",
    "List",
    "Literal",
    "NPDatetime",
    "NPTimedelta",
    "NamedTuple",
    "NamedUniTuple",
    "NestedArray",
    "NoneType",
    "Number",
    "Opaque",
    "Record",
    "Scalar",
    "Signature",
    "StringLiteral",
    "Tuple",
    "Type",
    "UniTuple",
    "UnicodeType",
    "Vector",
    "complex_domain",
    "from_dtype",
    "integer_domain",
    "literal",
    "number_domain",
    "real_domain",
    "scalar",
    "signature",
    "signed_domain",
    "unsigned_domain",
    *_SCALARS,
]
