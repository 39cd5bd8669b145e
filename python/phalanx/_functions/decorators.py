"""``phalanx.jit``, ``njit``, ``vectorize`` and ``guvectorize``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .._core.typed import P, R
from .._types import bridge
from . import fallback
from . import options as _options
from .dispatcher import Function

if TYPE_CHECKING:
    from typing import Unpack

    from .._core.typed import FunctionOptions, Signatures


@overload
def jit(
    signature_or_function: Signatures | None = None, **options: Unpack[FunctionOptions]
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
@overload
def jit(
    signature_or_function: Callable[P, R], **options: Unpack[FunctionOptions]
) -> Function[P, R]: ...
def jit(
    signature_or_function: Any = None,
    locals: Any = None,
    cache: Any = None,
    pipeline_class: Any = None,
    boundscheck: Any = None,
    **options: Any,
) -> Any:
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
    ``fastmath`` (True, or a set of LLVM's flags: nnan, ninf, nsz, arcp, contract, afn, reassoc);
    ``error_model`` ("python": division by zero raises `ZeroDivisionError`; "numpy":
    it gives infinity or 0);
    ``boundscheck`` (an index outside raises `IndexError`); ``nogil`` (calls release the GIL);
    ``cache`` (False keeps the code out of the disk cache); ``forceobj`` (the function stays
    Python's); `locals` (types by name: what is assigned to that name is converted).
    `pipeline_class` is Numba's, and has no effect.

    Raises `CompileError` with the source line for code that cannot be compiled: at decoration when
    there is a signature, else at the first call with the types concerned.

    >>> @px.jit
    ... def dot(a, b):
    ...     total = 0.0
    ...     for i in range(len(a)):
    ...         total += a[i] * b[i]
    ...     return total
    >>> dot(np.arange(3.0), np.ones(3))
    3.0
    """
    given_options = {
        "locals": locals, "cache": cache, "pipeline_class": pipeline_class,
        "boundscheck": boundscheck,
    }  # fmt: skip
    options |= {name: value for name, value in given_options.items() if value is not None}
    given = signature_or_function
    is_function = isinstance(given, Function) or hasattr(
        getattr(given, "__func__", given), "__code__"
    )
    if options.get("forceobj"):
        _options.read(options)
        return _in_python(given) if is_function else _in_python
    if is_function:
        return _made(_plain(given), None, options)
    if fallback.policy() == "error":  # what is wrong is told here, not when it decorates
        _options.read(options), bridge.signatures_of(given)
    return lambda function: _made(_plain(function), given, options)


def _made(function: Callable[..., Any], given: Any, options: dict[str, Any]) -> Any:
    """A function of ours, or what functions fall back to."""
    try:
        checked, signatures = _options.read(options), bridge.signatures_of(given)
        return Function(function, checked, signatures, options, given)
    except Exception as error:
        if not fallback.is_refusal(error):
            raise
        made = fallback.instead_of(function, given, options, error)
        return made if made is function else Function.of_numba(function, made)


@overload
def njit(
    signature_or_function: Signatures | None = None, **options: Unpack[FunctionOptions]
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
@overload
def njit(
    signature_or_function: Callable[P, R], **options: Unpack[FunctionOptions]
) -> Function[P, R]: ...
def njit(*args: Any, **options: Any) -> Any:
    """The same as `jit`: functions are always compiled whole.

    Raises what `jit` does, and `TypeError` for ``forceobj``.

    >>> @px.njit(parallel=True)
    ... def norms(points):
    ...     out = np.empty(len(points))
    ...     for i in px.prange(len(points)):
    ...         out[i] = np.sqrt((points[i] ** 2).sum())
    ...     return out
    >>> norms(np.array([[3.0, 4.0], [6.0, 8.0]]))
    array([ 5., 10.])
    """
    if options.pop("forceobj", False):
        raise TypeError("forceobj is an option of jit: njit compiles")
    return jit(*args, **options)


def _in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba's object mode does: the function, run by Python. `py_func` is the function."""

    @functools.wraps(function)
    def run(*args: Any, **named: Any) -> Any:
        return function(*args, **named)

    run.py_func = function  # type: ignore[attr-defined]
    return run


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
