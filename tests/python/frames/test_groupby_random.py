"""Groups of random rows beside pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from .against_pandas import check

KEYS = st.sampled_from([0, 1, 2, None])
TEXTS = st.sampled_from(["a", "b", "", None])
NUMBERS = st.integers(-50, 50) | st.none()
NAMES = ["sum", "mean", "min", "max", "count", "nunique", "var", "cumsum", "shift", "ffill",
         "cumcount", "ngroup", "size", "head", "rank"]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(KEYS, TEXTS, NUMBERS), max_size=25),
    by=st.sampled_from([["k"], ["t"], ["k", "t"]]),
    name=st.sampled_from(NAMES),
    sort=st.booleans(),
    dropna=st.booleans(),
    as_index=st.booleans(),
)
def test_methods(rows, by, name, sort, dropna, as_index):
    keys, texts, numbers = zip(*rows, strict=True) if rows else ((), (), ())
    data = pd.DataFrame(
        {
            "k": np.array(keys, np.float64),
            "t": pd.array(texts, dtype="str"),
            "v": np.array(numbers, np.float64),
        }
    )

    def call(frame):
        groups = frame.groupby(by, sort=sort, dropna=dropna, as_index=as_index)
        return getattr(groups["v"], name)()

    check(call, data)
