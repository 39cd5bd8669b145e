"""Between the Python types of `phalanx.types` and the engine's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .. import _engine
from . import numba_objects
from .aggregates import (
    BaseNamedTuple,
    BaseTuple,
    CharSeq,
    CPointer,
    List,
    NamedTuple,
    NestedArray,
    NPDatetime,
    NPTimedelta,
    Record,
    Tuple,
    Vector,
    from_dtype,
    named_tuple_class,
)
from .literals import DType
from .objects import Array, NoneType, Scalar, Signature, Type

DTYPE_ARGUMENT = _engine.argument_names()["dtype"]  # of the named tuple that a dtype is passed as


def to_engine(type_: Any) -> _engine.Type:
    """The engine's form of a type, a NumPy dtype or a Python class such as ``float``.

    Raises `TypeError` for what is no type.
    """
    if isinstance(type_, _engine.Type):
        return type_
    if isinstance(type_, Scalar):
        return _engine.Type.scalar(type_.dtype_name)
    if isinstance(type_, Array):
        return _engine.Type.array(to_engine(type_.dtype), type_.ndim, type_.layout, type_.mutable)
    for kind, convert in _TO_ENGINE:
        if isinstance(type_, kind):
            return convert(type_)
    if numba_objects.is_type(type_):
        return to_engine(numba_objects.own_type(type_))
    return to_engine(from_dtype(type_))


def _record_to_engine(type_: Record) -> _engine.Type:
    rows = []
    shapes: list[Sequence[int]] = []
    for name, field, offset in type_.fields:
        if isinstance(field, NestedArray):
            rows.append((name, to_engine(field.dtype), offset))
            shapes.append(field.shape)
        else:
            rows.append((name, to_engine(field), offset))
            shapes.append(())
    alignment = max((field.alignment for _, field, _ in rows), default=1)
    return _engine.Type.record(rows, type_.size, alignment if type_.aligned else 1, shapes)


def _text_to_engine(type_: CharSeq) -> _engine.Type:
    character = _engine.Type.scalar("uint32" if type_.kind == "U" else "uint8")
    size = character.size
    rows = [(f"<{type_.kind}>", character, 0)]
    return _engine.Type.record(rows, size * type_.count, size, [(type_.count,)])


def _named_tuple_to_engine(type_: BaseNamedTuple) -> _engine.Type:
    fields = zip(type_.fields, map(to_engine, type_.types), strict=True)
    return _engine.Type.named_tuple(type_.instance_class.__name__, list(fields))


def _dtype_to_engine(type_: DType) -> _engine.Type:
    if not isinstance(type_.dtype, Scalar):
        raise TypeError(f"{type_} cannot be an argument: pass the dtype of a number")
    row = (type_.dtype.dtype_name, _engine.Type.none())
    return _engine.Type.named_tuple(DTYPE_ARGUMENT, [row])


# See ir/lists.h.
_LIST = "<list>"


def _list_to_engine(type_: List) -> _engine.Type:
    number = _engine.Type.scalar("int64")
    rows = [(_LIST, _engine.Type.pointer(to_engine(type_.dtype)), 0)]
    rows += [("length", number, 8), ("capacity", number, 16)]
    return _engine.Type.pointer(_engine.Type.record(rows, 24, 8))


# In this order: a named tuple is a tuple too.
_TO_ENGINE: tuple[tuple[type, Callable[[Any], _engine.Type]], ...] = (
    (Array, lambda t: _engine.Type.array(to_engine(t.dtype), t.ndim, t.layout, t.mutable)),
    (BaseNamedTuple, _named_tuple_to_engine),
    (BaseTuple, lambda t: _engine.Type.tuple([to_argument(element) for element in t.types])),
    (Record, _record_to_engine),
    (CharSeq, _text_to_engine),
    (NPDatetime, lambda t: _engine.Type.time("datetime", t.unit)),
    (NPTimedelta, lambda t: _engine.Type.time("timedelta", t.unit)),
    (Vector, lambda t: _engine.Type.vector(t.dtype.dtype_name, t.count)),
    (List, _list_to_engine),
    (CPointer, lambda t: _engine.Type.pointer(to_engine(t.dtype))),
    (NoneType, lambda t: _engine.Type.none()),
    (DType, _dtype_to_engine),
)


def to_argument(type_: Any) -> _engine.Type:
    """`to_engine` of what a kernel gets: a record is passed by its address."""
    made = to_engine(type_)
    return _engine.Type.pointer(made) if made.kind == "record" else made


def from_engine(type_: _engine.Type) -> Type:
    """The Python form of an engine type; a record's address is the record."""
    return _FROM_ENGINE[type_.kind](type_)


def _array_from_engine(type_: _engine.Type) -> Type:
    return Array(from_engine(type_.element), type_.ndim, type_.layout, not type_.mutable)


def _tuple_from_engine(type_: _engine.Type) -> Type:
    if type_.name == DTYPE_ARGUMENT and type_.fields[0][1].kind == "none":
        return DType(Scalar(type_.fields[0][0]))
    elements = [from_engine(field[1]) for field in type_.fields]
    if not type_.name:
        return Tuple(elements)
    names = tuple(field[0] for field in type_.fields)
    return NamedTuple(elements, named_tuple_class(type_.name, names))


def _record_from_engine(type_: _engine.Type) -> Type:
    fields, shapes = type_.fields, type_.field_shapes
    if len(fields) == 1 and fields[0][0] in ("<U>", "<S>"):
        return CharSeq(fields[0][0][1], shapes[0][0])
    rows = []
    for (name, field, offset), shape in zip(fields, shapes, strict=True):
        made = from_engine(field)
        rows.append((name, NestedArray(made, shape) if shape else made, offset))
    return Record(rows, type_.size, type_.alignment > 1)


def _pointer_from_engine(type_: _engine.Type) -> Type:
    if type_.element.kind == "record" and type_.element.fields[0][0] == _LIST:
        return List(from_engine(type_.element.fields[0][1].element))
    element = from_engine(type_.element)
    return element if isinstance(element, Record) else CPointer(element)


_FROM_ENGINE: dict[str, Callable[[_engine.Type], Type]] = {
    "none": lambda t: NoneType(),
    "scalar": lambda t: Scalar(t.dtype),
    "array": _array_from_engine,
    "tuple": _tuple_from_engine,
    "record": _record_from_engine,
    "pointer": _pointer_from_engine,
    "datetime": lambda t: NPDatetime(t.name),
    "timedelta": lambda t: NPTimedelta(t.name),
    "vector": lambda t: Vector(Scalar(t.dtype), t.lanes),
}


def parse(text: str) -> Signature:
    """The signature written as ``"void(float32[:], int64)"`` or ``"(float32[:], int64)"``.

    Raises `ValueError` that shows the spot where the text stops making sense.
    """
    result, arguments = _engine.parse_signature(text)
    return Signature(
        None if result is None else from_engine(result), [from_engine(each) for each in arguments]
    )


def signatures_of(given: Any) -> list[Signature]:
    """The list of signatures that a decorator got: one or several, as text, types or tuples."""
    if given is None:
        return []
    if isinstance(given, list):
        return [each for item in given for each in signatures_of(item)]
    given = numba_objects.own(given)
    if isinstance(given, Signature):
        return [given]
    if isinstance(given, str):
        return [parse(given)]
    if isinstance(given, tuple):
        return [Signature(None, [_as_type(item) for item in given])]
    if callable(given) and not isinstance(given, (type, Type)):
        raise TypeError(f"only functions written in Python are compiled, and {given!r} is none")
    raise TypeError(f"a signature is text such as 'void(float32[:])' or types, not {given!r}")


def _as_type(item: Any) -> Type:
    item = numba_objects.own(item)
    return item if isinstance(item, Type) else from_engine(to_engine(item))


def argument_types(signature: Signature) -> tuple[_engine.Type, ...]:
    """The engine's types of a signature's arguments."""
    return tuple(to_argument(each) for each in signature.args)


def to_engines(items: Iterable[Any]) -> tuple[_engine.Type, ...]:
    """`to_engine` of each."""
    return tuple(to_engine(item) for item in items)
