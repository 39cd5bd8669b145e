"""Assertions of tests: frames, series and indexes that are equal."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..building.columns import is_frame, is_series, ours
from ..columns import Column
from ..dtypes import CategoricalDtype
from ..in_place import in_place
from ..indexes.index import Index
from ..signatures import NO_DEFAULT, leaves_out


def _fail(obj: str, what: str, left: Any, right: Any) -> None:
    raise AssertionError(f"{obj} are different\n\n{what}\n[left]:  {left}\n[right]: {right}")


def _check_class(left: Any, right: Any, is_kind: Any, name: str) -> None:
    for each in (left, right):
        if not is_kind(each):
            raise AssertionError(
                f"{name} Expected type {name}, found {type(each).__name__} instead"
            )


def _is_index(thing: Any) -> bool:
    return isinstance(thing, Index)


@leaves_out("check_datetimelike_compat", "check_categorical", "check_index_type")
@in_place
def assert_index_equal(
    left: Any,
    right: Any,
    exact: Any = "equiv",
    check_names: bool = True,
    check_exact: bool = True,
    check_order: bool = True,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    obj: str = "Index",
) -> None:
    """Raises AssertionError where two indexes differ: in labels, dtype (unless ``exact`` is
    False) or names.

    >>> px.testing.assert_index_equal(px.Index([1, 2]), px.Index([1, 2]))
    """
    left, right = ours(left), ours(right)
    _check_class(left, right, _is_index, "Index")
    if left.nlevels != right.nlevels:
        _fail(obj, f"{obj} levels are different", left.nlevels, right.nlevels)
    if len(left) != len(right):
        _fail(obj, f"{obj} length are different", len(left), len(right))
    if not check_order:
        left, right = left.sort_values(), right.sort_values()
    for number in range(left.nlevels):
        a, b = (each._level_values(number) if each.nlevels > 1 else each for each in (left, right))
        if exact and a.dtype != b.dtype:
            _fail(obj, 'Attribute "dtype" are different', a.dtype, b.dtype)
        _check_values(
            (a._values_column(), b._values_column()), Closeness(check_exact, rtol, atol), obj
        )
    if check_names and list(left.names) != list(right.names):
        _fail(obj, 'Attribute "names" are different', list(left.names), list(right.names))


@leaves_out(
    "check_index_type", "check_series_type", "check_datetimelike_compat", "check_freq",
    "check_flags", "check_category_order", "check_categorical",
)  # fmt: skip
@in_place
def assert_series_equal(
    left: Any,
    right: Any,
    check_dtype: bool = True,
    check_names: bool = True,
    check_exact: Any = NO_DEFAULT,
    check_index: bool = True,
    check_like: bool = False,
    rtol: Any = NO_DEFAULT,
    atol: Any = NO_DEFAULT,
    obj: str = "Series",
) -> None:
    """Raises AssertionError where two series differ: in values, dtype, labels or name.

    Floats may differ by ``atol + rtol * abs(right)`` unless ``check_exact``.

    >>> series = px.Series([1.0, 2.0])
    >>> px.testing.assert_series_equal(series, series + 1e-9)
    """
    left, right = ours(left), ours(right)
    _check_class(left, right, is_series, "Series")
    if len(left) != len(right):
        _fail(obj, f"{obj} length are different", len(left), len(right))
    if check_index:
        _check_labels((left.index, right.index), check_names, check_like, f"{obj}.index")
    if check_like:
        left = left.reindex(right.index)
    _check_dtypes((left._parts[0], right._parts[0]), check_dtype, f"Attributes of {obj}")
    _check_values((left._parts[0], right._parts[0]), Closeness(check_exact, rtol, atol), obj)
    if check_names and not (left.name is right.name or left.name == right.name):
        _fail(obj, 'Attribute "names" are different', left.name, right.name)


@leaves_out(
    "check_index_type", "check_column_type", "check_frame_type", "by_blocks",
    "check_datetimelike_compat", "check_categorical", "check_freq", "check_flags",
)  # fmt: skip
@in_place
def assert_frame_equal(
    left: Any,
    right: Any,
    check_dtype: bool = True,
    check_names: bool = True,
    check_exact: Any = NO_DEFAULT,
    check_like: bool = False,
    rtol: Any = NO_DEFAULT,
    atol: Any = NO_DEFAULT,
    obj: str = "DataFrame",
) -> None:
    """Raises AssertionError where two frames differ: in values, dtypes, labels or their names.

    ``check_like`` lets rows and columns be in another order. Floats may differ by
    ``atol + rtol * abs(right)`` unless ``check_exact``.

    >>> frame = px.DataFrame({"a": [1, 2]})
    >>> px.testing.assert_frame_equal(frame, frame + 0)
    """
    left, right = ours(left), ours(right)
    _check_class(left, right, is_frame, "DataFrame")
    if left.shape != right.shape:
        _fail(obj, f"{obj} shape mismatch", left.shape, right.shape)
    _check_labels((left.index, right.index), check_names, check_like, f"{obj}.index")
    _check_labels((left.columns, right.columns), check_names, check_like, f"{obj}.columns")
    if check_like:
        left = left.reindex(index=right.index, columns=right.columns)
    close = Closeness(check_exact, rtol, atol)
    for i, label in enumerate(left.columns):
        name = f'{obj}.iloc[:, {i}] (column name="{label}")'
        pair = left._parts[i], right._parts[i]
        _check_dtypes(pair, check_dtype, f"Attributes of {name}")
        _check_values(pair, close, name)


class Closeness:
    """How far numbers may be apart: integers not at all where nothing is said, floats a little."""

    def __init__(self, exact: Any, rtol: Any, atol: Any) -> None:
        self.of_floats = exact is NO_DEFAULT or not exact
        self.of_all = self.of_floats and not (exact is rtol is atol is NO_DEFAULT)
        self.rtol = 1e-5 if rtol is NO_DEFAULT else rtol
        self.atol = 1e-8 if atol is NO_DEFAULT else atol


def _check_labels(pair: tuple[Any, Any], names: bool, like: bool, obj: str) -> None:
    assert_index_equal(*pair, check_names=names, check_order=not like, obj=obj)


def _check_dtypes(pair: tuple[Column, Column], wanted: bool, obj: str) -> None:
    if wanted and pair[0].dtype != pair[1].dtype:
        _fail(obj, 'Attribute "dtype" are different', pair[0].dtype, pair[1].dtype)


def _check_values(pair: tuple[Column, Column], close: Closeness, obj: str) -> None:
    """Compare rows; a missing value is equal to another one."""
    if not len(pair[0]):
        return
    gone = [np.asarray(each.isna()) for each in pair]
    equal = gone[0] & gone[1]
    there = ~(gone[0] | gone[1])
    if there.any():
        rows = np.flatnonzero(there)
        equal[rows] = _equal_rows([each.take(px.asarray(rows)) for each in pair], close)
    if not equal.all():
        share = 100 * (1 - equal.mean())
        what = f"{obj} values are different ({share:.5f} %)"
        _fail(obj, what, pair[0].tolist()[:20], pair[1].tolist()[:20])


def _equal_rows(pair: list[Any], close: Closeness) -> np.ndarray:
    if any(isinstance(each.dtype, CategoricalDtype) for each in pair):
        pair = [each.values() if hasattr(each, "codes") else each for each in pair]
    left, right = (each.to_numpy() for each in pair)
    kinds = left.dtype.kind + right.dtype.kind
    by_value = close.of_all or (close.of_floats and bool(set(kinds) & set("fc")))
    if by_value and not kinds.strip("biufc"):
        return np.asarray(np.isclose(left, right, rtol=close.rtol, atol=close.atol))
    return np.array([a is b or bool(a == b) for a, b in zip(left, right, strict=True)], bool)
