"""``phalanx.vectorize`` and ``phalanx.guvectorize``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from .._core.typed import P, R

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from .._core.typed import Signatures, UfuncOptions
    from .gufunc import GUFunc
    from .ufunc import Ufunc


@overload
def vectorize(
    ftylist_or_function: Signatures = (),
    target: str = "cpu",
    identity: Any = None,
    **options: Unpack[UfuncOptions],
) -> Callable[[Callable[P, R]], Ufunc[P, R]]: ...
@overload
def vectorize(
    ftylist_or_function: Callable[P, R],
    target: str = "cpu",
    identity: Any = None,
    **options: Unpack[UfuncOptions],
) -> Ufunc[P, R]: ...
def vectorize(
    ftylist_or_function: Any = (), target: str = "cpu", identity: Any = None, **options: Any
) -> Any:
    """`phalanx.cuda.vectorize`, for the cores of the CPU where nothing else is said.

    >>> @px.vectorize
    ... def clipped(x, low, high):
    ...     return min(max(x, low), high)
    >>> clipped(np.arange(5.0), 1.0, 3.0)
    array([1., 1., 2., 3., 3.])
    """
    from .decorators import vectorize as make

    return make(ftylist_or_function, target, identity, **options)


@overload
def guvectorize(
    layout: str,
    /,
    *,
    target: str = "cpu",
    identity: Any = None,
    writable_args: Sequence[str | int] = (),
    **options: Unpack[UfuncOptions],
) -> Callable[[Callable[P, R]], GUFunc[P, R]]: ...
@overload
def guvectorize(
    signatures: Signatures,
    layout: str,
    /,
    *,
    target: str = "cpu",
    identity: Any = None,
    writable_args: Sequence[str | int] = (),
    **options: Unpack[UfuncOptions],
) -> Callable[[Callable[P, R]], GUFunc[P, R]]: ...
def guvectorize(*args: Any, target: str = "cpu", **options: Any) -> Any:
    """`phalanx.cuda.guvectorize`, for the cores of the CPU where nothing else is said.

    >>> @px.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    ... def running(row, out):
    ...     total = 0.0
    ...     for i in range(row.size):
    ...         total += row[i]
    ...         out[i] = total
    >>> running(np.ones((2, 3)))
    array([[1., 2., 3.],
           [1., 2., 3.]])
    """
    from .decorators import guvectorize as make

    return make(*args, target=target, **options)
