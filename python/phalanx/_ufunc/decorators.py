"""``vectorize`` and ``guvectorize``, for every target."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

from .._core.typed import P, R
from .._types.objects import Signature
from .gufunc import GUFunc
from .ufunc import Ufunc

if TYPE_CHECKING:
    from typing import Unpack

    from .._core.typed import Signatures, UfuncOptions

_TARGETS = ("cpu", "parallel", "cuda")
_IDENTITIES = (None, 0, 1, "reorderable")
# Of ``phalanx.jit``, for the CPU.
_OPTIONS = ("cache", "fastmath", "boundscheck")
# They change how Numba compiles for the CPU, not what the function computes.
_WITHOUT_EFFECT = ("forceobj", "looplift", "locals", "nogil")


def _check_target(target: str) -> None:
    if target not in _TARGETS:
        raise ValueError(f"Unsupported target: {target}; there are {', '.join(_TARGETS)}")


def _known_options(options: dict[str, Any], target: str) -> dict[str, Any]:
    """The options that change the code; what is left in `options` is not known."""
    known = {}
    for name in (*_OPTIONS, *_WITHOUT_EFFECT):
        if name in options and (target != "cuda" or name == "cache"):
            value = options.pop(name)
            if name in _OPTIONS and target != "cuda":
                known[name] = value
    return known


def _signatures(given: Any) -> list[Signature]:
    from .._types.bridge import signatures_of

    if isinstance(given, (str, Signature)):
        given = [given]
    return signatures_of(list(given))


def _plain(function: Any) -> Callable[..., Any]:
    """The Python function; of a dispatcher, the one that it was made of."""
    plain = getattr(function, "py_func", function)
    if not hasattr(plain, "__code__"):
        raise TypeError(f"a ufunc is made of a Python function, not of {function!r}")
    return plain  # type: ignore[no-any-return]


_NUMPYS = {"otypes", "excluded", "signature", "cache", "doc"}
_OF_NUMPYS_VECTORIZE = (
    ", which is of np.vectorize: this one compiles the function. Types are given as "
    "vectorize(['float32(float32)']), and functions of small arrays go to guvectorize"
)


@overload
def vectorize(
    ftylist_or_function: Signatures = (),
    target: str = "cuda",
    identity: Any = None,
    **options: Unpack[UfuncOptions],
) -> Callable[[Callable[P, R]], Ufunc[P, R]]: ...
@overload
def vectorize(
    ftylist_or_function: Callable[P, R],
    target: str = "cuda",
    identity: Any = None,
    **options: Unpack[UfuncOptions],
) -> Ufunc[P, R]: ...
def vectorize(
    ftylist_or_function: Any = (),
    target: str = "cuda",
    identity: Any = None,
    **options: Any,
) -> Any:
    """Makes a function of numbers one of arrays, as NumPy's ufuncs are.

        @cuda.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
        def scaled_sum(a, b):
            return np.float32(2) * a + b

        scaled_sum(device_array, 1.0, out=other)

    The argument is the function, a signature, or a list of them; without signatures a loop is
    compiled for the types of each call. `target` is ``"cuda"`` (the current device), or ``"cpu"``
    and ``"parallel"`` (both: all cores of the host). `identity` is what an empty reduction gives.

    Raises `ValueError` for targets and identities that do not exist, `KeyError` for options.

    >>> @cuda.vectorize(["float64(float64, float64)"])
    ... def scaled_sum(a, b):
    ...     return 2 * a + b
    >>> scaled_sum(np.arange(3.0), 1.0)
    array([1., 3., 5.])
    """
    _check_target(target)
    if identity not in _IDENTITIES:
        raise ValueError(f"identity must be one of {_IDENTITIES}, not {identity!r}")
    if options.pop("nopython", None) is not None and target == "cuda":
        warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=2)
    known = _known_options(options, target)
    if options:
        hint = _OF_NUMPYS_VECTORIZE if _NUMPYS & options.keys() else ""
        raise KeyError(
            f"Unrecognized options. {target} vectorize target does not support option: "
            f"{sorted(options)[0]!r}{hint}"
        )
    if callable(ftylist_or_function) and not isinstance(ftylist_or_function, Signature):
        return Ufunc(_plain(ftylist_or_function), target, (), identity, known)
    signatures = _signatures(ftylist_or_function)
    return lambda function: Ufunc(_plain(function), target, signatures, identity, known)


@overload
def guvectorize(
    layout: str,
    /,
    *,
    target: str = "cuda",
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
    target: str = "cuda",
    identity: Any = None,
    writable_args: Sequence[str | int] = (),
    **options: Unpack[UfuncOptions],
) -> Callable[[Callable[P, R]], GUFunc[P, R]]: ...
def guvectorize(*args: Any, target: str = "cuda", **options: Any) -> Any:
    """Makes a function of small arrays one of stacks of them, as NumPy's generalised ufuncs are.

        @cuda.guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])"], "(m,n),(n,p)->(m,p)")
        def product(a, b, out):
            ...

        product(stack_of_a, stack_of_b)

    The arguments are the signatures, and the layout: the names of the core dimensions of each
    argument. The function writes its outputs, which are its last arguments; one of no core
    dimension is an array of one element. Without signatures a loop is compiled for the types of
    each call, which must then give the outputs.

    Raises `TypeError` for signatures that return something or do not fit the layout, `ValueError`
    for layouts that do not parse, showing the spot.

    >>> @cuda.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
    ... def total(row, out):
    ...     out[0] = row.sum()
    >>> total(np.ones((2, 3)))
    array([3., 3.])
    """
    _check_target(target)
    if not 1 <= len(args) <= 2:
        raise TypeError("guvectorize() takes one or two positional arguments")
    options.pop("identity", None)
    if options.pop("nopython", True) is not True:
        raise TypeError("nopython flag must be True")
    writable = options.pop("writable_args", ())
    known = _known_options(options, target)
    if options:
        names = ", ".join(map(repr, options))
        raise TypeError(f"The following target options are not supported: {names}")
    signatures = _signatures(args[0]) if len(args) == 2 else []
    layout = args[-1]

    def decorate(function: Any) -> GUFunc[..., Any]:
        plain = _plain(function)
        return GUFunc(plain, layout, target, signatures, known, _positions_of(plain, writable))

    return decorate


def _positions_of(function: Any, names: Any) -> tuple[int, ...]:
    """Where the parameters of these names, or positions, are."""
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount]
    positions = []
    for name in names:
        if name not in parameters and name not in range(len(parameters)):
            raise ValueError(f"writable_args: {function.__name__} has no parameter {name!r}")
        positions.append(parameters.index(name) if isinstance(name, str) else name)
    return tuple(positions)
