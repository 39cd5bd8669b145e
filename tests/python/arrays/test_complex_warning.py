"""Where complex numbers become real ones, arrays warn as NumPy's do."""

import warnings

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

WAYS = {
    "sum": lambda m, a, t: a.sum(dtype=t),
    "prod": lambda m, a, t: a.prod(dtype=t),
    "mean": lambda m, a, t: a.mean(dtype=t),
    "cumsum": lambda m, a, t: a.cumsum(dtype=t),
    "nansum": lambda m, a, t: m.nansum(a, dtype=t),
    "add.reduce": lambda m, a, t: m.add.reduce(a, dtype=t),
    "astype": lambda m, a, t: a.astype(t),
    "asarray": lambda m, a, t: m.asarray(a, dtype=t),
    "array": lambda m, a, t: m.array(a, dtype=t),
    "all elements": lambda m, a, t: set_item(m.zeros(4, dtype=t), slice(None), a),
    "a slice": lambda m, a, t: set_item(m.zeros(8, dtype=t), slice(None, None, 2), a),
    "by a mask": lambda m, a, t: set_item(m.zeros(4, dtype=t), m.asarray([True] * 4), a),
    "by indices": lambda m, a, t: set_item(m.zeros(4, dtype=t), m.asarray([3, 1, 2, 0]), a),
}


def set_item(array, key, value):
    array[key] = value
    return array


@pytest.mark.parametrize("to", ["f4", "f8", "c8", "c16", "i4", "?"])
@pytest.mark.parametrize("way", WAYS)
def test_warnings_and_values_are_those_of_numpy(way, to):
    found = []
    for module in (np, px):
        array = module.asarray(np.array([1 + 2j, 3 - 1j, 0, 2], "c8"))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                made = np.asarray(WAYS[way](module, array, to))
            except TypeError:
                made = None
        found.append((made, {each.category for each in said}))
    (theirs, their_warnings), (ours, our_warnings) = found
    if theirs is None:
        return
    assert ours is not None and our_warnings == their_warnings
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    assert ours.dtype == theirs.dtype


def add_up(array):
    return px.sum(array, dtype="f8")


SAYS = {
    "a function": add_up,
    "a method": lambda a: a.sum(dtype="f8"),
    "a mean": lambda a: px.mean(a, dtype="f8"),
    "a ufunc": lambda a: px.add.reduce(a, dtype="f8"),
    "no elements": lambda a: px.mean(a[:0].real),
    "no elements of a method": lambda a: a[:0].real.var(),
}


@pytest.mark.parametrize("way", SAYS)
def test_warnings_are_at_the_line_of_the_program(way):
    array = px.asarray(np.array([1 + 2j, 3 - 1j]))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        SAYS[way](array)
    (one,) = said
    assert one.filename == __file__
    assert one.lineno == SAYS[way].__code__.co_firstlineno + (way == "a function")
