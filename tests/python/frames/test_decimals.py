"""Columns of decimals against pandas' ArrowDtype, operation by operation."""

from __future__ import annotations

import io
import operator
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import phalanx as px
from phalanx import errors

from .test_spilling import little_room as little_room

KINDS = {"narrow": (10, 2), "wide": (30, 2), "whole": (12, 0), "fine": (20, 8)}
VALUES = {
    "narrow": ["1.25", None, "-3.10", "7.00", "1.25", "0.00"],
    "wide": ["12345678901234567890123.50", None, "-5.25", "7.00", "-5.25", "0.01"],
    "whole": ["3", "-4", "7", "3", "0", "12"],
    "fine": ["0.00000001", "2.50000000", None, "-1.00000001", None, "2.50000000"],
}
# What pandas' dtypes of pyarrow are here.
OURS = {
    "double[pyarrow]": "Float64",
    "int64[pyarrow]": "Int64",
    "bool[pyarrow]": "boolean",
    "int32[pyarrow]": "Int32",
    "string[pyarrow]": "string",
}


def kind_of(kind):
    return pd.ArrowDtype(pa.decimal128(*KINDS.get(kind, kind)))


def series(kind):
    rows = [None if each is None else Decimal(each) for each in VALUES[kind]]
    return pd.Series(rows, dtype=kind_of(kind), name="a")


def plain(value):
    """A value as both sides write it: missing ones alike, floats to ten digits."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(each) for each in value]
    if type(value).__name__ in ("NAType", "NoneType") or value is pd.NaT:
        return "missing"
    if isinstance(value, (float, np.floating)):
        return "missing" if value != value else float(f"{value:.10g}")
    return value.item() if isinstance(value, np.generic) else value


def shown(result):
    """Dtypes, values and labels of a result."""
    if isinstance(result, (pd.Series, px.Series)):
        dtypes = [OURS.get(str(each.dtype), str(each.dtype)) for each in (result, result.index)]
        return dtypes, plain(result.tolist()), plain(result.index.tolist())
    if isinstance(result, (pd.DataFrame, px.DataFrame)):
        return [shown(result.iloc[:, i]) for i in range(result.shape[1])]
    if isinstance(result, (pd.Index, px.Index)):
        return str(result.dtype), plain(result.tolist())
    if isinstance(result, tuple):
        return [shown(each) for each in result]
    return plain(result)


def check(function, *objects):
    """The same of both, or errors of one kind: those of Arrow are ValueErrors and the like."""
    ours = [
        px.from_pandas(each) if isinstance(each, (pd.Series, pd.DataFrame)) else each
        for each in objects
    ]
    try:
        wanted = function(*objects)
    except Exception as error:
        known = next(each for each in type(error).__mro__ if each.__module__ == "builtins")
        with pytest.raises((known, TypeError, IndexError)):
            function(*ours)
        return
    assert shown(function(*ours)) == shown(wanted)


def parts(kind):
    """All rows, none, and those that are missing."""
    whole = series(kind)
    return whole, whole[:0], whole[whole.isna()]


OPERANDS = {
    "narrow": lambda rows: series("narrow")[:rows].set_axis(range(rows)),
    "int": lambda rows: pd.Series(range(2, rows + 2), dtype="int64"),
    "int8": lambda rows: pd.Series(range(2, rows + 2), dtype="int8"),
    "Int64": lambda rows: pd.Series([None, 3, 4, 5, 6, 7][:rows], dtype="Int64"),
    "float": lambda rows: pd.Series(range(2, rows + 2), dtype="float64") / 4,
    "2": lambda rows: 2,
    "2.5": lambda rows: 2.5,
    "1.10": lambda rows: Decimal("1.10"),
    "None": lambda rows: None,
    "True": lambda rows: True,
    "text": lambda rows: "x",
}
OPERATORS = "add sub mul truediv floordiv pow mod eq ne lt ge"


@pytest.mark.parametrize("name", OPERATORS.split())
@pytest.mark.parametrize("kind", ["narrow", "whole"])
def test_operators(kind, name):
    function = getattr(operator, name)
    for part in parts(kind)[:2]:
        part = part.reset_index(drop=True)
        for label, make in OPERANDS.items():
            other = make(len(part))
            quirk = label == "None" and name in ("truediv", "floordiv")  # pandas: scale 0
            empty_text = label == "text" and not len(part)  # compared with nothing
            by_zero = name in ("truediv", "floordiv") and label == "narrow"
            if quirk or empty_text or by_zero:
                continue
            check(function, part, other)
            if not (kind == "whole" or name in ("truediv", "floordiv")):
                check(lambda a, b: function(b, a), part, other)


def test_digits_of_results():
    for left, right in ((KINDS["narrow"], (5, 1)), ((18, 4), (18, 4)), ((7, 7), (9, 0))):
        one = pd.Series([Decimal(1).scaleb(-left[1])], dtype=kind_of(left))
        other = pd.Series([Decimal(3).scaleb(-right[1])], dtype=kind_of(right))
        for name in ("add", "sub", "mul", "truediv"):
            check(getattr(operator, name), one, other)


def test_more_digits_than_38():
    most = px.Series(pd.Series([Decimal(10**38 - 1), Decimal(1)], dtype=kind_of((38, 0))))
    assert (most[1:] + 1).tolist() == [Decimal(2)]  # pandas has no type for it
    for function in (
        lambda: most + 1,
        lambda: most * 10,
        lambda: most.sum(),
        lambda: most.cumsum(),
        lambda: most.groupby([0, 0]).sum(),
        lambda: most.astype(px.ArrowDtype(pa.decimal128(38, 1))),
        lambda: most + Decimal("1e-30"),
    ):
        with pytest.raises(errors.DecimalOverflowError):
            function()
    few = px.Series(series("narrow"))
    for divided in (lambda: few / 0, lambda: few // Decimal("0.0"), lambda: few / (few - few)):
        with pytest.raises(ZeroDivisionError, match="Divide by zero"):
            divided()
    assert most.tolist() == [Decimal(10**38 - 1), Decimal(1)]


REDUCTIONS = "sum min max mean median var std sem skew any all count nunique mode"


@pytest.mark.parametrize("kind", KINDS)
def test_reductions(kind):
    for part in parts(kind):
        for name in REDUCTIONS.split():
            check(operator.methodcaller(name), part)
        for name in ("sum", "min", "mean"):
            check(operator.methodcaller(name, skipna=False), part)
        check(lambda a: a.sum(min_count=5), part)
        check(lambda a: a.to_frame().sum(), part)
        check(lambda a: a.quantile([0.1, 0.5]), part)
    check(lambda a: (a.idxmin(), a.idxmax(), a.argmin()), series(kind))
    check(lambda a: a.prod(), series("narrow"))


ROWS = {
    "shift": lambda a: a.shift(1),
    "diff": lambda a: a.diff(),
    "rank": lambda a: a.rank(),
    "abs": lambda a: (abs(a), -a, +a),
    "round": lambda a: (a.round(1), a.round(), a.round(-1)),
    "isna": lambda a: (a.isna(), a.notna(), a.dropna()),
    "factorize": lambda a: a.factorize(),
    "value_counts": lambda a: a.value_counts(),
    "duplicates": lambda a: (a.drop_duplicates(), a.duplicated(), a.is_unique),
    "sort": lambda a: (a.sort_values(kind="stable"), a.argsort(kind="stable")),
    "descending": lambda a: a.sort_values(ascending=False, na_position="first", kind="stable"),
    "fill": lambda a: (a.ffill(), a.bfill(), a.fillna(Decimal("0")), a.fillna(3)),
    "where": lambda a: (a.where(a > 0), a.where(a > 0, Decimal("9")), a.mask(a > 0, 0)),
    "reindex": lambda a: (a.reindex([0, 9]), a.reindex([1, 9], fill_value=Decimal("1"))),
    "isin": lambda a: a.isin([Decimal("1.25"), 7]),
    "between": lambda a: (a.between(0, 5), a.clip(0, 5), a.clip(Decimal("0"), 5)),
    "map": lambda a: a.apply(lambda value: value),
    "rolling": lambda a: (a.rolling(2).sum(), a.expanding().mean()),
    "wrong": lambda a: a.fillna(0.5),
    "loss": lambda a: a.fillna(Decimal("0.000000000001")),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    for kind in KINDS:
        for part in parts(kind)[:2]:
            if name in ("loss", "wrong") and not part.isna().any():
                continue
            if name == "isin" and (not len(part) or kind not in ("narrow", "wide")):
                continue  # pandas does not take values of more digits, and larger integers
            check(ROWS[name], part)


CASTS = "int64 int32 Int64 float64 float32 Float64 str string bool boolean"


@pytest.mark.parametrize("kind", KINDS)
def test_casts(kind):
    whole = series(kind)
    for part in (whole, whole.dropna(), whole[3:4], whole[:0]):
        for dtype in CASTS.split():
            if dtype == "boolean" and not len(part):
                continue
            check(operator.methodcaller("astype", dtype), part)
        for digits in ((38, 8), (38, 10), (4, 2), (2, 2), (12, 1)):
            ours = px.Series(part)
            try:
                wanted = part.astype(kind_of(digits))
            except pa.ArrowInvalid:
                with pytest.raises(ValueError, match=r"Rescaling|does not fit"):
                    ours.astype(kind_of(digits))
            else:
                assert shown(ours.astype(kind_of(digits))) == shown(wanted)


def test_casts_to_decimals():
    for values in ([1.25, float("nan")], ["1.25", "-2.5", "1e2"], [1.255, 2.345, 0.125], ["x"],
                   ["1.255"], [1e9], [Decimal("1.2"), None], [" 3"]):  # fmt: skip
        dtype = object if isinstance(values[0], Decimal) else None
        check(lambda a: a.astype(kind_of("narrow")), pd.Series(values, dtype=dtype))
    found = px.Series([1, -2]).astype("decimal128(10, 2)[pyarrow]")
    assert found.tolist() == [Decimal("1.00"), Decimal("-2.00")]
    assert px.Series([Decimal("1.5"), None], dtype=found.dtype).tolist()[0] == Decimal("1.50")
    for wrong in ([True], [object()], ["2020-01-01"]):
        with pytest.raises((TypeError, ValueError)):
            px.Series(wrong).astype(found.dtype)


GROUPS = "sum mean min max count nunique first last median std var size shift cumcount"


def frame():
    return pd.DataFrame(
        {"k": list("xyxyzx"), "a": series("narrow"), "w": series("wide"), "i": range(6)}
    )


@pytest.mark.parametrize("label", ["a", "w"])
def test_groups_of_values(label):
    for part in (frame(), frame()[:0]):
        for name in GROUPS.split():
            if name in ("size", "median", "std", "var") and not len(part):
                continue  # which have the dtype of the values in pandas
            check(lambda f: getattr(f.groupby("k")[label], name)(), part)  # noqa: B023
        check(lambda f: f.groupby("k")[label].sum(min_count=2), part)
        check(lambda f: f.groupby("k")[label].agg(["sum", "min"]), part)
        check(lambda f: f.groupby("k")[label].transform("sum"), part)
    check(lambda f: f.groupby("k").sum(), frame())
    check(lambda f: f.groupby("k").mean(numeric_only=True), frame())


@pytest.mark.parametrize("label", ["a", "w"])
def test_groups_by_keys(label):
    for name in ("sum", "count", "first", "ngroup"):
        check(lambda f: getattr(f.groupby(label)["i"], name)(), frame())  # noqa: B023
    check(lambda f: f.groupby(label, dropna=False)["i"].sum(), frame())
    check(lambda f: f.groupby([label, "k"])["i"].sum(), frame())
    check(lambda f: f.groupby(label, as_index=False)["i"].sum(), frame())
    check(lambda f: f.groupby(label)["i"].sum().index, frame())
    check(lambda f: f.set_index(label).loc[Decimal("7.00")], frame())
    check(lambda f: f.sort_values([label, "k"]), frame())
    check(lambda f: f.merge(f[[label, "i"]], on=label), frame())
    check(lambda f: f.merge(f[["k", label]], on="k", how="outer"), frame())
    check(lambda f: f.drop_duplicates(label), frame())


def test_running_results():
    found = px.Series(series("narrow"))
    assert found.cumsum().dtype == "decimal128(38, 2)[pyarrow]"
    assert plain(found.cumsum().tolist()) == plain(
        [Decimal(each) if each else None for each in ["1.25", "", "-1.85", "5.15", "6.40", "6.40"]]
    )
    assert found.cummax().tolist()[3:] == [Decimal("7.00")] * 3
    assert found.cumsum(skipna=False).isna().tolist() == [False, *[True] * 5]
    by_group = px.from_pandas(frame()).groupby("k")["a"].cumsum().tolist()
    assert by_group[2] == Decimal("-1.85")
    assert by_group[1] is px.NA
    assert found.nlargest(2).tolist() == [Decimal("7.00"), Decimal("1.25")]  # pandas: at times
    with pytest.raises(TypeError, match="float64"):
        found.cumprod()


def test_keys_of_other_digits():
    left = px.DataFrame({"a": px.Series(series("narrow")), "i": range(6)})
    wider = left[["a"]].astype({"a": kind_of((24, 4))}).drop_duplicates()
    assert len(left.dropna().merge(wider.dropna(), on="a")) == 5
    assert left.merge(px.DataFrame({"a": [7]}), on="a")["i"].tolist() == [3]


def test_written_elements():
    for value in (Decimal("5"), 3, None, 2.5, "x", Decimal("1.234")):

        def write(a, value=value):
            made = a.copy()
            made.iloc[0] = value
            return made

        check(write, series("narrow"))


def test_shown_and_written(tmp_path):
    theirs = frame()
    ours = px.from_pandas(theirs)
    for write in (repr, lambda f: f.to_csv(), lambda f: f.to_json(), lambda f: f.to_string()):
        assert write(ours) == write(theirs)
    assert repr(ours["w"]) == repr(theirs["w"])
    assert shown(pickle.loads(pickle.dumps(ours))) == shown(theirs)
    for name in ("parquet", "feather"):
        path = tmp_path / name
        getattr(ours, f"to_{name}")(path)
        assert shown(getattr(px, f"read_{name}")(path)) == shown(theirs)
        assert getattr(pd, f"read_{name}")(path)["a"][0] == Decimal("1.25")
    written = io.BytesIO()
    theirs.to_parquet(written)
    assert shown(px.read_parquet(io.BytesIO(written.getvalue()))) == shown(theirs)


def test_from_arrow_and_back():
    for kind in KINDS:
        theirs = series(kind)
        array = theirs.array.__arrow_array__()
        for data in (array, array[1:4], array.slice(5), array[:0]):
            found = px.Series(data)
            assert found.to_arrow().equals(data.combine_chunks() if hasattr(data, "chunks")
                                           else data)  # fmt: skip
        assert px.Series(theirs).to_pandas().equals(theirs)
    small = pa.array([Decimal("1.5")], pa.decimal64(10, 2))
    assert px.Series(small).dtype == "decimal128(10, 2)[pyarrow]"
    assert px.Series(pa.array([Decimal("1.5")], pa.decimal256(50, 2))).dtype == object


def test_larger_than_memory(little_room):
    draw = np.random.default_rng(1)
    numbers = draw.integers(-(10**6), 10**6, 3000)
    theirs = pd.DataFrame({"k": numbers % 700, "i": numbers})
    for kind in ("narrow", "wide"):
        rows = [None if i % 7 == 0 else Decimal(int(i)) for i in numbers]
        theirs[kind] = pd.Series(rows, dtype=kind_of(kind))
    ours = px.from_pandas(theirs)
    for function in (
        lambda f: f.groupby("k")["narrow"].sum(),
        lambda f: f.groupby("wide")["i"].max(),
        lambda f: f.groupby("k")[["wide"]].min(),
        lambda f: f.merge(f.drop_duplicates("k")[["k", "wide"]], on="k"),
    ):
        before = little_room()
        assert shown(function(ours)) == shown(function(theirs))
        assert little_room() > before
    least = ours[["k"]].assign(l=px.Series(pa.array([[int(i)] for i in numbers])))
    firsts = least.groupby("k")["l"].first()  # of lists nothing goes to files
    assert firsts.explode().tolist() == theirs.groupby("k")["i"].first().tolist()


def test_dtypes():
    dtype = px.ArrowDtype(pa.decimal128(10, 2))
    assert dtype == "decimal128(10, 2)[pyarrow]"
    assert (dtype.precision, dtype.scale, dtype.itemsize) == (10, 2, 16)
    assert dtype.pyarrow_dtype == pa.decimal128(10, 2)
    assert isinstance(dtype, px.ArrowDtype)
    for wrong in ("decimal128(39, 2)[pyarrow]", "decimal128(3, 4)[pyarrow]"):
        with pytest.raises(ValueError, match="digits"):
            px.Series([1]).astype(wrong)
    with pytest.raises(NotImplementedError, match="Int64"):
        px.ArrowDtype(pa.int64())
