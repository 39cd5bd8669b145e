"""Ufuncs of spread arrays: their methods, and results that go to an array."""

import numpy as np
import pytest

import phalanx as px


def same(found, expected):
    found = np.asarray(found)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("split", [0, 1])
@pytest.mark.parametrize("name", ["add", "multiply"])
def test_methods_go_along_the_first_axis(group, name, split):
    function = getattr(np, name)
    host = np.arange(1.0, 13).reshape(4, 3)
    x = group.asarray(host, axis=split)
    same(function.accumulate(x), function.accumulate(host))
    same(function.accumulate(x, axis=1), function.accumulate(host, axis=1))
    same(function.reduce(x), function.reduce(host))
    same(function.reduce(x, axis=None, keepdims=True), function.reduce(host, axis=None, keepdims=1))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda x: np.add.reduce(x, out=px.zeros(())), "add.reduce with out="),
        (lambda x: np.add.reduce(x, initial=3.0), "add.reduce with initial="),
        (lambda x: np.subtract.reduce(x), "subtract.reduce"),
        (lambda x: np.add.reduceat(x, [1]), "add.reduceat"),
        (lambda x: np.add.outer(x, x), "add.outer"),
        (lambda x: np.matmul(x, x, dtype="float32"), "matmul with dtype="),
        (lambda x: np.vecdot(x, x), "vecdot"),
    ],
)
def test_what_is_not_there_is_named(group, call, named):
    with pytest.raises(NotImplementedError, match=rf"{named} is not done .*gather"):
        call(group.arange(7.0))


def test_products_go_to_an_array(group):
    host = np.arange(12.0).reshape(4, 3)
    x, out = group.asarray(host), group.zeros((4, 4))
    assert np.matmul(x, host.T, out=out) is out
    same(out, host @ host.T)
    square = group.asarray(host @ host.T)
    before = square
    square @= np.eye(4) * 2
    assert square is before
    same(square, host @ host.T * 2)


def test_results_are_not_cast_in_silence(group):
    whole = group.arange(7)
    with pytest.raises(TypeError, match=r"out is of int64.* x = x \+ y"):
        whole += 1.5
    same(whole, np.arange(7))
    np.multiply(whole, 1.5, out=whole, casting="unsafe")
    same(whole, (np.arange(7) * 1.5).astype("int64"))


def test_masked_results_leave_the_others(group):
    host = np.arange(7.0)
    x, out = group.asarray(host), group.full(7, -1.0)
    for library in (np, px):
        library.add(x, 1, out=out, where=x > 3)
        same(out, np.add(host, 1, out=np.full(7, -1.0), where=host > 3))


def test_several_results_go_to_arrays(group):
    x, quotients, rests = group.arange(7.0), group.zeros(7), group.zeros(7)
    np.divmod(x, 2.0, out=(quotients, rests))
    for found, expected in zip((quotients, rests), np.divmod(np.arange(7.0), 2.0), strict=True):
        same(found, expected)


def test_an_array_for_results_is_spread_as_an_operand_is(group):
    x = group.arange(7.0)
    with pytest.raises(TypeError, match="spread array, too"):
        np.add(x, 1, out=np.zeros(7))
    with pytest.raises(TypeError, match=r"group\.asarray"):
        np.add(np.ones(7), 1, out=x)
    with pytest.raises(ValueError, match=r"\(7,\).*\(2, 7\)"):
        np.add(x, np.ones((2, 7)), out=x)
