"""What a step of a chain takes of a frame, by small numbers: its columns, its groups, constants."""

from __future__ import annotations

import operator


def place(frame, number):
    """A label of the columns."""
    return frame.columns[number % max(frame.shape[1], 1)]


def key(frame, number):
    """A label that one column has: what pandas makes of several columns as one key is chance."""
    label = place(frame, number)
    if list(frame.columns).count(label) > 1 or label in frame.index.names or str(label) == "NaT":
        raise LookupError(f"no column alone is {label}")
    return label


def column(frame, number):
    """A column, by its place."""
    return frame.iloc[:, number % max(frame.shape[1], 1)]


def of_kind(frame, number, *kinds):
    """A column of such a dtype. Raises LookupError where there is none, which ends the chain."""
    found = [i for i in range(frame.shape[1]) if str(frame.dtypes.iloc[i]).startswith(kinds)]
    if not found:
        raise LookupError(f"no column of {kinds}")
    return frame.iloc[:, found[number % len(found)]]


def text(frame, number):
    """A column of texts."""
    return of_kind(frame, number, "str", "string", "object")


def dates(frame, number):
    """A column of dates."""
    return of_kind(frame, number, "datetime")


def number(frame, place):
    """A column of numbers."""
    return of_kind(frame, place, "int", "Int", "float", "Float", "uint")


AGGREGATIONS = ["sum", "mean", "min", "max", "count", "size", "nunique", "first", "last", "std"]
DTYPES = ["str", "float64", "object", "Int64", "category", "int64", "bool", "string", "Float64",
          "boolean", "float32"]  # fmt: skip
# The functions of operators: pandas' methods leave 0 // 0 of integers as NumPy has it.
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
             operator.mod, operator.eq, operator.lt, operator.ge, operator.ne]  # fmt: skip


def pick(table, at):
    """An element of a list."""
    return table[at % len(table)]


def labelled(frame):
    """A frame whose columns have other labels, so that no step sees one twice."""
    return frame.set_axis([f"n{i}" for i in range(frame.shape[1])], axis=1)


def groups(f, a, b):
    return f.groupby(key(f, a), sort=b % 2 == 0, dropna=b % 3 > 0, observed=b % 5 > 0)


def ranked(f, b):
    """A label for ranks within groups: pandas ranks missing times there, and some objects."""
    label = place(f, b)
    if f[label].ndim == 2 or f[label].dtype.kind not in "iufb":
        raise LookupError("no column to rank")
    return label


def none_of(what):
    """Raises LookupError, which ends a chain."""
    raise LookupError(f"no {what}")
