"""What functions, methods and attributes written in Python mean for kernels: overloads by type.

An overload is a Python function that gets the types of a call's arguments and returns the function
to compile for them, or ``None`` where it does not fit: Numba's high-level extension API, which
`phalanx.extending` offers, and in which Phalanx's own NumPy functions are written
(`phalanx._library`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .._types import literals, numba_objects
from ..errors import TypingError
from .missing import MISSING
from .providers import load

Make = Callable[..., Any]


class Overload(NamedTuple):
    """One overload: what makes the implementation, and for which kernels."""

    make: Make
    target: str = "generic"  # "cuda" is preferred in kernels
    prefers_literals: bool = False
    owner: Any = None  # of a member: the type, or the class of types, that has it
    is_for_each_call: bool = False  # whether calls of the same types get different functions


_KERNELS = ("cuda", "generic")

# By the function, or by "numpy.sum", "method.sum", "attribute.sum" for names.
_overloads: dict[Any, list[Overload]] = {}


def add(key: Any, overload: Overload) -> None:
    """Registers an overload; among those of one target the last that fits is taken.

    Raises `TypeError` for a key that is not hashable.
    """
    _overloads.setdefault(key, []).append(overload)


def of(key: Any) -> list[Overload]:
    """The overloads for kernels, the first to be asked first."""
    try:
        found = _overloads.get(key) or _own(key)
    except TypeError:  # not hashable: nothing is registered for it
        return []
    if found is None:
        return []
    usable = [each for each in reversed(found) if each.target in _KERNELS]
    return sorted(usable, key=lambda each: _KERNELS.index(each.target))


def _own(value: Any) -> list[Overload] | None:
    """The overloads that an object of ours brings with it: a ufunc."""
    return getattr(value, "_overloads_", None) if hasattr(value, "declared_signatures") else None


def is_overloaded(value: Any) -> bool:
    """Returns whether a Python object is a function with overloads for kernels."""
    return callable(value) and bool(_overloads or _own(value)) and bool(of(value))


def extension(name: str) -> Any:
    """The key of the overloads of a name, `MISSING` if there are none."""
    load(name)
    return name if of(name) else MISSING


def takes(key: str, engine_type: Any) -> bool:
    """Returns whether the method is there for values of the type."""
    from .._types.bridge import from_engine

    own = from_engine(engine_type)
    return any(_owns(each.owner, own) for each in of(key))


def _owns(owner: Any, type_: Any) -> bool:
    if numba_objects.is_theirs(owner):
        try:
            type_ = numba_objects.theirs(type_)
        except TypeError:
            return False
    if isinstance(owner, type):
        return isinstance(type_, owner)
    return bool(owner == type_)


def advice(key: Any) -> str:
    """What to write where no implementation fits: what those of the library take."""
    import inspect

    if not isinstance(key, str):
        return "Register one with overload, or convert the arguments."
    calls = []
    for overload in of(key):
        parameters = inspect.signature(getattr(overload.make, "written", overload.make)).parameters
        calls.append(
            ", ".join(str(each.replace(annotation=each.empty)) for each in parameters.values())
        )
    name = key.rpartition(".")[2]
    known = " or ".join(f"{name}({each})" for each in dict.fromkeys(calls))
    return f"It takes {known} of other types. Convert the arguments, or write a loop."


def choose(
    choices: dict[Any, Any],
    key: Any,
    arguments: list[tuple[Any, ...]],
    named: dict[str, tuple[Any, ...]],
) -> Any:
    """The implementation for arguments as the engine describes them, `MISSING` if none fits.

    `choices` keeps what was chosen. Raises `TypingError` where an overload does.
    """
    for overload in of(key):
        for literal in (True, False) if overload.prefers_literals else (False, True):
            values = [_argument(each, literal) for each in arguments]
            options = {name: _argument(each, literal) for name, each in named.items()}
            chosen = (overload, tuple(values), tuple(options.items()))
            if chosen not in choices or overload.is_for_each_call:
                choices[chosen] = _made(overload, values, options)
            made = choices[chosen]
            if made is not MISSING:
                return made
    return MISSING


def _made(overload: Overload, values: list[Any], options: dict[str, Any]) -> Any:
    import inspect

    if overload.owner is not None and not (values and _owns(overload.owner, values[0])):
        return MISSING
    try:
        inspect.signature(overload.make).bind(*values, **options)
    except TypeError:
        return MISSING
    made = overload.make(*values, **options)
    if made is None:
        return MISSING
    if not callable(made):
        raise TypingError(
            f"the overload {overload.make.__name__} returned {made!r}; it must return a function, "
            "or None where it does not fit"
        )
    return _its_own_body(made) if is_overloaded(made) else made


def _its_own_body(function: Any) -> Any:
    """A function that overloads chose is compiled from its body, whatever its own overloads are."""
    from types import FunctionType

    if not isinstance(function, FunctionType):
        return function
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _argument(described: tuple[Any, ...], literal: bool) -> Any:
    """The type of an argument, as overloads see it."""
    from .._types.bridge import from_engine

    kind = described[0]
    if kind == "text":
        return literals.StringLiteral(described[1])
    if kind == "dtype":
        return literals.DType(from_engine(described[1]))
    if kind == "other":
        return literals.Opaque("function")
    type_ = from_engine(described[1])
    if kind == "literal" and literal:
        return literals.literal(type_, described[2])
    return type_


def generators(*keys: Any) -> Iterator[Make]:
    """What makes the implementations of functions, and of names as `extension` takes them."""
    for key in keys:
        if isinstance(key, str):
            load(key)
        for overload in of(key):
            yield overload.make
