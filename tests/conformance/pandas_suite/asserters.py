"""Served as `pandas._testing.asserters`: phalanx.testing's assertions, and those of values.

What `phalanx.testing` leaves out of pandas' keywords asks for more or for less than it looks at:
frequencies and an index's class are looked at here, the others by `phalanx.testing` in any case.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import phalanx.testing
from phalanx._arrays.ndarray import ndarray as px_array
from placeholders import Placeholder

import phalanx as px

# Keywords that only loosen: what they would let pass fails here.
_LOOSENING = (
    "check_index_type", "check_column_type", "check_frame_type", "check_series_type", "by_blocks",
    "check_datetimelike_compat", "check_categorical", "check_category_order", "check_flags",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Assertions of pandas' own arrays are placeholders."""
    if name.startswith("__"):
        raise AttributeError(name)
    return Placeholder(f"pandas._testing.asserters.{name}")


def _taken(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key not in _LOOSENING}


def _host(values: Any) -> Any:
    """Arrays of phalanx's as NumPy's: `values` of frames are the former."""
    return np.asarray(values) if isinstance(values, px_array) else values


def _check_kind(left: Any, right: Any, kind: type) -> None:
    for each in (left, right):
        if not isinstance(each, kind):
            raise AssertionError(
                f"{kind.__name__} Expected type {kind}, found {type(each)} instead"
            )


def _check_freq(left: Any, right: Any) -> None:
    if isinstance(left, (px.DatetimeIndex, px.TimedeltaIndex)) and left.freq != right.freq:
        raise AssertionError(f"freq are different: {left.freq} and {right.freq}")


def assert_index_equal(left: Any, right: Any, exact: Any = "equiv", **options: Any) -> None:
    _check_kind(left, right, px.Index)
    if exact is True:
        assert_class_equal(left, right, obj=options.get("obj", "Index"))
    if options.pop("check_freq", False):
        _check_freq(left, right)
    phalanx.testing.assert_index_equal(left, right, exact=exact, **_taken(options))


def assert_series_equal(left: Any, right: Any, **options: Any) -> None:
    _check_kind(left, right, px.Series)
    if options.pop("check_freq", True) and options.get("check_index", True):
        _check_freq(left.index, right.index)
    phalanx.testing.assert_series_equal(left, right, **_taken(options))


def assert_frame_equal(left: Any, right: Any, **options: Any) -> None:
    _check_kind(left, right, px.DataFrame)
    if options.pop("check_freq", True):
        _check_freq(left.index, right.index)
    phalanx.testing.assert_frame_equal(left, right, **_taken(options))


def assert_class_equal(left: Any, right: Any, exact: Any = True, obj: str = "Input") -> None:
    if type(_host(left)) is not type(_host(right)):
        raise AssertionError(f"{obj} classes are different: {type(left)} and {type(right)}")


def assert_attr_equal(attr: str, left: Any, right: Any, obj: str = "Attributes") -> None:
    one, other = getattr(left, attr), getattr(right, attr)
    if not (one is other or one == other or (one != one and other != other)):
        raise AssertionError(f'{obj}: attribute "{attr}" are different: {one} and {other}')


def _are_equal(left: Any, right: Any, close: dict[str, float] | None) -> bool:
    if isinstance(left, (np.ndarray, list, tuple)) and not isinstance(right, (str, bytes)):
        pairs = zip(left, right, strict=True)
        return len(left) == len(right) and all(_are_equal(*each, close) for each in pairs)
    if left is right:
        return True
    if left is None or left is px.NA or left is px.NaT or isinstance(left, str):
        return bool(type(left) is type(right) and left == right)
    with np.errstate(all="ignore"):
        if close and isinstance(left, (float, complex, np.inexact)):
            return bool(np.isclose(left, right, equal_nan=True, **close))
        return bool(left == right) or bool(left != left and right != right)


def assert_numpy_array_equal(
    left: Any,
    right: Any,
    check_dtype: Any = True,
    check_same: str | None = None,
    **texts: Any,
) -> None:
    obj, err_msg = texts.get("obj", "numpy array"), texts.get("err_msg")
    left, right = _host(left), _host(right)
    _check_kind(left, right, np.ndarray)
    if check_same == "same" and not np.shares_memory(left, right):
        raise AssertionError(f"{obj}: not the same memory")
    if check_same == "copy" and np.shares_memory(left, right):
        raise AssertionError(f"{obj}: the same memory")
    if left.shape != right.shape:
        raise AssertionError(f"{obj} shapes are different: {left.shape} and {right.shape}")
    pairs = zip(left.ravel().tolist(), right.ravel().tolist(), strict=True)
    kinds = {left.dtype.kind, right.dtype.kind}
    same = np.array_equal(left, right) if "O" not in kinds else False
    if not same and not all(_are_equal(*each, None) for each in pairs):
        raise AssertionError(err_msg or f"{obj} values are different: {left!r} and {right!r}")
    if check_dtype and left.dtype != right.dtype:
        raise AssertionError(f"{obj}: dtypes are different: {left.dtype} and {right.dtype}")


def assert_almost_equal(
    left: Any,
    right: Any,
    check_dtype: Any = "equiv",
    rtol: float = 1e-5,
    atol: float = 1e-8,
    **options: Any,
) -> None:
    close = {"rtol": rtol, "atol": atol}
    if isinstance(left, (px.Series, px.DataFrame)):
        options |= {"check_dtype": bool(check_dtype), "check_exact": False, **close}
        assert_equal(left, right, **options)
    elif isinstance(left, px.Index):
        assert_index_equal(left, right, exact=check_dtype, check_exact=False, **(options | close))
    elif isinstance(left, dict):
        assert left.keys() == right.keys()
        for key, value in left.items():
            assert_almost_equal(value, right[key], check_dtype=check_dtype, rtol=rtol, atol=atol)
    elif not _are_equal(_host(left), _host(right), close):
        raise AssertionError(f"values are different: {left!r} and {right!r}")


def assert_dict_equal(left: Any, right: Any, compare_keys: bool = True) -> None:
    _check_kind(left, right, dict)
    assert_almost_equal(left, right)


def assert_categorical_equal(
    left: Any,
    right: Any,
    check_dtype: bool = True,
    check_category_order: bool = True,
    obj: str = "Categorical",
) -> None:
    _check_kind(left, right, px.Categorical)
    if check_category_order:
        assert_index_equal(left.categories, right.categories)
        assert_numpy_array_equal(np.asarray(left.codes), np.asarray(right.codes))
    else:
        assert_index_equal(left.categories.sort_values(), right.categories.sort_values())
        assert_index_equal(left.categories.take(left.codes), right.categories.take(right.codes))
    assert_attr_equal("ordered", left, right, obj=obj)


def assert_extension_array_equal(left: Any, right: Any, **options: Any) -> None:
    for name in ("index_values", "obj"):
        options.pop(name, None)
    assert_series_equal(px.Series(left), px.Series(right), **options)


def assert_equal(left: Any, right: Any, **options: Any) -> None:
    kinds = {
        px.Index: assert_index_equal,
        px.Series: assert_series_equal,
        px.DataFrame: assert_frame_equal,
        px.Categorical: assert_categorical_equal,
        np.ndarray: assert_numpy_array_equal,
        px_array: assert_numpy_array_equal,
    }
    for kind, check in kinds.items():
        if isinstance(left, kind):
            if kind is px.Index and isinstance(left, (px.DatetimeIndex, px.TimedeltaIndex)):
                options.setdefault("check_freq", True)
            check(left, right, **options)
            return
    assert options == {}
    assert_almost_equal(left, right)


def assert_is_sorted(values: Any) -> None:
    values = np.asarray(values)
    assert_numpy_array_equal(values, np.sort(values))


def assert_contains_all(iterable: Any, container: Any) -> None:
    for each in iterable:
        assert each in container, f"Did not contain item: {each!r}"


def assert_copy(one: Any, other: Any, **options: Any) -> None:
    for left, right in zip(one, other, strict=True):
        assert_almost_equal(left, right, **options)
        assert left is not right


def assert_indexing_slices_equivalent(series: Any, labels: slice, positions: slice) -> None:
    expected = series.iloc[positions]
    assert_series_equal(series.loc[labels], expected)
    if not np.issubdtype(series.index.dtype, np.integer):
        assert_series_equal(series[labels], expected)


def assert_metadata_equivalent(left: Any, right: Any = None) -> None:
    for name in left._metadata:
        value = getattr(left, name, None)
        assert value is None if right is None else value == getattr(right, name, None)
