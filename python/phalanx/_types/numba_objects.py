"""Objects of the installed Numba, where programs have them beside ours: types, `prange`, and so on.

`own` gives what Phalanx has for one of them, `theirs` the other way round for types. Neither
imports Numba: until something else does so, there are none of its objects.
"""

from __future__ import annotations

import functools
import importlib.machinery
import sys
from collections.abc import Callable
from typing import Any

from .._core.numba_names import carray, farray, literal_unroll, literally, prange
from ..errors import TypingError
from . import aggregates, literals
from .objects import Array, NoneType, Scalar, Signature, Type, converters


def find_installed() -> importlib.machinery.ModuleSpec | None:
    """The spec of the installed Numba, whatever else has its name; None where there is none."""
    return importlib.machinery.PathFinder.find_spec("numba")


def installed() -> Any:
    """The module ``numba.core.types`` of the installed Numba, None while it is not imported."""
    types = sys.modules.get("numba.core.types")
    # Under `phalanx run` without Numba installed, the name leads to our own types.
    return types if getattr(types, "__name__", "") == "numba.core.types" else None


def is_type(value: Any) -> bool:
    """Returns whether it is one of Numba's types."""
    numba = installed()
    return numba is not None and isinstance(value, numba.Type)


def is_theirs(owner: Any) -> bool:
    """Returns whether it is one of Numba's types, or a class of them."""
    numba = installed()
    return numba is not None and (
        issubclass(owner, numba.Type) if isinstance(owner, type) else isinstance(owner, numba.Type)
    )


def own(value: Any) -> Any:
    """What Phalanx has for an object of Numba's; the object itself where there is nothing."""
    if installed() is None:
        return value
    if is_type(value):
        try:
            return own_type(value)
        except TypeError:
            return value
    if type(value).__name__ == "Signature" and type(value).__module__.startswith("numba."):
        return own_signature(value)  # raises for types that there are not
    try:
        return _named_objects().get(value, value)
    except TypeError:  # not hashable
        return value


def _type_or_none(value: object) -> Type | None:
    found = own(value) if is_type(value) else None
    return found if isinstance(found, Type) else None


converters.append(_type_or_none)


def own_signature(signature: Any) -> Signature:
    """Our form of Numba's signature; raises `TypeError` for types that there are not."""
    result = signature.return_type
    return Signature(
        None if result is None else own_type(result), [own_type(each) for each in signature.args]
    )


def own_type(type_: Any) -> Type:
    """Our form of Numba's type; raises `TypeError` where there is none."""
    for kind in type(type_).__mro__:
        convert = _OWN.get(kind.__name__)
        if convert is not None:
            return convert(type_)
    raise TypeError(f"there is no type {type_}")


def _own_array(type_: Any) -> Type:
    return Array(own_type(type_.dtype), type_.ndim, type_.layout, not type_.mutable, type_.aligned)


def _own_scalar(type_: Any) -> Type:
    name = "boolean" if type_.name == "bool" else type_.name
    if name not in _SCALAR_NAMES:
        raise TypeError(f"there is no type {type_}")
    return Scalar(name)


def _own_record(type_: Any) -> Type:
    fields = [(name, own_type(field.type), field.offset) for name, field in type_.fields.items()]
    return aggregates.Record(fields, type_.size, type_.aligned)


def _own_tuple(type_: Any) -> Type:
    return aggregates.Tuple([own_type(each) for each in type_.types])


def _own_named_tuple(type_: Any) -> Type:
    return aggregates.NamedTuple([own_type(each) for each in type_.types], type_.instance_class)


_SCALAR_NAMES = frozenset(
    ["boolean", "float16", "float32", "float64", "complex64", "complex128"]
    + [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
)

# By the names of Numba's classes, for its modules are not ours to import.
_OWN: dict[str, Callable[[Any], Type]] = {
    "NestedArray": lambda t: aggregates.NestedArray(own_type(t.dtype), t.shape),
    "Array": _own_array,
    "Boolean": _own_scalar,
    "Number": _own_scalar,
    "NoneType": lambda t: NoneType(),
    "BaseNamedTuple": _own_named_tuple,
    "BaseTuple": _own_tuple,
    "Record": _own_record,
    "UnicodeCharSeq": lambda t: aggregates.CharSeq("U", t.count),
    "CharSeq": lambda t: aggregates.CharSeq("S", t.count),
    "NPDatetime": lambda t: aggregates.NPDatetime(t.unit),
    "NPTimedelta": lambda t: aggregates.NPTimedelta(t.unit),
    "CPointer": lambda t: aggregates.CPointer(own_type(t.dtype)),
}


@functools.cache
def _named_objects() -> dict[Any, Any]:
    """Functions and classes of Numba's that mean something in compiled code."""
    special = sys.modules["numba.misc.special"]
    support = sys.modules["numba.np.numpy_support"]
    return {
        special.prange: prange,
        special.literal_unroll: literal_unroll,
        special.literally: literally,
        support.carray: carray,
        support.farray: farray,
    }


def theirs(type_: Type) -> Any:
    """Numba's form of our type, which Numba must have been imported for.

    Raises `TypeError` where there is none.
    """
    numba = installed()
    if isinstance(type_, literals.Literal):
        return numba.literal(type_.literal_value)
    if isinstance(type_, Scalar):
        found = getattr(numba, type_.dtype_name, None)
        if found is not None:
            return found
    elif isinstance(type_, Array):
        return numba.Array(theirs(type_.dtype), type_.ndim, type_.layout, not type_.mutable)
    elif isinstance(type_, NoneType):
        return numba.none
    elif isinstance(type_, literals.DType):
        return numba.DType(theirs(type_.dtype))
    elif isinstance(type_, aggregates.BaseNamedTuple):
        return numba.NamedTuple([theirs(each) for each in type_.types], type_.instance_class)
    elif isinstance(type_, aggregates.BaseTuple):
        return numba.Tuple([theirs(each) for each in type_.types])
    raise TypeError(f"Numba has no type for {type_}")


def with_their_types(make: Callable[..., Any], prefers_literals: bool) -> Callable[..., Any]:
    """An overload that was written for Numba's types, for ours.

    As in Numba, it does not fit where it raises one of Numba's errors.
    """

    @functools.wraps(make)
    def translated(*types: Any, **named: Any) -> Any:
        # Text is always known, where Numba's overloads may want it as any text.
        for is_known in (True, False) if prefers_literals else (False, True):
            try:
                given = [_text_or(each, is_known) for each in types]
                options = {name: _text_or(each, is_known) for name, each in named.items()}
            except TypeError:
                return None
            if (made := _made(make, given, options)) is not None:
                return made
        return None

    return translated


def _made(make: Callable[..., Any], given: list[Any], options: dict[str, Any]) -> Any:
    """What the overload gives; whatever else it raises than Numba's errors is a `TypingError`."""
    try:
        return make(*given, **options)
    except sys.modules["numba.core.errors"].NumbaError:
        return None
    except Exception as error:
        raise TypingError(
            f"the overload {make.__name__} raised {type(error).__name__}: {error}"
        ) from error


def _text_or(type_: Any, is_known: bool) -> Any:
    """Numba's form of the type of an argument, text as known or as any text."""
    if isinstance(type_, literals.StringLiteral) and not is_known:
        return installed().unicode_type
    return theirs(type_)
