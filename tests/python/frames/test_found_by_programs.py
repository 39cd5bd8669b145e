"""What programs as users write them found, beside pandas: values, dtypes, kinds of errors."""

import io
import pickle

import numpy as np
import pytest

from .against_pandas import check_program

BIG = 2**65
TEXT = "a,b\n99999999999999999999,1\n{},2\n"


def series(m):
    index = m.MultiIndex.from_product([["a", "b"], [1, 2], ["x", "y"]], names=list("kns"))
    return m.Series(range(8), index)


def zoned(m):
    return m.date_range("2024-03-30", periods=3, freq="12h", tz="Europe/Berlin")


def csv(m, last, **keywords):
    return m.read_csv(io.StringIO(TEXT.format(last)), **keywords)


PROGRAMS = {
    # A series' labels with whole slices: the levels of one label are left out.
    "loc one level": lambda m: series(m).loc[:, 1],
    "loc last level": lambda m: series(m).loc[:, :, "x"],
    "loc two levels": lambda m: series(m).loc[:, 1, "x"],
    "loc first and last": lambda m: series(m).loc["a", :, "x"],
    "getitem": lambda m: series(m)[:, 1],
    "loc slice of labels": lambda m: series(m).loc["a":"b", 1],
    "loc list": lambda m: series(m).loc[:, [1]],
    "loc all": lambda m: series(m).loc[:, :, :],
    "loc no label": lambda m: series(m).loc[:, 9],
    "frame loc": lambda m: series(m).to_frame("v").loc[(slice(None), 1), :],
    "frame no label": lambda m: series(m).to_frame("v").loc["a", 1, "q"],
    # Numbers that a dtype which was asked for cannot hold.
    **{
        f"{dtype} of {value}": lambda m, value=value, dtype=dtype: m.Series([value], dtype=dtype)
        for value in (300, -1, 2**40, 2**63, BIG, 255, 1e10)
        for dtype in ("uint8", "int8", "int32", "int64", "uint64")
    },
    **{
        f"{dtype} of an array of {value}": lambda m, value=value, dtype=dtype: m.Series(
            np.array([1, value]), dtype=dtype
        )
        for value in (300, -1, 2**40, 255, 1e10, -1.0, 300.0, 1e20, 2.0, 1.5, np.nan, np.inf)
        for dtype in ("uint8", "int8", "int32", "int64", "uint64")
    },
    "frame": lambda m: m.DataFrame({"a": [300]}, dtype="uint8"),
    "dict": lambda m: m.Series({"a": 300}, dtype="int8"),
    "missing": lambda m: m.Series([300, None], dtype="uint8"),
    "text": lambda m: m.Series(["300"], dtype="uint8"),
    "index": lambda m: m.Index([300], dtype="uint8"),
    "scalar": lambda m: m.Series(300, index=[0], dtype="uint8"),
    "cast": lambda m: m.Series([300]).astype("uint8"),
    # Whole numbers beyond 64 bits.
    "big and missing": lambda m: m.Series([BIG, None]),
    "small and missing": lambda m: m.Series([-BIG, np.nan]),
    "big and a float": lambda m: m.Series([BIG, 1.5]),
    "63 bits and missing": lambda m: m.Series([2**63, None]),
    "64 bits and a float": lambda m: m.Series([2**64 - 1, 1.5]),
    "big in a frame": lambda m: m.DataFrame({"a": [BIG, None]}).a,
    "isin big": lambda m: m.Series([1, 3]).isin([BIG, 3]),
    "isin only big": lambda m: m.Series([1, 3]).isin([-BIG]),
    "isin big and float": lambda m: m.Series([1, 3]).isin([BIG, 1.0]),
    "floats isin big": lambda m: m.Series([2.0**65, 3]).isin([BIG, 1]),
    "bools isin big": lambda m: m.Series([True]).isin([BIG, 1]),
    "csv": lambda m: csv(m, 1).a,
    "csv missing": lambda m: csv(m, "").a,
    "csv negative": lambda m: csv(m, "-99999999999999999999").a,
    "csv a text": lambda m: csv(m, "x").a,
    "csv a float": lambda m: csv(m, "1.5").a,
    "csv asked for texts": lambda m: csv(m, 1, dtype=str).a,
    "csv labels": lambda m: csv(m, 1, index_col="a").b,
    # Dates of a zone as NumPy's.
    "values of zoned dates": lambda m: m.Series(zoned(m)).values,
    "values of a zoned index": lambda m: zoned(m).values,
    "view of a zoned index": lambda m: zoned(m).view("int64"),
    "objects of zoned dates": lambda m: m.Series(zoned(m)).to_numpy().tolist(),
    # Others.
    "dummies of categories": lambda m: m.from_dummies(
        m.get_dummies(m.Series(["b", "a", "b"], dtype="category"))
    )[""],
    "pickled intervals": lambda m: pickle.loads(pickle.dumps(m.Series(m.interval_range(0, 3)))),
    "concat of a number": lambda m: m.concat(5),
    "cut by a text": lambda m: m.cut([1, 2], "a"),
    "to_excel of another form": lambda m: m.DataFrame({"a": [1]}).to_excel("x.foo"),
    **{
        f"option {name} {value!r}": lambda m, name=name, value=value: m.set_option(name, value)
        for name, value in (
            ("display.max_rows", "x"),
            ("display.precision", -1),
            ("display.notebook_repr_html", 5),
            ("display.large_repr", "x"),
            ("display.float_format", "x"),
        )
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_pandas(name):
    check_program(PROGRAMS[name])
