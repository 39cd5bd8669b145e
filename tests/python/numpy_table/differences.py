"""What differs from NumPy on purpose, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .cells import Cell
from .operands import OperandSpec


class Difference(NamedTuple):
    """Problems that are none: of names, and where the test says so."""

    names: str  # a regular expression
    problem: str  # one of what is said of the difference
    reason: str
    where: Callable[[Cell, OperandSpec], bool] = lambda cell, spec: True


def _is_half(cell: Cell, spec: OperandSpec) -> bool:
    return cell.dtype == "float16"


def _is_bool(cell: Cell, spec: OperandSpec) -> bool:
    return cell.dtype == "bool"


def _is_narrow(cell: Cell, spec: OperandSpec) -> bool:
    return cell.dtype in ("bool", "int8", "int16", "uint8", "uint16")


_SIGNED = ("int8", "int16", "int32", "int64")


def _is_integer(cell: Cell, spec: OperandSpec) -> bool:
    return "int" in cell.dtype


def breaks_numpy(cell: Cell, spec: OperandSpec) -> bool:
    """Returns whether NumPy 2.4 itself writes outside of its arrays: `bincount` of 2**63 - 1."""
    is_wide = cell.dtype in ("int64", "uint64")
    return cell.row.name == "bincount" and is_wide and spec.values == "special"


LISTED: tuple[Difference, ...] = (
    Difference(
        ".*",
        "dtype float32, not float16|dtype float64, not float16|dtype complex64, not complex",
        "ufuncs compute half precision in float32, as Numba's do: there are no loops of float16",
    ),
    Difference(
        ".*",
        r"not np\.float16\(-?inf\)",
        "half precision is computed in float32, which holds larger numbers, as narrow integers "
        "are, which NumPy computes in half precision",
        lambda cell, spec: _is_half(cell, spec) or _is_narrow(cell, spec),
    ),
    Difference(
        "sinc|cov|corrcoef",
        "values",
        "half precision is computed in float32, which rounds later",
        _is_half,
    ),
    Difference(
        "spacing|nextafter",
        "values",
        "the neighbours are those of float32: half precision is computed in it, as narrow integers "
        "are, which NumPy computes in half precision",
        lambda cell, spec: _is_half(cell, spec) or _is_narrow(cell, spec),
    ),
    Difference(
        "divide|true_divide",
        "dtype float32, not float64|values",
        "narrow integers are divided in float32, the first of Numba's loops that holds them",
        _is_narrow,
    ),
    Difference(
        "where|clip|trapezoid|angle|append|divmod|insert",
        "dtype int64, not|dtype float64, not (float32|uint64)|dtype complex128, not complex64",
        "an int is an int64 and a float a float64 beside arrays, too, as in Numba",
    ),
    Difference(
        "divmod|clip|where",
        "a number of kind f, not i",
        "a uint64 beside an int, which is an int64, gives a float64, as in Numba",
        lambda cell, spec: cell.dtype == "uint64" and spec.shape == (),
    ),
    Difference(
        "subtract|negative|positive|sign|floor_divide|remainder|mod|fmod|divmod",
        "where NumPy raises (UFunc)?TypeError",
        "bool is computed as int8, as in Numba",
        _is_bool,
    ),
    Difference(
        "power|pow",
        "where NumPy raises ValueError|values",
        "whole numbers have negative powers in Numba, which are 0 but of 1 and -1",
        _is_integer,
    ),
    Difference(
        "linalg.matrix_power",
        "values|dtype float64, not",
        "the sign of the power is no part of a type: whole numbers give floats for both",
        lambda cell, spec: spec.dtype.kind in "biu",
    ),
    Difference(
        r"linalg\.inv",
        r"np\.float\d+\(-?0\.0\), not np\.float\d+\(-?0\.0\)",
        "the sign of a zero: LAPACK's getri does other sums than gesv, which NumPy takes",
    ),
    Difference(
        "linalg.cholesky",
        "raises LinAlgError",
        "a matrix of NaN is not positive definite; NumPy gives NaN",
        lambda cell, spec: spec.values == "special",
    ),
    Difference(
        "linalg.pinv",
        "dtype float64, not",
        "of nothing NumPy gives the type of the argument; of all else a float",
        lambda cell, spec: 0 in spec.shape,
    ),
    Difference(
        "unique|union1d|intersect1d|setdiff1d|setxor1d|sort|partition|(nan)?(median|quantile|percentile)",
        r"np\.float\d+\(-?0\.0\), not np\.float\d+\(-?0\.0\)",
        "0.0 and -0.0 are equal: which is kept, or first, is not said",
        lambda cell, spec: spec.values == "special" and "float" in cell.dtype,
    ),
    Difference(
        "(nan|a|f)?(max|min)|(max|min)imum|clip",
        r"np\.float\d+\(-?0\.0\), not np\.float\d+\(-?0\.0\)",
        "of zeros of both signs NumPy gives one or the other by the length and layout of the array",
        lambda cell, spec: spec.values == "special" and "float" in cell.dtype,
    ),
    Difference(
        "(nan)?(quantile|percentile)",
        "gives|shape",
        "of nothing they are NaN, as in Numba; NumPy raises, or drops the shape",
        lambda cell, spec: 0 in spec.shape,
    ),
    Difference(
        "(nan)?(quantile|percentile|median)",
        "where NumPy raises TypeError",
        "bool is sorted as a number, as in Numba",
        _is_bool,
    ),
    Difference(
        "(nan)?(quantile|percentile)",
        "values",
        "NumPy interpolates between signed integers in their own type, where differences wrap",
        lambda cell, spec: spec.values == "special" and cell.dtype in _SIGNED,
    ),
    Difference(
        "nan(quantile|percentile)",
        "dtype float64, not float32",
        "of NaN alone NumPy gives the type of the numbers",
        lambda cell, spec: spec.values == "special",
    ),
    Difference(
        "gcd|lcm|ldexp",
        "where NumPy raises OverflowError",
        "an int beyond int64 is a uint64; NumPy takes it for none",
        lambda cell, spec: cell.dtype == "uint64" and spec.values == "special",
    ),
    Difference(
        "sum|prod",
        "values",
        "sums of whole numbers in floating point are rounded in another order",
        lambda cell, spec: "complex" in cell.call and cell.dtype in ("int64", "uint64"),
    ),
    Difference(
        "clip",
        "must set either max or min",
        "no bounds at all are an error, as in Numba",
    ),
    Difference(
        "round|around",
        "values",
        "tens of whole numbers are rounded in float64, which holds 53 bits",
        lambda cell, spec: spec.values == "special" and _is_integer(cell, spec),
    ),
    Difference(
        "conj|conjugate|positive|negative|sign|square|reciprocal",
        "dtype int8, not bool|kind i, not b",
        "bool is computed as int8, as in Numba",
        _is_bool,
    ),
    Difference(
        "bincount",
        "dtype float64, not int64",
        "a length is no part of a type: weights give floats, of no numbers NumPy gives counts",
        lambda cell, spec: 0 in spec.shape,
    ),
    Difference(
        "strides",
        "values",
        "those of packed arrays are computed from the shape; NumPy's of axes with one element or "
        "none are what they were made with",
        lambda cell, spec: min(spec.shape, default=2) < 2,
    ),
    Difference(
        r"linalg\.(?!norm)\w+",
        "nan|inf|raises",
        "decompositions of NaN and infinity give NaN in one and raise in the other",
        lambda cell, spec: spec.values == "special" and spec.dtype.kind in "fc",
    ),
    Difference(
        "linalg.norm",
        "values",
        "the least singular value of a matrix that has less than full rank is what rounding leaves",
        lambda cell, spec: cell.layout == "broadcast" and "-2" in cell.call,
    ),
    Difference(
        "linalg.(cond|det|inv|matrix_power|pinv|slogdet|solve)",
        "values|raises LinAlgError|where NumPy raises LinAlgError",
        "of matrices that are singular but for rounding the rounding decides",
        lambda cell, spec: cell.layout == "broadcast" or cell.dtype == "bool",
    ),
    Difference(
        r"linalg\.\w+",
        "where NumPy raises TypeError",
        "half precision is computed in float32",
        _is_half,
    ),
    Difference(
        "cross",
        "raises ValueError: both vectors must have three elements",
        "a length is no part of a type: vectors of two elements are refused when it runs",
    ),
    Difference(
        "cov|corrcoef",
        r"shape \(1, 1\), not \(\)",
        "the number of rows is no part of a type: of matrices it is a matrix, as in Numba",
    ),
    Difference(
        "cov|corrcoef",
        "dtype complex128, not float64|shape",
        "of no variables NumPy gives an empty array of another type or shape",
        lambda cell, spec: 0 in spec.shape,
    ),
    Difference(
        "unwrap",
        "values|dtype",
        "whole numbers are unwrapped as floats, as in Numba; NumPy's unsigned differences wrap",
        lambda cell, spec: _is_integer(cell, spec) or cell.dtype == "bool",
    ),
)


def is_listed(cell: Cell, spec: OperandSpec, problem: str) -> bool:
    """Returns whether the table of differences has it."""
    return any(
        re.fullmatch(each.names, cell.row.name)
        and re.search(each.problem, problem)
        and each.where(cell, spec)
        for each in LISTED
    )
