"""``cupyx.GeneralizedUFunc``: a function of arrays, done over their other dimensions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import phalanx as px

# A dimension of a signature: its name, whether it may be missing, and whether it may be 1.
Dimension = tuple[str, bool, bool]
_DIMENSION = re.compile(r"(\w+)(\?|\|1)?")


def parse_signature(
    signature: str,
) -> tuple[list[tuple[Dimension, ...]], list[tuple[Dimension, ...]], int]:
    """The dimensions of the operands and of the results, and how many names there are.

    Raises `ValueError` for what is no signature, such as ``"(i,j)(j)->(i)"``.
    """
    text = "".join(signature.split())
    group = r"\((?:\w+(?:\?|\|1)?(?:,\w+(?:\?|\|1)?)*)?\)"
    if not re.fullmatch(rf"(?:{group}(?:,{group})*)?->{group}(?:,{group})*", text):
        raise ValueError(f"Not a valid gufunc signature: {signature}")
    operands, results = (_groups(part) for part in text.split("->"))
    names = {each[0] for group in (*operands, *results) for each in group}
    return operands, results, len(names)


def _groups(text: str) -> list[tuple[Dimension, ...]]:
    found = re.findall(r"\(([^)]*)\)", text) or [""]
    return [
        tuple((name, mark == "?", mark == "|1") for name, mark in _DIMENSION.findall(each))
        for each in found
    ]


class GeneralizedUFunc:
    """A function of arrays whose operands have more dimensions than those of its signature.

    ``function(*operands, out=None, axes=None, axis=None, keepdims=False, dtype=None,
    casting="same_kind", order="K", signature=None)`` broadcasts the other dimensions and calls
    `func` for each of their elements; with `supports_batched` it calls it once, with all of them.
    With `supports_out` the function takes ``out=``, a view of the result. `signatures` are loops
    such as ``"dd->d"``, alone or with a function of their own.

    Raises `ValueError` for shapes and axes that do not fit, `TypeError` where there is no loop.
    """

    def __init__(
        self,
        func: Callable[..., Any],
        signature: str,
        *,
        name: str | None = None,
        doc: str | None = None,
        signatures: Iterable[Any] | None = None,
        **options: Any,
    ) -> None:
        self._function = func
        self.signature = signature
        self.__name__ = name or func.__name__
        self.__doc__ = doc or func.__doc__
        self._supports_batched = bool(options.pop("supports_batched", False))
        self._supports_out = bool(options.pop("supports_out", False))
        if options:
            raise TypeError(f"unexpected keyword argument {next(iter(options))!r}")
        self._operands, self._results, _ = parse_signature(signature)
        self.nin, self.nout = len(self._operands), len(self._results)
        self._loops = [self._loop(each) for each in signatures or ()]

    def _loop(self, given: Any) -> tuple[str, str, Callable[..., Any]]:
        text, function = given if isinstance(given, tuple) else (given, self._function)
        operands, arrow, results = text.partition("->")
        if not arrow or len(operands) != self.nin or len(results) != self.nout:
            raise ValueError(f"the loop {text!r} does not fit the signature {self.signature}")
        return operands, results, function

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.__name__}'>"

    def __call__(self, *args: Any, **options: Any) -> Any:
        """The results for all elements of the other dimensions."""
        out = options.pop("out", args[self.nin] if len(args) > self.nin else None)
        if len(args) < self.nin:
            raise TypeError(f"{self.__name__} takes {self.nin} operands, not {len(args)}")
        dtype, casting = options.pop("dtype", None), options.pop("casting", "same_kind")
        order, keepdims = options.pop("order", "K"), options.pop("keepdims", False)
        given = [px.asarray(each) for each in args[: self.nin]]
        axes = self._axes(options.pop("axes", None), options.pop("axis", None))
        function, arrays, dtypes = self._chosen(given, options.pop("signature", None), casting)
        if options:
            raise TypeError(f"unexpected keyword argument {next(iter(options))!r}")
        if dtype is not None:
            dtypes = [dtype] * self.nout
        targets = out if isinstance(out, tuple) else (out,) * self.nout
        call = _Call(self._operands, self._results)
        operands = call.operands([
            _moved(each, axes[i], True) for i, each in enumerate(arrays)
        ])  # fmt: skip
        batched = self._supports_batched or not call.loops
        view = None
        if self._supports_out and targets[0] is not None and self.nout == 1:
            view = _moved(targets[0], axes[self.nin], True)
        made = call.run(function, operands, batched, view)
        finished = []
        for i, each in enumerate(made):
            placed = call.finished(each, i, keepdims)
            where = axes[0] if keepdims and not self._results[i] else axes[self.nin + i]
            placed = _moved(placed, where, False)
            if dtypes is not None and targets[i] is None:
                placed = placed.astype(dtypes[i], copy=False)
            finished.append(_stored(placed, targets[i], casting, _order(order, given)))
        return finished[0] if self.nout == 1 else tuple(finished)

    def _axes(self, axes: Any, axis: Any) -> list[tuple[int, ...]]:
        """Where the signature's dimensions are in each operand and result."""
        core = [*self._operands, *self._results]
        if axes is not None and axis is not None:
            raise ValueError("Only one of `axis` or `axes` can be given")
        if axis is not None:
            if not isinstance(axis, int) or any(len(each) > 1 for each in core):
                raise ValueError("`axis` is an int, for signatures of one dimension")
            return [(axis,) if each else () for each in core]
        if axes is None:
            return [tuple(range(-len(each), 0)) for each in core]
        places = [(each,) if isinstance(each, int) else tuple(each) for each in axes]
        if len(places) == self.nin and not any(self._results):
            places += [()] * self.nout
        if [*map(len, places)] != [*map(len, core)]:
            raise ValueError(f"axes {axes} do not fit the signature {self.signature}")
        return places

    def _chosen(
        self, arrays: list[Any], signature: Any, casting: Any
    ) -> tuple[Callable[..., Any], list[Any], Any]:
        """The function of the loop that fits, the operands and the results' dtypes."""
        if signature is not None:
            operands, results, function = self._named_loop(signature)
            return function, [x.astype(c) for x, c in zip(arrays, operands, strict=True)], results
        for operands, results, function in self._loops:
            pairs = [*zip(arrays, operands, strict=True)]
            if all(np.can_cast(x.dtype, np.dtype(c), casting) for x, c in pairs):
                return function, [x.astype(c, copy=False) for x, c in pairs], results
        return self._function, arrays, None

    def _named_loop(self, signature: Any) -> tuple[str, str, Callable[..., Any]]:
        text = signature
        if not isinstance(signature, str):
            chars = [np.dtype(each).char for each in signature]
            text = f"{''.join(chars[: self.nin])}->{''.join(chars[self.nin :])}"
        for loop in self._loops:
            if text in (loop[1], f"{loop[0]}->{loop[1]}"):
                return loop
        raise TypeError(f"{self.__name__} has no loop {signature!r}")


class _Call:
    """The dimensions of one call: those of the signature, and the others."""

    def __init__(
        self, operands: list[tuple[Dimension, ...]], results: list[tuple[Dimension, ...]]
    ) -> None:
        self._operands, self._results = operands, results
        self._extents: dict[str, int] = {}
        self._missing: set[str] = set()
        self._ones: set[str] = set()  # dimensions that are 1 where they may be
        self.loops: tuple[int, ...] = ()

    def operands(self, arrays: list[Any]) -> list[Any]:
        """The arrays with all dimensions of the signature, broadcast in the others."""
        whole = [self._whole(x, core) for x, core in zip(arrays, self._operands, strict=True)]
        present = [
            {name for name, *_ in core} - missing
            for core, (_, missing) in zip(self._operands, whole, strict=True)
        ]
        if self._missing & set().union(*present):
            raise ValueError("an optional dimension is missing in one operand, and not in another")
        made = [x for x, _ in whole]
        counts = [len(core) for core in self._operands]
        loops = [x.shape[: x.ndim - n] for x, n in zip(made, counts, strict=True)]
        self.loops = np.broadcast_shapes(*loops)
        return [
            px.broadcast_to(x, (*self.loops, *(self._extents[name] for name, *_ in core)))
            for x, core in zip(made, self._operands, strict=True)
        ]

    def _whole(self, array: Any, core: tuple[Dimension, ...]) -> tuple[Any, set[str]]:
        """The array with 1 for the dimensions that are missing, and their names."""
        lacking = len(core) - array.ndim
        missing = {name for name, is_optional, _ in core if is_optional}
        optional = [name for name, *_ in core if name in missing][: max(lacking, 0)]
        if lacking > len(optional):
            raise ValueError(f"an operand of {array.ndim} dimensions has too few")
        extents = iter(array.shape[array.ndim - (len(core) - len(optional)) :])
        shape = [1 if name in optional else next(extents) for name, *_ in core]
        for (name, _, may_be_one), extent in zip(core, shape, strict=True):
            known = self._extents.setdefault(name, extent)
            if known == 1 and name in self._ones:
                self._extents[name] = extent
            if extent == 1 and may_be_one:
                self._ones.add(name)
            elif known == self._extents[name] and known != extent:
                raise ValueError(f"the dimension {name} is {known} and {extent}")
        self._missing |= set(optional)
        outer = array.shape[: array.ndim - (len(core) - len(optional))]
        return array.reshape((*outer, *shape)), set(optional)

    def run(
        self, function: Callable[..., Any], arrays: list[Any], is_batched: bool, out: Any
    ) -> list[Any]:
        """The results, with the other dimensions first; written to `out` where that is given."""
        count = len(self._results)
        if is_batched:
            made = function(*arrays) if out is None else function(*arrays, out=out)
            return [out] if out is not None else [*made] if count > 1 else [made]
        parts: list[tuple[Any, ...]] = []
        for place in np.ndindex(self.loops):
            operands = [each[place] for each in arrays]
            if out is not None:
                function(*operands, out=out[place])
                continue
            made = function(*operands)
            parts.append(tuple(made) if count > 1 else (made,))
        if out is not None:
            return [out]
        if not parts:
            return [self._empty(core, arrays) for core in self._results]
        return [
            px.stack([px.asarray(each[i]) for each in parts]).reshape(
                (*self.loops, *px.asarray(parts[0][i]).shape)
            )
            for i in range(count)
        ]

    def _empty(self, core: tuple[Dimension, ...], arrays: list[Any]) -> Any:
        extents = [self._extents[name] for name, *_ in core]
        return px.empty((*self.loops, *extents), np.result_type(*(each.dtype for each in arrays)))

    def finished(self, array: Any, number: int, keepdims: bool) -> Any:
        """A result without the dimensions that are missing; with ones for those that are gone."""
        core = self._results[number]
        first = array.ndim - len(core)
        axes = tuple(first + i for i, (name, *_) in enumerate(core) if name in self._missing)
        if axes:
            array = array.squeeze(axes)
        if keepdims and not core:
            array = array.reshape((*array.shape, *(1,) * len(self._operands[0])))
        return array


def _moved(array: Any, axes: tuple[int, ...], to_the_end: bool) -> Any:
    """The array with its axes at the end, or with the last ones where `axes` says."""
    last = tuple(range(-len(axes), 0))
    if axes == last or array.ndim < len(axes):
        return array
    return px.moveaxis(array, axes, last) if to_the_end else px.moveaxis(array, last, axes)


def _order(order: str, arrays: list[Any]) -> str:
    if order != "A":
        return order
    return "F" if all(each.flags.fnc for each in arrays) else "C"


def _stored(made: Any, out: Any, casting: Any, order: str) -> Any:
    if out is None:
        return px.asarray(made, order=order)
    if out.shape != made.shape:
        raise ValueError(f"out has the shape {out.shape}, the result {made.shape}")
    if not np.can_cast(made.dtype, out.dtype, casting):
        raise TypeError(f"the result of {made.dtype} is not cast to {out.dtype} by {casting!r}")
    if out is not made:
        out[...] = made
    return out
