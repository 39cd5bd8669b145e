"""Operations of columns against pandas' Series: every pair of dtypes, every scalar."""

from __future__ import annotations

import datetime
import operator

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.columns import column_of
from phalanx._frames.operations import binary
from phalanx._frames.operations.common import in_common

from .column_samples import SAMPLES, assert_outcome, outcome

ARITHMETIC = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow,
}  # fmt: skip
COMPARISONS = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
LOGICAL = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
TABLES = {
    "arithmetic": (ARITHMETIC, binary.arithmetic),
    "comparisons": (COMPARISONS, binary.compare),
    "logical": (LOGICAL, binary.logical_operation),
}

OPERANDS = [
    "bool", "int8", "int64", "uint64", "float32 NaN", "float64 NaN", "Int64 NA", "UInt8 NA",
    "Float64 NA", "boolean NA", "datetime s", "datetime NaT", "zoned", "timedelta s",
    "timedelta NaT", "str NaN", "string NA", "category NaN", "category ordered", "object mixed",
    "object None",
]  # fmt: skip


def comparable(expected):
    """What pandas gives, without dtypes of Arrow's, which it gives for comparisons of `string`."""
    if isinstance(expected, pd.Series) and isinstance(expected.dtype, pd.ArrowDtype):
        return expected.astype("boolean")
    return expected


NUMBERS = ("bool", "int8", "int64", "uint64", "float32 NaN", "float64 NaN")
NULLABLE = ("Int64 NA", "UInt8 NA", "Float64 NA", "boolean NA")
OBJECTS = ("object mixed", "object None")


def is_apart(table, name, left, right):
    """Returns whether pandas does something else that it has no reason for."""
    pair = {left, right}
    kinds = {each.split()[0] for each in pair}
    objects = bool(pair & {*OBJECTS})
    odd = {
        "timedelta",
        "timedelta64",
        "str",
        "string",
        "NaN",
        "datetime",
        "datetime64[ns]",
        "zoned",
        "NaT",
    }
    return any(
        [
            # Python's objects: rules of pandas' own, by the path that it takes through NumPy.
            objects and table == "logical",
            objects and name in ("floordiv", "mod"),
            objects and bool(pair & {*NULLABLE} or kinds & odd),
            # Texts and categories are no bools.
            table == "logical" and bool(kinds & {"str", "text", "category"}),
            # pandas fails inside pyarrow, or where it asks NA for its truth.
            bool(kinds & {"str", "string"}) and "timedelta NaT" in pair,
            table == "comparisons" and left in NULLABLE and right == "string NA",
            table == "comparisons" and left.startswith("category") and right in NULLABLE,
            table == "comparisons" and left.startswith("category") and right == "string NA",
            "NA" in pair and name in ("floordiv", "mod", "truediv"),
            # NaT is no number.
            left == "NaT" and right in NUMBERS + NULLABLE,
            objects and name == "pow" and left == "True",
            # Numbers and durations are not compared by their counts.
            table == "comparisons" and left in NULLABLE and right.startswith("timedelta"),
            table == "comparisons" and left in NUMBERS and right == "timedelta64",
            # Numbers have no NA.
            table == "logical" and left in NUMBERS[1:] and right == "NA",
            # NumPy's integers of 64 bits with and without a sign have no bits in common.
            table == "logical"
            and "uint64" in pair
            and bool(pair & {"int8", "int64", "-1", "Int64 NA"}),
            # Numbers that are no bools beside bools that may be missing.
            table == "logical" and "boolean NA" in pair and "loat" in str(kinds),
            table == "logical" and left == "boolean NA" and right in ("Int64 NA", "UInt8 NA"),
            # NumPy squares bools as int8 if the exponent is the scalar 2.
            name == "pow" and left in ("bool", "boolean NA") and right in ("2", "int8"),
            # A power that is negative has one error here.
            name == "pow" and kinds <= {"uint64", "UInt8", "-1"},
            # Durations that are too long wrap around, as NumPy's do.
            name == "mul" and "float64 NaN" in pair and "timedelta" in str(kinds),
            # Python's "a" % x is formatting.
            name == "mod" and left.startswith("text"),
        ]
    )


def check(table, left, right, names):
    """All operations of a table, of two Series or a Series and a scalar."""
    functions, ours = TABLES[table]
    mine = [column_of(each) if isinstance(each, pd.Series) else each for each in (left, right)]
    failures = []
    for name, function in functions.items():
        if is_apart(table, name, *names):
            continue
        expected = comparable(outcome(function, left, right))
        try:
            assert_outcome(outcome(ours, name, *mine), expected, rtol=1e-6)
        except Exception as error:
            text = " ".join(str(error).split())
            failures.append(f"{name}: {type(error).__name__}: {text}; pandas: {expected!r}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("right", OPERANDS)
@pytest.mark.parametrize("left", OPERANDS)
def test_two_columns(device, table, left, right):
    turned = SAMPLES[right][::-1].reset_index(drop=True)
    check(table, SAMPLES[left], turned, (left, right))


SCALARS = {
    "True": True, "2": 2, "0": 0, "-1": -1, "1.5": 1.5, "0.0": 0.0, "NaN": float("nan"),
    "NA": pd.NA, "None": None, "NaT": pd.NaT, "int8": np.int8(2), "float32": np.float32(1.5),
    "text": "a",
    "datetime": datetime.datetime(2020, 1, 1), "datetime64[ns]": np.datetime64("2020-01-01", "ns"),
    "zoned": datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),
    "timedelta": datetime.timedelta(seconds=2), "timedelta64": np.timedelta64(3, "s"),
    "text of a date": "2020-01-01",
}  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("name", OPERANDS)
def test_a_column_and_a_scalar(device, table, name, scalar):
    check(table, SAMPLES[name], SCALARS[scalar], (name, scalar))


@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("name", OPERANDS)
def test_a_scalar_and_a_column(device, name, scalar):
    check("arithmetic", SCALARS[scalar], SAMPLES[name], (scalar, name))


@pytest.mark.parametrize("right", OPERANDS)
@pytest.mark.parametrize("left", OPERANDS)
def test_columns_in_one_dtype(device, left, right):
    if {left.split()[0], right.split()[0]} == {"str", "string"}:
        return  # pandas takes objects, then texts again
    expected = pd.concat([SAMPLES[left], SAMPLES[right]])
    first, second = in_common([column_of(SAMPLES[left]), column_of(SAMPLES[right])])
    assert first.dtype == second.dtype == column_of(expected).dtype


def test_lengths_must_match(device):
    with pytest.raises(ValueError, match="Lengths must match: 2 and 3"):
        binary.arithmetic("add", column_of([1, 2]), column_of([1, 2, 3]))
    with pytest.raises(TypeError, match="for +: 'int64' and 'str'".replace("+", r"\+")):
        binary.arithmetic("add", column_of([1]), "a")
