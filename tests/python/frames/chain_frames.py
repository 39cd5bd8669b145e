"""Random frames: columns of every dtype under every kind of index, with missing values."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import strategies as st

TEXTS = ["a", "b", "", "Ab c", "ä你", "1", "-2.5", "x,y"]
DATES = ["2020-01-01", "1969-12-31 23:59:59.5", "2024-02-29 12:00", "1999-12-31"]
FLOATS = [0.0, -0.0, 1.5, -2.25, 3.0, np.inf, -np.inf, 1e300, 1e-300, 2.0**53]
WHOLE = [0, 1, 2, 3, -1, -7, 100]


def _dates(values):
    return pd.Series([None if each is None else DATES[each] for each in values], dtype="M8[us]")


def _picked(values, table):
    return [None if each is None else table[each % len(table)] for each in values]


def _full(values, table):
    return [table[(each or 0) % len(table)] for each in values]


# A column of each dtype from numbers below ten and None, which is missing where the dtype has it.
KINDS = {
    "bool": lambda v: pd.Series(_full(v, [True, False]), dtype=bool),
    "int8": lambda v: pd.Series(_full(v, WHOLE), dtype="int8"),
    "int64": lambda v: pd.Series(_full(v, WHOLE), dtype="int64"),
    "uint8": lambda v: pd.Series(_full(v, [0, 1, 2, 255]), dtype="uint8"),
    "float32": lambda v: pd.Series(_picked(v, [0.0, 1.5, -2.25, np.inf]), dtype="float32"),
    "float64": lambda v: pd.Series(_picked(v, FLOATS), dtype="float64"),
    "Int64": lambda v: pd.Series(_picked(v, WHOLE), dtype="Int64"),
    "Float64": lambda v: pd.Series(_picked(v, [0.0, 1.5, -2.25, 3.0]), dtype="Float64"),
    "boolean": lambda v: pd.Series(_picked(v, [True, False]), dtype="boolean"),
    "str": lambda v: pd.Series(_picked(v, TEXTS), dtype="str"),
    "string": lambda v: pd.Series(_picked(v, TEXTS), dtype="string"),
    "category": lambda v: pd.Series(_picked(v, list("cab")), dtype="category"),
    "ordered": lambda v: pd.Series(
        _picked(v, list("cab")), dtype=pd.CategoricalDtype(list("dcab"), ordered=True)
    ),
    "date": lambda v: _dates([None if each is None else each % 4 for each in v]),
    "date ns": lambda v: _dates([None if each is None else each % 4 for each in v]).astype(
        "M8[ns]"
    ),
    "zoned": lambda v: (
        _dates([None if each is None else each % 4 for each in v])
        .dt.tz_localize("UTC")
        .dt.tz_convert("Europe/Berlin")
    ),
    "duration": lambda v: pd.Series(_picked(v, [0, 1500, 86_400_000_000, -5]), dtype="m8[us]"),
    "object": lambda v: pd.Series(_picked(v, [1, "a", 2.5, -3]), dtype=object),
}

INDEXES = {
    "range": lambda n, v: pd.RangeIndex(n),
    "steps": lambda n, v: pd.RangeIndex(5, 5 - 2 * n, -2, name="r"),
    "int": lambda n, v: pd.Index(np.array(_full(v, WHOLE), "int64"), name="i"),
    "float": lambda n, v: pd.Index(np.array(_picked(v, [0.5, 1.5, -1.0]), "float64")),
    "str": lambda n, v: pd.Index(pd.array(_picked(v, TEXTS), dtype="str"), name="s"),
    "date": lambda n, v: pd.DatetimeIndex(KINDS["date"](v), name="t"),
    "duration": lambda n, v: pd.TimedeltaIndex(KINDS["duration"](v)),
    "category": lambda n, v: pd.CategoricalIndex(KINDS["category"](v), name="u"),
    "levels": lambda n, v: pd.MultiIndex.from_arrays(
        [np.array(_full(v, [1, 2, 3]), "int64"), pd.array(_full(v[::-1], ["x", "y"]), dtype="str")],
        names=["p", None],
    ),
}


def cells(rows):
    """Numbers below ten and None: of bytes, which hypothesis draws at once."""
    return st.binary(min_size=rows, max_size=rows).map(
        lambda drawn: [each % 12 if each % 12 < 10 else None for each in drawn]
    )


@st.composite
def frames(draw):
    """A frame of pandas of up to 30 rows and 5 columns."""
    rows = draw(st.integers(0, 6) | st.integers(0, 30))
    names = draw(
        st.lists(
            st.sampled_from("abcde"), min_size=1, max_size=5, unique=draw(st.integers(0, 9)) > 0
        )
    )
    parts = [KINDS[draw(st.sampled_from(list(KINDS)))](draw(cells(rows))) for _ in names]
    frame = pd.concat(parts, axis=1)
    frame.columns = pd.Index(names)
    index = draw(st.sampled_from(list(INDEXES)))
    return frame.set_axis(INDEXES[index](rows, draw(cells(rows))), axis=0)
