"""``phalanx.jit``, ``njit``, ``vectorize`` and ``guvectorize``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._type_objects import Signature, Type
from ..cuda import _bridge
from . import _options
from ._dispatcher import Function


def jit(signature_or_function: Any = None, **options: Any) -> Any:
    """Makes a function that is compiled, whole, for the CPU.

        @phalanx.jit
        def dot(a, b):
            total = 0.0
            for i in range(len(a)):
                total += a[i] * b[i]
            return total

    `signature_or_function` may be the function, a signature (text such as
    ``"float64(float64[:], int64)"``, or types), or a list of signatures; with signatures the
    function is compiled at once and takes nothing else.

    Options: ``parallel`` (loops over `prange` and operations on whole arrays run on all cores);
    ``fastmath``; ``error_model`` ("python": division by zero raises `ZeroDivisionError`; "numpy":
    it gives infinity or 0);
    ``boundscheck`` (an index outside raises `IndexError`); ``nogil`` (calls release the GIL);
    ``cache`` (False keeps the code out of the disk cache).

    Raises `CompileError` with the source line for code that cannot be compiled: at decoration when
    there is a signature, else at the first call with the types concerned.
    """
    checked = _options.read(options)
    given = signature_or_function
    if given is None or isinstance(given, (str, list, tuple, Signature, Type)):
        signatures = _bridge.signatures_of(given)

        def decorate(function: Callable[..., Any]) -> Function:
            return Function(_plain(function), checked, signatures)

        return decorate
    return Function(_plain(given), checked)


def njit(signature_or_function: Any = None, **options: Any) -> Any:
    """The same as `jit`: functions are always compiled whole."""
    return jit(signature_or_function, **options)


def vectorize(ftylist_or_function: Any = (), target: str = "cpu", **options: Any) -> Any:
    """`phalanx.cuda.vectorize`, for the cores of the CPU where nothing else is said."""
    from .._ufunc.decorators import vectorize as make

    return make(ftylist_or_function, target, **options)


def guvectorize(*args: Any, target: str = "cpu", **options: Any) -> Any:
    """`phalanx.cuda.guvectorize`, for the cores of the CPU where nothing else is said."""
    from .._ufunc.decorators import guvectorize as make

    return make(*args, target=target, **options)


def _plain(function: Any) -> Callable[..., Any]:
    """The Python function itself; raises `TypeError` for what is none."""
    if isinstance(function, Function):
        raise TypeError(
            "A jit decorator was called on an already jitted function: "
            f"{function.__name__}. If trying to get access to the original python function, use "
            "the .py_func attribute."
        )
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__code__"):
        raise TypeError(f"jit decorates Python functions, not {function!r}")
    return function  # type: ignore[no-any-return]
