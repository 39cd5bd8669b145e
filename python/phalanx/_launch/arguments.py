"""Arguments that need more than the engine's own rules: In, Out, InOut, enums, dataclasses."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _engine
from .._core import enums
from .._types import numba_objects
from .._types.objects import Scalar, Signature, Type

_PYTHON_NUMBERS = (bool, int, float, complex)

if TYPE_CHECKING:
    import inspect


class In:
    """An argument that the kernel only reads: a host array is copied there and not back.

    >>> @cuda.jit
    ... def negate(x, out):
    ...     i = cuda.grid(1)
    ...     out[i] = -x[i]
    >>> out = np.zeros(3)
    >>> negate[1, 3](cuda.In(np.arange(3.0) + 1), cuda.Out(out))
    >>> out
    array([-1., -2., -3.])
    """

    def __init__(self, value: Any) -> None:
        self.value = value


class Out:
    """An argument that the kernel only writes: a host array is copied back and not there.

    >>> @cuda.jit
    ... def count(out):
    ...     out[cuda.grid(1)] = cuda.grid(1)
    >>> out = np.empty(3)
    >>> count[1, 3](cuda.Out(out))
    >>> out
    array([0., 1., 2.])
    """

    def __init__(self, value: Any) -> None:
        self.value = value


class InOut:
    """An argument that the kernel reads and writes: what plain host arrays are.

    >>> @cuda.jit
    ... def double(x):
    ...     x[cuda.grid(1)] *= 2
    >>> x = np.arange(3.0)
    >>> double[1, 3](cuda.InOut(x))
    >>> x
    array([0., 2., 4.])
    """

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


def check_count(function: Any, signature: Signature, *, defaults: bool = True) -> None:
    """Raises `TypeError` for a signature that declares more or fewer arguments than there are.

    With `defaults` those that have one may be left out.
    """
    code = function.__code__
    least = most = code.co_argcount + code.co_kwonlyargcount
    if defaults:
        least -= len(function.__defaults__ or ()) + len(function.__kwdefaults__ or ())
    given = len(signature.args)
    if given < least or (given > most and not code.co_flags & 0x04):  # inspect.CO_VARARGS
        raise TypeError(
            f"the signature {signature} declares {given} arguments, and {function.__name__}() "
            f"takes {most}"
        )


def adapt(value: Any) -> Any:
    """What to launch with instead of `value`: a value, a pair (value, what to do after), or None.

    The engine asks for arguments that it cannot type itself.
    """
    if isinstance(value, (In, Out, InOut)):
        return _placed(value)
    dtype = _dtype(value)
    if dtype is not None:
        return _dtype_argument(dtype)
    if isinstance(value, enum.Enum):
        return enums.representation(type(value))(value.value)
    fields = getattr(type(value), "__dataclass_fields__", None)
    if fields is not None and not isinstance(value, type):
        from .._types.aggregates import named_tuple_class

        made = named_tuple_class(type(value).__name__, tuple(fields))
        return made(*(getattr(value, name) for name in fields))
    return None


def _dtype(value: Any) -> Scalar | None:
    """The type of numbers that `value` names: one of `phalanx.types`, NumPy's or Python's own."""
    value = numba_objects.own(value)
    if isinstance(value, Type):
        return value if isinstance(value, Scalar) else None
    numpy = sys.modules.get("numpy")
    is_class = isinstance(value, type)
    is_numpys = numpy is not None and (
        isinstance(value, numpy.dtype) or (is_class and issubclass(value, numpy.generic))
    )
    if not is_numpys and not (is_class and value in _PYTHON_NUMBERS):
        return None
    from .._types.aggregates import from_dtype

    try:
        made = from_dtype(value)
    except TypeError:
        return None
    return made if isinstance(made, Scalar) else None


def _dtype_argument(dtype: Scalar) -> Any:
    """What represents a dtype: nothing is passed, it is part of the kernel's types."""
    from .._types.bridge import DTYPE_ARGUMENT

    return type(DTYPE_ARGUMENT, (tuple,), {"_fields": (dtype.dtype_name,)})((None,))


def _placed(wrapper: In | Out | InOut) -> Any:
    value = wrapper.value
    if _engine.current_device().is_host or hasattr(value, "__cuda_array_interface__"):
        return value
    from .._device.transfer import to_device

    device = to_device(value, copy=not isinstance(wrapper, Out))
    if isinstance(wrapper, In):
        return device
    back: Callable[[], Any] = lambda: device.copy_to_host(value)  # noqa: E731
    return device, back


def typeof(value: Any) -> Type:
    """The type that `value` has as a kernel argument.

    Raises `TypeError` naming what cannot be passed.
    """
    from .._types.bridge import from_engine

    dtype = _dtype(value)
    return from_engine(_engine.typeof(value if dtype is None else _dtype_argument(dtype)))
