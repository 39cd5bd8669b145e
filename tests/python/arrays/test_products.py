"""Products of matrices and vectors: each dtype, shape and layout against NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx as px
from arrays.oracle import check_error, layouts, ours, outcome

pytestmark = pytest.mark.usefixtures("device")

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
SHAPES = [
    ((4,), (4,)),
    ((3, 4), (4,)),
    ((4,), (4, 5)),
    ((3, 4), (4, 5)),
    ((1, 4), (4, 1)),
    ((3, 1), (1, 5)),
    ((2, 3, 4), (4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
    ((2, 3, 3, 4), (2, 1, 4, 5)),
    ((2, 3, 4), (4,)),
    ((4,), (2, 4, 5)),
    ((0, 4), (4, 5)),
    ((3, 0), (0, 5)),
    ((3, 4), (4, 0)),
    ((0,), (0,)),
    ((0, 3, 4), (4, 5)),
]
MISFITS = [
    ((3, 4), (3, 4)),
    ((4,), (3,)),
    ((2, 3, 4), (3, 4, 5)),
    ((), (4,)),
    ((4,), ()),
    ((4,), (2, 3)),
]
TOLERANCES = {"float16": 4e-3, "float32": 1e-5, "complex64": 1e-5}


def values(dtype, shape, seed):
    """Small whole numbers for whole numbers; else fractions, from both sides of 0."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.asarray(random.random(shape) < 0.4)
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -9
        return np.asarray(random.integers(low, 10, shape), dtype)
    made = random.random(shape) - 0.5
    if dtype.kind == "c":
        made = made + 1j * (random.random(shape) - 0.5)
    return np.asarray(made, dtype)


def agree(actual, expected):
    assert isinstance(actual, px.ndarray)
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    tolerance = TOLERANCES.get(expected.dtype.name, 1e-13)
    if expected.dtype.kind in "fc":
        np.testing.assert_allclose(np.asarray(actual), expected, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(np.asarray(actual), expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_dtypes_and_shapes(dtype, shapes):
    a, b = (values(dtype, shape, i) for i, shape in enumerate(shapes))
    agree(ours(a) @ ours(b), a @ b)
    agree(px.matmul(ours(a), ours(b)), np.matmul(a, b))


@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shapes", SHAPES[:13], ids=str)
def test_layouts(dtype, shapes):
    a, b = (values(dtype, shape, i) for i, shape in enumerate(shapes))
    expected = a @ b
    for (_, left), (_, right) in itertools.product(layouts(a), layouts(b)):
        agree(px.asarray(left) @ px.asarray(right), expected)


@pytest.mark.parametrize("dtype", ["int64", "float32", "complex128"])
def test_views_of_recorded_values(dtype):
    a, b = values(dtype, (6, 7), 1), values(dtype, (6, 9), 2)
    x, y = ours(a), ours(b)
    agree((x + x).T @ y, (a + a).T @ b)
    agree(x[::2, ::-1].T @ y[1::2, 3:], a[::2, ::-1].T @ b[1::2, 3:])
    agree(x.T[2] @ y[:, 4], a.T[2] @ b[:, 4])
    agree(x.T @ y[:, 4], a.T @ b[:, 4])
    agree(y[:, 4] @ x, b[:, 4] @ a)
    wide = np.broadcast_to(b[:1], (6, 9))
    agree(x.T @ px.broadcast_to(y[:1], (6, 9)), a.T @ wide)
    agree((x.T @ y) * 2 - 1, (a.T @ b) * 2 - 1)
    agree((x.T @ y).sum(axis=0), (a.T @ b).sum(axis=0))


@pytest.mark.parametrize(
    "pair", list(itertools.product(DTYPES, ["bool", "int8", "float32"])), ids=str
)
def test_mixed_dtypes(pair):
    a, b = values(pair[0], (3, 4), 1), values(pair[1], (4, 2), 2)
    agree(ours(a) @ ours(b), a @ b)


@pytest.mark.parametrize("shapes", MISFITS, ids=str)
def test_errors(shapes):
    a, b = (np.ones(shape, np.float32) for shape in shapes)
    _, problem = outcome(lambda: np.matmul(a, b))
    for call in (px.matmul, lambda x, y: x @ y):
        _, error = outcome(lambda call=call: call(ours(a), ours(b)))
        check_error(error, problem)
        first, words = str(error), str(problem)
        assert first == words or (first + words).count("could not be broadcast") == 2


def test_numbers_are_no_operands():
    for call in (lambda x: x @ 2, lambda x: 2 @ x, lambda x: px.matmul(2.0, x)):
        with pytest.raises(ValueError, match="does not have enough dimensions"):
            call(px.ones(3))
    with pytest.raises(TypeError):
        _ = px.ones(3) @ "text"


def test_operands_of_others():
    a, b = values("float64", (3, 4), 1), values("float64", (4, 2), 2)
    agree(ours(a) @ b, a @ b)
    agree(a @ ours(b), a @ b)
    agree(ours(a) @ b.tolist(), a @ b)
    agree(a.tolist() @ ours(b), a @ b)
    agree(np.matmul(ours(a), b), a @ b)


def test_not_a_number_stays_where_it_is():
    a, b = np.ones((3, 4)), np.ones((4, 5))
    a[1, 2], b[0, 3] = np.nan, np.inf
    b[1, 3] = -np.inf
    for dtype in ("float16", "float32", "float64", "complex128"):
        with np.errstate(invalid="ignore"):
            x, y = a.astype(dtype), b.astype(dtype)
            expected = x.real @ y.real
        made = np.asarray(ours(x) @ ours(y))
        np.testing.assert_array_equal(np.isnan(made), np.isnan(expected))
        finite = ~np.isnan(expected)
        np.testing.assert_array_equal(made[finite], expected[finite])
        with np.errstate(invalid="ignore"):
            expected = x.real @ y.real[:, 3]
        made = np.asarray(ours(x) @ ours(y)[:, 3])
        np.testing.assert_array_equal(np.isnan(made), np.isnan(expected))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_memory_that_held_not_a_number(dtype):
    """Results take the place of arrays that are gone; what was there must not count."""
    a, x = np.ones((64, 64), dtype), np.ones(64, dtype)
    for _ in range(4):
        gone = [px.full(64, np.nan, dtype), px.full((64, 64), np.nan, dtype)]
        [each._evaluate() for each in gone]
        del gone
        agree(ours(a) @ ours(x), a @ x)
        agree(ours(a) @ ours(a), a @ a)


@pytest.mark.parametrize("dtype", ["int16", "float32", "complex128"])
def test_out_and_in_place(dtype):
    a, b = values(dtype, (4, 4), 1), values(dtype, (4, 4), 2)
    x, y = ours(a), ours(b)
    out = px.empty((4, 4), dtype)
    assert px.matmul(x, y, out=out) is out
    agree(out, a @ b)
    px.matmul(x, y, out=x)
    agree(x, a @ b)
    x @= y
    agree(x, (a @ b) @ b)
    kept = y @ y
    y[...] = 0
    agree(kept, b @ b)
    target = px.zeros((4, 8), dtype)
    px.matmul(kept, kept, out=target[:, ::2])
    agree(target[:, ::2], (b @ b) @ (b @ b))
    with pytest.raises(ValueError):
        px.matmul(x, y, out=px.zeros((3, 4), dtype))


@pytest.mark.parametrize("dtype", ["bool", "int32", "float16", "float64", "complex64"])
@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("vecdot", ((4,), (4,))),
        ("vecdot", ((3, 4), (4,))),
        ("vecdot", ((2, 1, 4), (3, 4))),
        ("vecdot", ((3, 0), (0,))),
        ("matvec", ((3, 4), (4,))),
        ("matvec", ((2, 3, 4), (2, 4))),
        ("matvec", ((5, 1, 3, 4), (2, 4))),
        ("vecmat", ((4,), (4, 3))),
        ("vecmat", ((2, 4), (2, 4, 3))),
        ("dot", ((4,), (4,))),
        ("dot", ((3, 4), (4,))),
        ("dot", ((3, 4), (4, 2))),
        ("dot", ((2, 3, 4), (5, 4, 2))),
        ("dot", ((4,), (5, 4, 2))),
        ("dot", ((), (4, 2))),
        ("dot", ((3,), ())),
        ("dot", ((2, 0), (0, 3))),
        ("inner", ((4,), (4,))),
        ("inner", ((2, 3, 4), (5, 4))),
        ("inner", ((4,), (2, 5, 4))),
        ("inner", ((), (3,))),
        ("vdot", ((3, 4), (4, 3))),
        ("vdot", ((), ())),
        ("outer", ((2, 3), (4,))),
        ("tensordot", ((2, 3, 4), (3, 4, 5))),
    ],
    ids=str,
)
def test_other_products(dtype, name, shapes):
    if not hasattr(np, name):
        pytest.skip(f"this NumPy has no {name}")
    a, b = (values(dtype, shape, i) for i, shape in enumerate(shapes))
    agree(getattr(px, name)(ours(a), ours(b)), np.asarray(getattr(np, name)(a, b)))
    agree(getattr(np, name)(ours(a), ours(b)), np.asarray(getattr(np, name)(a, b)))


@pytest.mark.parametrize("axes", [0, 1, (0, 1), ([1, 0], [0, 1]), (-1, -2), ([], [])], ids=str)
def test_axes_of_tensordot(axes):
    a, b = values("float64", (3, 4), 1), values("float64", (4, 3), 2)
    expected, problem = outcome(lambda: np.tensordot(a, b, axes))
    made, error = outcome(lambda: px.tensordot(ours(a), ours(b), axes))
    check_error(error, problem)
    if problem is None:
        agree(made, expected)


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("vecdot", ((3,), (4,))),
        ("vecdot", ((3,), (1,))),
        ("vecdot", ((), (1,))),
        ("matvec", ((3,), (3,))),
        ("matvec", ((2, 3), (4,))),
        ("vecmat", ((3,), (3,))),
        ("dot", ((3, 4), (3, 4))),
        ("dot", ((3,), (4,))),
        ("inner", ((3, 4), (3, 5))),
        ("vdot", ((3,), (4,))),
    ],
    ids=str,
)
def test_errors_of_other_products(name, shapes):
    if not hasattr(np, name):
        pytest.skip(f"this NumPy has no {name}")
    a, b = (np.ones(shape) for shape in shapes)
    _, problem = outcome(lambda: getattr(np, name)(a, b))
    _, error = outcome(lambda: getattr(px, name)(ours(a), ours(b)))
    assert problem is not None
    check_error(error, problem)


def test_options():
    a, b = values("complex128", (4, 3), 1), values("complex128", (4, 3), 2)
    if hasattr(np, "vecdot"):
        agree(px.vecdot(ours(a), ours(b), axis=0), np.vecdot(a, b, axis=0))
    agree(
        px.matmul(ours(a), ours(b), axes=[(1, 0), (0, 1), (0, 1)]),
        np.matmul(a, b, axes=[(1, 0), (0, 1), (0, 1)]),
    )
    i = values("int32", (3, 3), 3)
    agree(px.matmul(ours(i), ours(i), dtype="float64"), np.matmul(i, i, dtype="float64"))
    out = px.empty((4, 4), "complex128")
    assert px.dot(ours(a), ours(b.T), out=out) is out
    agree(out, np.dot(a, b.T))
    with pytest.raises(ValueError, match="not acceptable"):
        px.dot(ours(a), ours(b.T), out=px.empty((4, 4)))


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_large(dtype):
    a, b = values(dtype, (130, 257), 1), values(dtype, (257, 190), 2)
    expected = (a.astype("float64") @ b.astype("float64")).astype(dtype)
    made = np.asarray(ours(a) @ ours(b))
    np.testing.assert_allclose(made, expected, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64", "complex64"])
def test_products_with_the_own_transpose(dtype):
    a = values(dtype, (70, 9), 1)
    x = ours(a)
    agree(x @ x.T, a @ a.T)
    agree(x.T @ x, a.T @ a)
    agree(x[::2] @ x[::2].T, a[::2] @ a[::2].T)
    agree(x[:, 3] @ x[:, 3], a[:, 3] @ a[:, 3])


def test_explain_shows_a_routine():
    x = px.asarray(np.ones((64, 32), np.float32))
    made = px.explain((x.T @ x) + 1)
    routine, last = made.kernels
    assert routine.code == "matmul(a, b)"
    assert routine.bytes_read == 2 * 64 * 32 * 4 and routine.bytes_written == 32 * 32 * 4
    assert routine.operations == 2 * 64 * 32 * 32
    assert last.code == "a + 1" and last.inputs[0].kernel == 1
    y = x.T @ x
    np.asarray(y)
    assert px.explain(y).kernels[0].has_run
