"""Series and frames for windows: numbers of all kinds, times, and the methods that windows have."""

from __future__ import annotations

import numpy as np
import pandas as pd

draw = np.random.default_rng(11)
COUNT = 60


def holes(values, share=0.2):
    """The same with NaN in a share of the rows."""
    return np.where(draw.random(len(values)) < share, np.nan, values)


NUMBERS = {
    "normal": draw.normal(size=COUNT),
    "holes": holes(draw.normal(size=COUNT)),
    "infinite": np.where(draw.random(COUNT) < 0.1, np.inf, holes(draw.normal(size=COUNT))),
    "repeated": holes(np.repeat(draw.integers(-3, 4, COUNT // 5) / 10, 5)),
    "none": np.full(COUNT, np.nan),
    "int": draw.integers(-5, 6, COUNT),
    "uint8": draw.integers(0, 255, COUNT).astype("u1"),
    "float32": draw.normal(size=COUNT).astype("f4"),
    "bool": draw.random(COUNT) < 0.5,
    "Int64": pd.array([None if i % 7 == 3 else i % 5 for i in range(COUNT)], dtype="Int64"),
    "boolean": pd.array(
        [None if i % 7 == 3 else i % 2 == 0 for i in range(COUNT)], dtype="boolean"
    ),
    "object": np.array([None if i % 9 == 2 else i % 4 for i in range(COUNT)], object),
}
SERIES = {name: pd.Series(values, name="n") for name, values in NUMBERS.items()}
SERIES |= {"one row": pd.Series([1.5]), "no rows": pd.Series([], dtype="f8")}

# Times a few hours apart, some of them equal.
TIMES = pd.Timestamp("2024-03-01") + pd.to_timedelta(np.cumsum(draw.integers(0, 30, COUNT)), "h")
TIMED = {
    "up": pd.Series(NUMBERS["holes"], index=TIMES),
    "down": pd.Series(NUMBERS["holes"], index=TIMES[::-1]),
    "seconds": pd.Series(NUMBERS["holes"], index=TIMES.as_unit("s")),
    "zone": pd.Series(NUMBERS["holes"], index=TIMES.tz_localize("Europe/Berlin")),
    "durations": pd.Series(NUMBERS["holes"], index=TIMES - TIMES[0]),
    "one row": pd.Series([2.0], index=TIMES[:1]),
    "no rows": pd.Series([], index=TIMES[:0], dtype="f8"),
}

FRAME = pd.DataFrame({name: NUMBERS[name] for name in ("normal", "holes", "int", "repeated")})
MIXED = FRAME.assign(text="a", when=TIMES)

METHODS = {
    **dict.fromkeys(
        [
            "count",
            "sum",
            "mean",
            "median",
            "min",
            "max",
            "skew",
            "kurt",
            "first",
            "last",
            "nunique",
        ],
        (),
    ),
    **{f"{name} {ddof}": (ddof,) for name in ("var", "std", "sem") for ddof in (0, 1, 2)},
    "quantile linear": (0.3,),
    "quantile lower": (0.3, "lower"),
    "quantile higher": (0.8, "higher"),
    "quantile nearest": (0.6, "nearest"),
    "quantile midpoint": (0.25, "midpoint"),
    "quantile least": (0.0,),
    "quantile most": (1,),
    "rank average": (),
    "rank min": ("min", False),
    "rank max": ("max", True, True),
}


def call(windows, method):
    """What a method of the table gives."""
    return getattr(windows, method.split()[0])(*METHODS[method])
