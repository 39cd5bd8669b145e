"""What calls with spread arrays take beside them, and what they refuse."""

import numpy as np
import pytest


def test_lists_are_compared(group):
    x = group.arange(5)
    assert np.array_equal(x, [0, 1, 2, 3, 4]) and np.array_equal([0, 1, 2, 3, 4], x)
    assert not np.array_equal(x, [0, 1, 2, 3]) and not np.array_equal(x, [0, 1, 2, 3, 5])


@pytest.mark.parametrize("name", ["argmin", "argmax", "cumsum", "cumprod", "sort", "argsort"])
def test_one_axis_is_no_tuple(group, name):
    with pytest.raises(TypeError, match="integer"):
        getattr(np, name)(group.ones((4, 3)), axis=(0, 1))


def test_wrong_shapes_and_bounds_are_told(group):
    with pytest.raises(ValueError, match="a number has no axis"):
        group.default_rng(0).random(size=())
    for bounds in ((), (0.0, 1.0, 0.1, 7)):
        with pytest.raises(TypeError, match=rf"not {len(bounds)} bounds"):
            group.arange(*bounds)
