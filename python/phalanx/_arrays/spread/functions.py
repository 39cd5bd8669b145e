"""What NumPy's functions do with spread arrays, by name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .. import counting, histograms, joining, protocols, sorting
from ..axes import one
from . import elementwise, layout, products, quantiles, reductions
from . import sorting as sorting_
from .core import Core, flat, is_array, operand_of, start
from .elementwise import shape_of
from .nccl import total


def function(name: str, namespace: str = "") -> Callable[..., Any] | None:
    """The function of spread arrays that has NumPy's name; None where there is none."""
    if namespace:
        return None
    if name in elementwise.FUNCTIONS:
        ours = protocols.function_named(name)
        return lambda *args, **kwargs: elementwise.apply(ours, *_operands(name, args, kwargs))
    if name in _REDUCTIONS:
        return _in_order(protocols.function_named(name), _REDUCTIONS[name])
    return _FUNCTIONS.get(name)


def _in_order(ours: Any, reduce: Callable[..., Any]) -> Callable[..., Any]:
    """The reduction of spread arrays with arguments in the order of that of arrays."""
    signature = inspect.signature(ours)

    @functools.wraps(reduce)
    def reduced(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        defaults = {each.name: each.default for each in signature.parameters.values()}
        options = {key: value for key, value in given.items() if value is not defaults[key]}
        return reduce(options.pop("a"), **options)

    return reduced


# Keyword arguments that are operands: NumPy's functions take their arrays by name, too.
_NAMED = {
    "clip": ("a", "a_min", "a_max"),
    "where": ("condition", "x", "y"),
    "isclose": ("a", "b"),
}


def _operands(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    names = _NAMED.get(name, ())[len(args) :]
    named = [kwargs.pop(each) for each in names if each in kwargs]
    return (*args, *named), kwargs


def concatenate(arrays: Sequence[Any], axis: int | None = 0) -> Core:
    """The arrays one after the other, of None the flat ones: along another axis than the split one
    without a copy between devices. Raises ValueError as `phalanx.concatenate`."""
    first = next(each for each in arrays if isinstance(each, Core))
    arrays = [operand_of(each, first.group) for each in arrays]
    if not all(shape_of(each) for each in arrays):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if axis is None:
        arrays = [flat(each) if isinstance(each, Core) else each.reshape(-1) for each in arrays]
        return concatenate(arrays)
    axis = one(axis, first.ndim)
    if axis != first.axis:
        rows = zip(*[_alike(each, first).parts for each in arrays], strict=True)
        return first.like([joining.concatenate(row, axis=axis) for row in rows])
    pieces: list[Any] = []
    for each in arrays:
        if isinstance(each, Core):
            split = each if each.axis == axis else each.respread(axis=axis)
            pieces += start(split.parts)
        else:
            pieces.append(each)
    joining._check_shapes(pieces, axis)
    sizes = layout.even(sum(piece.shape[axis] for piece in pieces), len(first.group))
    return first.like(layout.assembled(pieces, axis, sizes, first.group.devices))


def _alike(each: Any, first: Core) -> Core:
    if each.ndim != first.ndim or each.shape[first.axis] != first.shape[first.axis]:
        joining._check_shapes([first, each], (first.axis + 1) % max(first.ndim, 1))
    if isinstance(each, Core):
        return each.placed(first.group, first.layout)
    parts = layout.assembled([each], first.axis, first.layout.sizes, first.group.devices)
    return first.like(parts)


def bincount(x: Core, weights: Any = None, minlength: int = 0) -> Any:
    """How often each whole number is there, on the group's first device."""
    if x.ndim != 1:
        raise ValueError("object too deep for desired array")
    shares = [None] * len(x.parts)
    if weights is not None:
        shares = list(elementwise.Plan([x, weights]).split(weights))
    length = max(int(minlength), int(reductions.fold("max", x)) + 1 if x.shape[0] else 0)
    counts = [
        counting.bincount(part, share, minlength=length)
        for part, share in zip(x.parts, shares, strict=True)
    ]
    return total(counts, x.group)


def histogram(x: Core, bins: Any = 10, range: Any = None) -> tuple[Any, Any]:
    """The counts and edges of `phalanx.histogram`, on the group's first device."""
    if (
        range is None
        and all(x.shape)
        and not is_array(bins)
        and not isinstance(bins, (list, tuple))
    ):
        range = (reductions.fold("min", x).item(), reductions.fold("max", x).item())
    found = [histograms.histogram(part, bins, range) for part in x.parts]
    return total([counts for counts, _ in found], x.group), found[0][1].to_device(x.group[0])


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where spread values belong in a sorted array of one device."""
    if isinstance(a, Core):
        raise NotImplementedError(
            "searchsorted looks in an array of one device: px.searchsorted(a.gather(), v)"
        )
    return elementwise.apply(
        lambda part: sorting.searchsorted(_there(a, part), part, side, _there(sorter, part)),
        [v],
        {},
    )


def _there(value: Any, part: Any) -> Any:
    return value if value is None else layout.moved(value, part.device)


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Returns whether shapes and all elements are equal."""
    if shape_of(a1) != shape_of(a2):
        return False
    same = a1 == a2
    if equal_nan:
        same = same | ((a1 != a1) & (a2 != a2))
    return bool(reductions.fold("all", same))


def allclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Returns whether all elements are close, as `phalanx.allclose` has it."""
    ours = protocols.function_named("isclose")
    near = elementwise.apply(ours, [a, b], {"rtol": rtol, "atol": atol, "equal_nan": equal_nan})
    return bool(reductions.fold("all", near))


def _like(make: str) -> Callable[..., Any]:
    def made(a: Core, *args: Any, **kwargs: Any) -> Any:
        ours = protocols.function_named(make)
        assert ours is not None
        return a.each(lambda part: ours(part, *args, **kwargs))

    return made


_REDUCTIONS: dict[str, Callable[..., Any]] = {
    **{name: functools.partial(reductions.fold, name) for name in reductions.FOLDINGS},
    "amin": functools.partial(reductions.fold, "min"),
    "amax": functools.partial(reductions.fold, "max"),
    "mean": reductions.mean,
    "var": reductions.var,
    "std": reductions.std,
    "nanmean": reductions.nanmean,
    "nanvar": reductions.nanvar,
    "nanstd": reductions.nanstd,
    "ptp": reductions.ptp,
    **{name: functools.partial(reductions.position, name) for name in ("argmin", "argmax")},
    **{
        name: functools.partial(reductions.nanposition, name) for name in ("nanargmin", "nanargmax")
    },
    **{name: functools.partial(reductions.scan, name) for name in ("cumsum", "cumprod")},
    **{name: functools.partial(reductions.nanscan, name) for name in ("nancumsum", "nancumprod")},
    **{name: functools.partial(quantiles.median, name) for name in ("median", "nanmedian")},
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sort": sorting_.sort,
    "argsort": sorting_.argsort,
    "unique": sorting_.unique,
    **{name: functools.partial(quantiles.quantile, name) for name in quantiles.DIVISORS},
    "searchsorted": searchsorted,
    "bincount": bincount,
    "histogram": histogram,
    "dot": products.dot,
    "concatenate": concatenate,
    "array_equal": array_equal,
    "allclose": allclose,
    "transpose": lambda a, axes=None: a.transpose(axes),
    "ravel": lambda a: a.ravel(),
    "reshape": lambda a, shape: a.reshape(shape),
    "copy": lambda a: a.copy(),
    "shape": lambda a: a.shape,
    "ndim": lambda a: a.ndim,
    "size": lambda a: a.size,
    "zeros_like": _like("zeros_like"),
    "ones_like": _like("ones_like"),
    "empty_like": _like("empty_like"),
    "full_like": _like("full_like"),
}

NAMES = frozenset(_FUNCTIONS) | frozenset(_REDUCTIONS) | elementwise.FUNCTIONS
