"""Ranges after one another: each pair and triple of these, the same object twice among them."""

import itertools

import pandas as pd
import pytest

import phalanx as px

_RANGES = (
    range(0, 1), range(0, 0), range(1, 2), range(1, 3), range(0, 2), range(3, 0, -1),
    range(2, 6, 2), range(2, 3), range(5, 6),
)  # fmt: skip
OURS = [px.RangeIndex(each) for each in _RANGES]
THEIRS = [pd.RangeIndex(each) for each in _RANGES]


@pytest.mark.parametrize("count", [2, 3])
def test_append(count):
    for first, *rest in itertools.product(range(len(_RANGES)), repeat=count):
        made = OURS[first].append([OURS[each] for each in rest])
        expected = THEIRS[first].append([THEIRS[each] for each in rest])
        assert len(made) == len(expected) and made.tolist() == expected.tolist()
        assert type(made).__name__ == type(expected).__name__
        if isinstance(expected, pd.RangeIndex):
            assert (made.start, made.stop, made.step) == (
                expected.start, expected.stop, expected.step
            )  # fmt: skip
