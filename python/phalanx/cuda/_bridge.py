"""Between the Python types of `phalanx.types` and the engine's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _engine, types
from .._type_objects import (
    Array,
    NamedTuple,
    NoneType,
    Record,
    Scalar,
    Signature,
    Tuple,
    Type,
    from_dtype,
)

_LAYOUTS = {"C": "C", "F": "F", "A": "any"}


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
    if isinstance(type_, Tuple):
        return _engine.Type.tuple([to_engine(element) for element in type_.types])
    if isinstance(type_, NamedTuple):
        fields = zip(type_.fields, map(to_engine, type_.types), strict=True)
        return _engine.Type.named_tuple(type_.instance_class.__name__, list(fields))
    if isinstance(type_, Record):
        rows = [(name, to_engine(field), offset) for name, field, offset in type_.fields]
        alignment = max((field.alignment for _, field, _ in rows), default=1)
        return _engine.Type.record(rows, type_.size, alignment if type_.aligned else 1)
    if isinstance(type_, NoneType):
        return _engine.Type.none()
    return to_engine(from_dtype(type_))


def from_engine(type_: _engine.Type) -> Type:
    """The Python form of an engine type; named tuples become plain tuples of their elements."""
    kind = type_.kind
    if kind == "scalar":
        return Scalar(type_.dtype)
    if kind == "array":
        layout = {"c": "C", "f": "F"}.get(type_.layout.lower(), "A")
        return Array(from_engine(type_.element), type_.ndim, layout, not type_.mutable)
    if kind == "tuple":
        return Tuple([from_engine(field[1]) for field in type_.fields])
    if kind == "record":
        rows = [(name, from_engine(field), offset) for name, field, offset in type_.fields]
        return Record(rows, type_.size)
    return types.none


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
    if isinstance(given, Signature):
        return [given]
    if isinstance(given, str):
        return [parse(given)]
    if isinstance(given, tuple):
        return [Signature(None, [_as_type(item) for item in given])]
    raise TypeError(f"a signature is text such as 'void(float32[:])' or types, not {given!r}")


def _as_type(item: Any) -> Type:
    return item if isinstance(item, Type) else from_engine(to_engine(item))


def argument_types(signature: Signature) -> tuple[_engine.Type, ...]:
    """The engine's types of a signature's arguments."""
    return to_engines(signature.args)


def to_engines(items: Iterable[Any]) -> tuple[_engine.Type, ...]:
    """`to_engine` of each."""
    return tuple(to_engine(item) for item in items)
