"""Numba's high-level extension API: functions, methods and attributes for kernels, in Python.

    from phalanx import cuda, types
    from phalanx.extending import overload

    def clamp(x, low, high):
        return min(max(x, low), high)

    @overload(clamp)
    def clamp_for(x, low, high):
        if isinstance(x, types.Number):
            def implementation(x, low, high):
                return min(max(x, low), high)
            return implementation

An overload gets the types of the arguments and returns the function to compile for them, or
``None`` where it does not fit. The names are served as ``numba.extending`` and
``numba.cuda.extending`` too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._frontend import extensions

__all__ = ["overload", "overload_attribute", "overload_method", "register_jitable"]

TARGETS = ("generic", "cuda", "cpu", "gpu")


def overload(
    func: Any,
    jit_options: dict[str, Any] | None = None,
    strict: bool = True,
    inline: str = "never",
    prefer_literal: bool = False,
    *,
    target: str = "generic",
) -> Callable[[extensions.Make], extensions.Make]:
    """Registers an implementation of `func` for kernels.

    `target` is ``"cuda"`` for kernels only and ``"cpu"`` for CPU functions only. With
    `prefer_literal` the overload first sees values that are known as literal types. With
    `inline="always"` the overload is asked at each call, so that shared arrays of the function are
    those of the call; else calls of the same types share them. `jit_options` change nothing:
    functions are inlined where that pays.

    Raises `TypeError` for a `func` that is not hashable, `ValueError` for another target.

    >>> from phalanx.extending import overload
    >>> def twice(x):
    ...     return 2 * x
    >>> @overload(twice)
    ... def _twice_of(x):
    ...     return lambda x: x + x
    >>> px.njit(lambda x: twice(x))(4)
    8
    """
    row = _row(target, prefer_literal, is_for_each_call=inline == "always")

    def register(make: extensions.Make) -> extensions.Make:
        extensions.add(func, row(make))
        return make

    return register


def overload_method(
    typ: Any,
    attr: str,
    *,
    inline: str = "never",
    prefer_literal: bool = False,
    target: str = "generic",
    **kwargs: Any,
) -> Callable[[extensions.Make], extensions.Make]:
    """Registers the method `attr` of values of the type, or of a class of types as `types.Array`.

    The overload gets the type of the value first. Raises `ValueError` for another target.

    >>> from phalanx.extending import overload_method
    >>> @overload_method(px.types.Array, "first")
    ... def _first_of(array):
    ...     return lambda array: array[0]
    >>> px.njit(lambda x: x.first())(np.array([7.0, 8.0]))
    7.0
    """
    return _member("method", typ, attr, _row(target, prefer_literal, typ))


def overload_attribute(
    typ: Any,
    attr: str,
    *,
    inline: str = "never",
    prefer_literal: bool = False,
    target: str = "generic",
    **kwargs: Any,
) -> Callable[[extensions.Make], extensions.Make]:
    """Registers the attribute `attr` of values of the type, or of a class of types.

    The overload gets the type of the value. Raises `ValueError` for another target.

    >>> from phalanx.extending import overload_attribute
    >>> @overload_attribute(px.types.Array, "center")
    ... def _center_of(array):
    ...     return lambda array: array[array.size // 2]
    >>> px.njit(lambda x: x.center)(np.array([7.0, 8.0, 9.0]))
    8.0
    """
    return _member("attribute", typ, attr, _row(target, prefer_literal, typ))


def register_jitable(*args: Any, **options: Any) -> Any:
    """Marks a function that both Python and kernels call.

    Kernels take any Python function, so nothing is changed.

    >>> from phalanx.extending import register_jitable
    >>> @register_jitable
    ... def half(x):
    ...     return x / 2
    >>> half(3), px.njit(lambda x: half(x))(3)
    (1.5, 1.5)
    """
    if args and callable(args[0]):
        return args[0]
    return lambda function: function


def _row(
    target: str, prefer_literal: bool, owner: Any = None, is_for_each_call: bool = False
) -> Callable[[extensions.Make], extensions.Overload]:
    if target not in TARGETS:
        raise ValueError(f"there is no target {target!r}: it is one of {', '.join(TARGETS)}")
    known = "cuda" if target == "gpu" else target
    return lambda make: extensions.Overload(make, known, prefer_literal, owner, is_for_each_call)


def _member(
    kind: str, typ: Any, attr: str, row: Callable[[extensions.Make], extensions.Overload]
) -> Callable[[extensions.Make], extensions.Make]:
    def register(make: extensions.Make) -> extensions.Make:
        extensions.add(f"{kind}.{attr}", row(make))
        return make

    return register
