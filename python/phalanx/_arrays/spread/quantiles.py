"""Medians and quantiles over devices: elements are sorted where they lie, and a few are brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .. import host, protocols, quantiles, selecting
from ..reducing import axes_of
from .core import Core, flat
from .layout import along, moved
from .sorting import sort

DIVISORS = {"quantile": 1, "percentile": 100, "nanquantile": 1, "nanpercentile": 100}


def median(name: str, x: Core, axis: Any = None, keepdims: bool = False) -> Any:
    """`median` or `nanmedian`: the middle of the sorted elements, or the mean of the middle two."""

    def middle(rows: Any) -> Any:
        count = rows.shape[0]
        made = rows[(count - 1) // 2 : count // 2 + 1].mean()
        last = _OnFirst(rows)[-1]
        return selecting.where(last == last, made, last).astype(made.dtype)

    return _Call(name, axis, keepdims).computed(x, middle)


def quantile(
    name: str, x: Core, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Any:
    """The quantiles by one of NumPy's methods. Raises ValueError for what is no share."""
    if method not in quantiles.METHODS:
        raise ValueError(f"{method!r} is none of {', '.join(sorted(quantiles.METHODS))}")
    given, divisor = np.asarray(host.as_host(q)), DIVISORS[name]
    if given.ndim > 1 and name.startswith("nan"):  # NumPy's axes are in another order then
        raise NotImplementedError(f"{name} over devices takes one axis of shares: x.gather()")
    levels = given / divisor if divisor != 1 else given
    shares, own = quantiles.checked(name, levels, divisor, method)

    def between(rows: Any) -> Any:
        is_weak = type(q) in (int, float)
        return quantiles.of_sorted(_OnFirst(rows), rows.shape[0], shares, own, is_weak)

    call = _Call(name, axis, keepdims, (q,), {"method": method}, given.shape)
    return call.computed(x, between)


class _OnFirst:
    """A sorted spread array whose elements come to the group's first device."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self._device = rows.group[0]._device

    def __getitem__(self, key: Any) -> Any:
        return self._rows[key].to_device(self._rows.group[0])


class _Call(NamedTuple):
    """A call of NumPy's, whose results begin with axes of a shape."""

    name: str
    axis: Any
    keepdims: bool
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = {}
    before: tuple[int, ...] = ()

    def of_one(self, array: Any) -> Any:
        """The result of an array of one device."""
        function = protocols.function_named(self.name)
        named = {"axis": self.axis, "keepdims": self.keepdims, **self.options}
        return function(array, *self.arguments, **named)

    def computed(self, x: Core, of_sorted: Callable[[Any], Any]) -> Any:
        """The result of a spread array, of which `of_sorted` makes that of all elements in order.

        Where an axis is left, each device has whole rows. Elements that are no real numbers, and
        none at all, are the first device's.
        """
        reduced = axes_of(self.axis, x.ndim)
        kept = [i for i in range(x.ndim) if i not in reduced]
        if kept and x.size:
            whole = x if x.axis in kept else x.respread(axis=kept[0])
            left = whole.axis if self.keepdims else kept.index(whole.axis)
            return self._of_each(whole, len(self.before) + left)
        if x.parts[0]._dtype not in quantiles.SORTED or not x.size:
            return self.of_one(x.gather())
        rows: Any = sort(flat(x))
        if self.name.startswith("nan"):
            rows = rows[: int((rows == rows).sum())]
        if rows.size:
            made = of_sorted(rows)
        else:  # all are NaN
            made = self._replace(axis=None, keepdims=False).of_one(flat(x).parts[0][:1])
        return made.reshape((*self.before, *(1,) * x.ndim)) if self.keepdims else made

    def _of_each(self, x: Core, axis: int) -> Core:
        """The results of the parts, in one dtype: with NaN alone in its first row a part has its
        own. NumPy's results of no elements have another shape: these are cut of others."""
        made = [self.of_one(part) if part.size else None for part in x.parts]
        there = [each for each in made if each is not None]
        dtype, none = np.result_type(*(each.dtype for each in there)), along(there[0], axis, 0, 0)
        pairs = zip(made, x.group, strict=True)
        parts = [moved(none, to) if own is None else own for own, to in pairs]
        return x.like([each.astype(dtype, copy=False) for each in parts], axis)
