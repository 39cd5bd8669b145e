"""Arguments that need more than the engine's own rules: In, Out, InOut, enums, dataclasses."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _engine
from .._type_objects import Type

if TYPE_CHECKING:
    import inspect


class In:
    """An argument that the kernel only reads: a host array is copied there and not back."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Out:
    """An argument that the kernel only writes: a host array is copied back and not there."""

    def __init__(self, value: Any) -> None:
        self.value = value


class InOut:
    """An argument that the kernel reads and writes: what plain host arrays are."""

    def __init__(self, value: Any) -> None:
        self.value = value


def bind(name: str, signature: inspect.Signature, args: Any, named: dict[str, Any]) -> Any:
    """The arguments of a call with names or defaults, as `inspect.Signature.bind` orders them.

    Raises `TypeError` that names the function and the argument.
    """
    takes_any = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
    for each in named:
        if each not in signature.parameters and not takes_any:
            known = ", ".join(signature.parameters)
            raise TypeError(f"{name}() has no parameter {each!r}; it has {known or 'none'}")
    try:
        bound = signature.bind(*args, **named)
    except TypeError as error:
        raise TypeError(f"{name}(): {error}") from None
    bound.apply_defaults()
    return bound


def adapt(value: Any) -> Any:
    """What to launch with instead of `value`: a value, a pair (value, what to do after), or None.

    The engine asks for arguments that it cannot type itself.
    """
    if isinstance(value, (In, Out, InOut)):
        return _placed(value)
    if isinstance(value, enum.Enum):
        return _member_class(type(value).__name__)(value.value)
    fields = getattr(type(value), "__dataclass_fields__", None)
    if fields is not None and not isinstance(value, type):
        from .._type_aggregates import named_tuple_class

        made = named_tuple_class(type(value).__name__, tuple(fields))
        return made(*(getattr(value, name) for name in fields))
    return None


def _member_class(name: str) -> Any:
    """What stands for the members of an enum: a named tuple of the member's value."""
    from .._type_aggregates import named_tuple_class

    return named_tuple_class(name, ("value",))


def _placed(wrapper: In | Out | InOut) -> Any:
    value = wrapper.value
    on_device = _engine.current_device().kind != "cuda" or hasattr(
        value, "__cuda_array_interface__"
    )
    if on_device:
        return value
    from ._transfer import to_device

    device = to_device(value, copy=not isinstance(wrapper, Out))
    if isinstance(wrapper, In):
        return device
    back: Callable[[], Any] = lambda: device.copy_to_host(value)  # noqa: E731
    return device, back


def typeof(value: Any) -> Type:
    """The type that `value` has as a kernel argument.

    Raises `TypeError` naming what cannot be passed.
    """
    from ._bridge import from_engine

    return from_engine(_engine.typeof(value))
