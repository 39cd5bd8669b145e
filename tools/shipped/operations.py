"""Single operations over common dtypes: those whose machine code comes with the package.

A row is a text for people and a call without arguments, which gives arrays. `ship.py` runs them
while the package is built; a test runs them with other shapes, to see that nothing is compiled.
"""

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import phalanx as px

Row = tuple[str, Callable[[], Any]]

DTYPES = ("bool", "uint8", "int32", "int64", "float32", "float64")
NUMBERS = ("int32", "int64", "float32", "float64")
FLOATS = ("float32", "float64")
# Operators of Python, which have a number on either side.
OPERATORS = (
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "minimum"),
    *("maximum", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"),
)
LOGIC = ("logical_and", "logical_or", "logical_xor")
OTHER_BINARY = ("arctan2", "copysign", "fmax", "fmin", "fmod", "hypot", "logaddexp")
UNARY = (
    *("absolute", "negative", "positive", "square", "sign", "invert", "logical_not", "reciprocal"),
    *("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan"),
    *("arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"),
    *("floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite", "signbit", "degrees"),
    *("radians", "fabs"),
)
REDUCTIONS = (
    *("sum", "prod", "min", "max", "mean", "std", "var", "any", "all", "argmin", "argmax"),
    *("count_nonzero",),
)
PAIRS = (("int64", "float64"), ("int32", "float64"), ("float32", "float64"), ("bool", "float64"))


def values(dtype: str, shape: tuple[int, ...], start: int = 1) -> Any:
    """Return an array of small numbers that all functions take."""
    count = int(np.prod(shape, dtype=np.int64))
    numbers = (np.arange(start, start + count) % 5).reshape(shape)
    scale = 0.125 if np.dtype(dtype).kind == "f" else 1
    return px.asarray((numbers * scale).astype(dtype))


def has_loop(name: str, *dtypes: Any) -> bool:
    """Return whether NumPy's ufunc takes those dtypes."""
    with np.errstate(all="ignore"):
        try:
            getattr(np, name)(*(np.ones(1, dtype) for dtype in dtypes))
        except TypeError:
            return False
    return True


def elementwise(shape: tuple[int, ...]) -> Iterator[Row]:
    """Yield the ufuncs, of arrays and of an array and a number."""
    for dtype in DTYPES:
        x, y = values(dtype, shape), values(dtype, shape, 3)
        number = True if dtype == "bool" else 2
        for name in UNARY:
            f = getattr(px, name)
            if has_loop(name, dtype):
                yield f"{name} {dtype}", partial(f, x)
        for name in (*OPERATORS, *LOGIC, *OTHER_BINARY):
            if not has_loop(name, dtype, dtype):
                continue
            f = getattr(px, name)
            yield f"{name} {dtype}", partial(f, x, y)
            yield f"{name} {dtype} number", partial(f, x, number)
            if name in OPERATORS:
                yield f"{name} number {dtype}", partial(f, number, x)
        yield f"x * x {dtype}", partial(operator.mul, x, x)
        if dtype != "bool":
            yield f"x + x {dtype}", partial(operator.add, x, x)
            yield f"x ** 3 {dtype}", partial(operator.pow, x, 3)


def mixed(shape: tuple[int, ...]) -> Iterator[Row]:
    """Yield arithmetic of two dtypes, and casts."""
    for one, other in PAIRS:
        x, y = values(one, shape), values(other, shape, 3)
        for name in ("add", "subtract", "multiply", "divide", "less", "greater"):
            f = getattr(px, name)
            yield f"{name} {one} {other}", partial(f, x, y)
            yield f"{name} {other} {one}", partial(f, y, x)
    for one in DTYPES:
        x = values(one, shape)
        for other in DTYPES:
            if one != other:
                yield f"{one} as {other}", partial(x.astype, other)
    for dtype in ("int32", "int64", "uint8"):
        x = values(dtype, shape)
        for name in ("add", "subtract", "multiply"):
            f = getattr(px, name)
            yield f"{name} {dtype} 0.5", partial(f, x, 0.5)


def broadcast(shape: tuple[int, int]) -> Iterator[Row]:
    """Yield arithmetic of a matrix with a row, a column, and parts of it."""
    for dtype in NUMBERS:
        m, row, column = values(dtype, shape), values(dtype, shape[1:]), values(dtype, shape[:1])
        for name in ("add", "subtract", "multiply", "divide"):
            f = getattr(px, name)
            yield f"matrix {name} row {dtype}", partial(f, m, row)
            yield (
                f"matrix {name} column {dtype}",
                partial(f, m, column[:, None]),
            )
        yield f"steps {dtype}", partial(operator.add, m[:, ::2], 1)
        yield f"part {dtype}", partial(operator.mul, m[1:-1, 1:-1], 2)
        yield f"transposed {dtype}", partial(operator.add, m.T, 1)


def choices(shape: tuple[int, ...]) -> Iterator[Row]:
    """Yield what takes conditions."""
    for dtype in DTYPES:
        x, y, mask = values(dtype, shape), values(dtype, shape, 3), values("bool", shape)
        zero = np.dtype(dtype).type(0)
        yield f"where {dtype}", partial(px.where, mask, x, y)
        yield f"where number {dtype}", partial(px.where, mask, x, zero)
        yield f"where less {dtype}", partial(smaller, x, y)
        yield f"x[x > number] {dtype}", partial(above, x)
        yield f"x[mask] {dtype}", partial(operator.getitem, x, mask)
        yield f"nonzero {dtype}", partial(px.nonzero, x)
        if dtype != "bool":
            yield f"clip {dtype}", partial(px.clip, x, 1, 3)
            yield f"cumsum {dtype}", partial(px.cumsum, x)
        yield f"x[mask] = number {dtype}", partial(masked, x, mask)
    for dtype in FLOATS:
        x, y = values(dtype, shape), values(dtype, shape, 3)
        yield f"round {dtype}", partial(px.round, x, 1)
        yield f"nan_to_num {dtype}", partial(px.nan_to_num, x)
        yield f"isclose {dtype}", partial(px.isclose, x, y)


def smaller(x: Any, y: Any) -> Any:
    """Return the smaller of each two."""
    return px.where(x < y, x, y)


def above(x: Any) -> Any:
    """Return the numbers above one."""
    return x[x > x.dtype.type(1)]


def masked(x: Any, mask: Any) -> Any:
    """Return a copy with ones where the mask is true."""
    y = x.copy()
    y[mask] = 1
    return y


def folds(shape: tuple[int, ...]) -> Iterator[Row]:
    """Yield reductions over everything and along each dimension."""
    axes: list[int | None] = [None, *range(len(shape))] if len(shape) > 1 else [None]
    for dtype in DTYPES:
        x = values(dtype, shape)
        for name in REDUCTIONS:
            for axis in axes:
                f = getattr(px, name)
                yield f"{name} {dtype} {axis}", partial(f, x, axis=axis)


def changes(shape: tuple[int, int]) -> Iterator[Row]:
    """Yield assignments in place."""
    for dtype in NUMBERS:
        x, y = values(dtype, shape), values(dtype, shape, 3)
        yield f"assignments {dtype}", partial(assigned, x, y)


def assigned(x: Any, y: Any) -> Any:
    """Return a copy of x after assignments of all kinds."""
    z = x.copy()
    z += y
    z *= 2
    z[0] = 1
    z[1:3] = y[1:3]
    z[:, 1] = 0
    return z


def arrangements(shape: tuple[int, int]) -> Iterator[Row]:
    """Yield copies in another order, pieces together, and reads at indices."""
    places = px.asarray(np.arange(shape[0])[::-1].copy())
    for dtype in DTYPES:
        m, x = values(dtype, shape), values(dtype, shape[:1])
        yield f"copy {dtype}", m.copy
        yield f"ravel of a transpose {dtype}", m.T.ravel
        yield f"transposed copy {dtype}", m.T.copy
        yield f"flip {dtype}", x[::-1].copy
        yield f"steps {dtype}", x[::2].copy
        yield f"concatenate {dtype}", partial(px.concatenate, [x, x])
        yield f"stack {dtype}", partial(px.stack, [x, x])
        yield f"x[indices] {dtype}", partial(operator.getitem, x, places)
        yield f"m[indices] {dtype}", partial(operator.getitem, m, places)
        yield f"to the host {dtype}", partial(np.asarray, m.T)


def makers(shape: tuple[int, ...]) -> Iterator[Row]:
    """Yield new arrays."""
    for dtype in DTYPES:
        yield f"zeros {dtype}", partial(px.zeros, shape, dtype=dtype)
        yield f"ones {dtype}", partial(px.ones, shape, dtype=dtype)
        yield f"full {dtype}", partial(px.full, shape, 1, dtype=dtype)
    for dtype in NUMBERS:
        yield f"arange {dtype}", partial(px.arange, shape[0], dtype=dtype)
        yield f"eye {dtype}", partial(px.eye, min(shape[0], 999), dtype=dtype)
    for dtype in FLOATS:
        yield f"linspace {dtype}", partial(px.linspace, 0, 1, shape[0], dtype=dtype)


def rows(shape: tuple[int, int]) -> Iterator[Row]:
    """Yield all operations for a matrix of that shape and for its elements as one line."""
    line = (shape[0] * shape[1],)
    for kind in (elementwise, mixed, choices, makers, folds):
        yield from kind(line)
    for kind_of_matrix in (broadcast, folds, arrangements):
        yield from kind_of_matrix(shape)
    if min(shape) > 1:
        yield from changes(shape)


def large(size: int) -> Iterator[Row]:
    """Yield what takes and gives so many elements in one line, from memory's lines on and between."""
    for kind in (elementwise, mixed, choices, makers, folds):
        yield from kind((size,))
    for dtype in NUMBERS:
        x, y = values(dtype, (size,))[1:], values(dtype, (size,), 3)[1:]
        for name in OPERATORS:
            if has_loop(name, dtype, dtype):
                f = getattr(px, name)
                yield f"part {name} {dtype}", partial(f, x, y)
                yield f"part {name} {dtype} number", partial(f, x, 2)


def run(row: Row) -> None:
    """Call it, and wait for all that it gives."""
    results = row[1]()
    for result in results if isinstance(results, tuple) else (results,):
        np.asarray(result)
