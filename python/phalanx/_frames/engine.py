"""The engine's operators, which run where the columns are: on the host or on a GPU.

The functions are those of `_engine.frames`, which takes NumPy's arrays, and of `_grouping.engine`
and `_texts.engine`, which take arrays in a GPU's memory. What one gives is of the kind that it
took, and what is somewhere else is moved first. Keys are what `Column.key` says, masks bools of the
rows that are not missing, codes the group of each row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import phalanx as px
from phalanx import _engine

from .._arrays.ndarray import ndarray

Array = Any  # NumPy's, or of a GPU


def is_on_gpu(array: Any) -> bool:
    """True for an array that is not in the host's memory."""
    return isinstance(array, ndarray) and not array._device.is_host


def device_of(array: Any) -> _engine.Device | None:
    """Where an array is, if that is known; None also for NumPy's."""
    return array._known_device if isinstance(array, ndarray) else None


def placed(array: ndarray) -> Array:
    """An array as operators take it: itself on a GPU, NumPy's on the host."""
    return array if is_on_gpu(array) else np.ascontiguousarray(array)


def placed_mask(mask: ndarray | None) -> Array | None:
    """The same of a mask, of which None stays."""
    return None if mask is None else placed(mask)


def parts_of(column: Any) -> tuple[Array, Array | None]:
    """The values and the mask of a column of numbers."""
    return placed(column.values), placed_mask(column.valid)


def group_rows(keys: Sequence[Any], drops_missing: bool = True) -> tuple[Array, int, Array]:
    """The group of each row, numbered in the order of their first rows, the number of groups,
    and the first row of each (int64). Rows with a missing key have -1, if those are dropped."""
    codes, count, firsts = _run("group_rows", keys, keys, drops_missing)
    return codes, int(count), firsts


def order_rows(
    keys: Sequence[Any], descending: Sequence[bool] = (), missing_first: bool = False
) -> Array:
    """The rows in the order of the keys (int64), the first key first; equal ones as they are."""
    return _run("order_rows", keys, keys, list(descending), missing_first)


def join_rows(left: Sequence[Any], right: Sequence[Any], how: str) -> tuple[Array, Array]:
    """Pairs of rows (int64, -1: no partner) whose keys are equal, in pandas' order."""
    one, other = _run("join_rows", (left, right), left, right, how)
    return one, other


def aggregate(codes: Array, groups: int, aggregations: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Numbers for each group: of (values, mask, kind[, argument]) a tuple (values, known), where
    `known` is None if all groups have one."""
    return list(_run("aggregate", codes, codes, groups, aggregations))


def aggregate_runs(bounds: np.ndarray, aggregations: Sequence[tuple[Any, ...]]) -> list[Any]:
    """As `aggregate`, of groups whose rows follow one another, where the values are.

    Group i has the rows from ``bounds[i]`` up to ``bounds[i + 1]`` (int64).
    """
    return list(_run("aggregate_runs", aggregations, bounds, aggregations))


def rows_before(times: Array, edges: np.ndarray, closed: bool) -> np.ndarray:
    """How many of sorted int64 times are before each of sorted edges, with ``closed`` those equal
    to it too (int64, on the host: there are fewer edges than times)."""
    return np.asarray(_run("rows_before", times, times, edges, closed))


def rows_by_group(codes: Array, groups: int) -> tuple[Array, Array]:
    """The rows in order of their groups, and where groups begin and the last one ends (int64)."""
    rows, bounds = _run("rows_by_group", codes, codes, groups)
    return rows, bounds


def count_distinct(codes: Array, groups: int, key: Any) -> Array:
    """How many different values of a key each group has that are not missing (int64)."""
    return _run("count_distinct", codes, codes, groups, key)


def asof_rows(
    left: tuple[Array, Any], right: tuple[Array, Any], direction: str, tolerance: float, exact: bool
) -> np.ndarray:
    """The nearest row of the right side for each of the left one, on the host: -1 of none."""
    one, other = _each(on_host, (left, right))
    return np.asarray(_engine.frames.asof_rows(one, other, direction, tolerance, exact))


def shifted_rows(codes: Array, groups: int, periods: int) -> Array:
    """The row that is so many before each in its group, -1 where there is none (int64)."""
    return _run("shifted_rows", codes, codes, groups, periods)


def rows_at_places(codes: Array, groups: int, first: int, last: int | None) -> Array:
    """The rows (int64) whose places in their groups are in ``first:last``, as of a slice."""
    return _run("rows_at_places", codes, codes, groups, first, last)


def running(
    codes: Array, groups: int, kind: str, values: Array = None, mask: Array = None
) -> tuple[Array, Array | None]:
    """What the rows of each row's group up to it make, and which there are, None if all."""
    made, known = _run("running", codes, codes, groups, kind, values, mask)
    return made, known


def rank_rows(
    codes: Array, groups: int, key: Any, method: str = "average", descending: bool = False
) -> tuple[Array, Array | None]:
    """Each row's rank in its group from 1 on (float64), and which there are, None if all."""
    made, known = _run("rank_rows", codes, codes, groups, key, method, descending)
    return made, known


def best_rows(
    codes: Array, groups: int, column: tuple[Array, Array | None], count: int, greatest: bool = True
) -> tuple[Array, Array]:
    """The rows of the greatest values of each group, and where groups begin (int64)."""
    rows, bounds = _run("best_rows", codes, codes, groups, column, count, greatest)
    return rows, bounds


def slide(rows: int, bounds: tuple[Any, ...], requests: Sequence[dict[str, Any]]) -> list[Any]:
    """A float64 for each window and request, where the values are.

    `bounds`: two arrays of the windows' beginnings and ends, neither of which goes back; or their
    number, the first one's beginning and end, and a step. Statistics of order are the host's.
    """
    values = [each["values"] for each in requests]
    if not any(map(is_on_gpu, values)):
        return list(_engine.frames.slide(rows, _each(on_host, bounds), requests))
    from .._grouping import windows as of_gpus

    device = next(each.device for each in values if is_on_gpu(each))
    made = []
    for each in requests:
        engine_, move = (
            (of_gpus, partial(px.asarray, device=device))
            if each["kind"] in of_gpus.KINDS
            else (_engine.frames, on_host)
        )
        arrays = {name: _each(move, value) for name, value in each.items()}
        (found,) = engine_.slide(rows, _each(move, bounds), [arrays])
        made.append(px.asarray(found, device=device))
    return made


def span_edges(
    times: Array, bounds: Array, span: int, keywords: dict[str, bool]
) -> tuple[Array, Array]:
    """Where the windows of time of sorted int64 times begin and end, in runs between bounds."""
    starts, ends = _run("span_edges", times, times, bounds, span, keywords)
    return starts, ends


def places_of(order: Array, dtype: np.dtype) -> Array:
    """The place of each number in an order of numbers; one more, which -1 finds, is -1."""
    count = len(order)
    places = np.full_like(order, -1, shape=count + 1, dtype=dtype)
    places[order] = numbers_like(order).astype(dtype, copy=False)
    return places


def numbers_like(array: Array) -> Array:
    """The numbers from 0 on, as many as an array has, where it is."""
    if is_on_gpu(array):
        return px.arange(len(array), dtype=np.int64, device=array.device)
    return np.arange(len(array))


def are_all_in_order(rows: Array, count: int) -> bool:
    """True where rows are those from 0 to a count, one after the other."""
    if len(rows) != count or not count:
        return len(rows) == count
    # A look at a few tells of nearly all that are not.
    if any(int(rows[i]) != i for i in (0, count // 2, count - 1)):
        return False
    return bool((rows == numbers_like(rows)).all())


def of_texts(name: str, *given: Any) -> Any:
    """What an operator over texts makes of keys, or of bytes for all rows, and other arguments.

    What kernels do not do is made on the host, of copies; its arrays are then the host's.
    """
    if any(is_on_gpu(each) for each in _arrays(given)):
        from .._texts.engine import operator

        kernel = operator(name, given)
        if kernel is not None:
            return kernel(*given)
    return getattr(_engine.frames, name)(*_each(on_host, _for_host(given)))


def of_host(name: str, *given: Any) -> Any:
    """What an operator that the host alone has makes of arrays, which are copied there."""
    return getattr(_engine.frames, name)(*_each(on_host, given))


# Where operators run.


def _run(name: str, decides: Any, *given: Any) -> Any:
    """What an operator makes, by whichever engine has the memory of the arrays that decide."""
    device = next((each.device for each in _arrays(decides) if is_on_gpu(each)), None)
    if device is None:
        return getattr(_engine.frames, name)(*_each(on_host, given))
    from .._grouping import engine as of_gpus

    return getattr(of_gpus, name)(*_each(lambda one: px.asarray(one, device=device), given))


def _for_host(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sets and maps of characters and patterns as the host's engine takes them."""
    return tuple(getattr(each, "host", each) for each in given)


def on_host(array: Any) -> Any:
    """NumPy's array of an array, wherever that is."""
    return np.ascontiguousarray(array)


def _arrays(given: Any) -> Iterator[Any]:
    """The arrays in lists of keys."""
    if isinstance(given, (list, tuple)):
        for each in given:
            yield from _arrays(each)
    elif isinstance(given, (ndarray, np.ndarray)):
        yield given


def _each(function: Any, given: Any) -> Any:
    """Lists and tuples with a function's values in the place of arrays."""
    if isinstance(given, (list, tuple)):
        return type(given)(_each(function, each) for each in given)
    return function(given) if isinstance(given, (ndarray, np.ndarray)) else given
