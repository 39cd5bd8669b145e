"""More than a million elements in one line: a thread of a GPU has several, loaded at once."""

import numpy as np
import pytest

import phalanx as px

SIZE = 1 << 20  # from which on they are several
DTYPES = (
    *("bool", "uint8", "int16", "float16", "int32", "float32", "int64", "float64"),
    *("complex64", "complex128", "datetime64[s]", "bfloat16"),
)


def numbers(dtype, size=SIZE + 21, seed=1):
    """Whole numbers, whose sums are exact."""
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes", reason="NumPy has bfloat16 by this package alone")
    made = np.random.default_rng(seed).integers(0, 100, size)
    return made.astype(dtype)


def check(made, expected):
    assert made.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(made), expected)


@pytest.mark.parametrize("begin", [0, 1, 16])
@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_of_each_size(device, dtype, begin):
    a, b = numbers(dtype), numbers(dtype, seed=2)
    x, y = px.asarray(a)[begin:], px.asarray(b)[begin:]
    a, b = a[begin:], b[begin:]
    check(x == y, a == b)
    check(px.where(x > y, x, y), np.where(a > b, a, b))
    if not dtype.startswith("datetime"):
        check(x + y, a + b)
        check(x[: SIZE - 1] * y[1:SIZE], a[: SIZE - 1] * b[1:SIZE])
        check(x[::-1] + y, a[::-1] + b)


@pytest.mark.parametrize("narrow", ["bool", "uint8", "int16", "float16", "bfloat16"])
@pytest.mark.parametrize("wide", ["float32", "float64", "complex64", "complex128"])
def test_two_sizes_at_once(device, narrow, wide):
    a, b = numbers(narrow), numbers(wide, seed=2)
    x, y = px.asarray(a), px.asarray(b)
    check(x + y, a + b)
    check(x.astype(wide), a.astype(wide))
    check((y > 50) & (x > 3), (b > 50) & (a > 3))


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_parts_are_written_and_nothing_beside_them(device, dtype):
    for first, size in ((0, SIZE), (0, SIZE + 3), (1, SIZE), (16, SIZE + 5), (3, SIZE + 16)):
        a = numbers(dtype)
        x = px.asarray(a.copy())
        x[first : first + size] += x[first : first + size]
        a[first : first + size] += a[first : first + size]
        check(x, a)


def test_many_steps_and_several_results(device):
    a, b = numbers("float32"), numbers("float32", seed=2)
    x, y = px.asarray(a), px.asarray(b)

    def long(xp, p, q):
        total = p
        for step in range(20):
            total = xp.where(total > 1000, total - q, total + step)
        return total, total + q, total > q

    for made, expected in zip(long(px, x, y), long(np, a, b), strict=True):
        check(made, expected)


def test_elements_at_indices(device):
    a = numbers("float32")
    order = np.random.default_rng(3).permutation(len(a)).astype(np.int32)
    check(px.asarray(a)[px.asarray(order)] + 1, a[order] + 1)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "complex128"])
def test_rows_with_gaps(device, dtype):
    """So many rows that a thread of a GPU has several."""
    a = numbers(dtype, 150_000 * 20).reshape(150_000, 20)
    x = px.array(a)
    check(x[1:-1, 1:-1] + x[2:, :-2], a[1:-1, 1:-1] + a[2:, :-2])
    check(x[::-1, 3:] * 2, a[::-1, 3:] * 2)
    x[:, 1:] = x[:, :-1] + 1  # what is read is written too
    expected = a.copy()
    expected[:, 1:] = a[:, :-1] + 1
    check(x, expected)


@pytest.mark.parametrize("shape", [(70_003, 17), (140_001, 16), (5, 30_001, 18), (68_000, 40)])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64", "complex64"])
def test_rows_that_a_thread_has_several_of(device, dtype, shape):
    a = numbers(dtype, int(np.prod(shape)) + shape[-1]).reshape(-1)[: int(np.prod(shape))]
    a = a.reshape(shape)
    x = px.asarray(a)
    check(x[..., 1:] + x[..., :-1], a[..., 1:] + a[..., :-1])
    check(x[..., 2:, :-1] + x[..., :-2, 1:], a[..., 2:, :-1] + a[..., :-2, 1:])
    check(x[..., ::-1, ::-1] * 2, (a[..., ::-1, ::-1] * 2))
    y, b = px.asarray(a.copy()), a.copy()
    y[..., 1:, 1:] += y[..., :-1, :-1]  # which overlap
    b[..., 1:, 1:] += b[..., :-1, :-1]
    check(y, b)
