"""Random frames reshaped there and back, beside pandas."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .against_pandas import check
from .reshape_samples import module_of

pytestmark = pytest.mark.usefixtures("device")

LABELS = st.sampled_from(["a", "b", "c", None])
ROWS = st.lists(
    st.tuples(LABELS, st.integers(0, 3), st.floats(-9, 9) | st.just(np.nan), st.integers(-5, 5)),
    min_size=1,
    max_size=12,
)


def frame_of(rows):
    frame = pd.DataFrame(rows, columns=["k", "n", "f", "i"])
    return frame.astype({"k": "str", "n": "int64", "f": "float64", "i": "int64"})


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, aggfunc=st.sampled_from(["sum", "mean", "count", "max", "first"]))
def test_pivot_tables(rows, aggfunc):
    check(lambda f: f.pivot_table(["f", "i"], "k", "n", aggfunc), frame_of(rows), exact=False)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS)
def test_unstack_and_stack(rows):
    frame = frame_of(rows)
    check(lambda f: f.set_index(["k", "n"]).unstack(), frame)
    check(lambda f: f.drop_duplicates(["k", "n"]).set_index(["k", "n"])["i"].unstack(0), frame)
    check(lambda f: f[["f", "i"]].stack(), frame)
    check(lambda f: f.melt(["k"], ["f", "n"]), frame)
    check(lambda f: module_of(f).get_dummies(f, dummy_na=True), frame)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, bins=st.integers(1, 6), right=st.booleans())
def test_bins(rows, bins, right):
    check(lambda f: module_of(f).cut(f["i"], bins, right=right), frame_of(rows))
    check(lambda f: module_of(f).qcut(f["f"], bins, duplicates="drop"), frame_of(rows))
    check(lambda f: module_of(f).cut(f["f"], [-5, 0, 2.5, 9], include_lowest=right), frame_of(rows))
