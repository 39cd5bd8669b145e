"""a.flat and np.nditer of arrays of any layout, compared with NumPy's."""

import numpy as np
import pytest

from phalanx import njit

A = np.arange(24.0).reshape(4, 6)
B = np.arange(48).reshape(2, 4, 6).astype(np.int32)
LAYOUTS = {
    "c": A,
    "f": np.asfortranarray(A),
    "transposed": A.T,
    "rows": A[::2],
    "columns": A[:, ::-2],
    "vector": A[1, ::2],
    "3d": B,
    "3d turned": B.transpose(1, 2, 0),
    "3d part": B[::-1, 1:3, ::3],
    "empty": A.T[:0],
    "read only": np.broadcast_to(A[0], (3, 6)),
}
LAYOUTS["read only"].flags.writeable = False


def elements(a):
    return [x for x in a.flat]  # noqa: C416


def as_list(a):
    return list(a.flat)


def by_index(a):
    flat = a.flat
    total = 0.0
    for i in range(len(flat)):
        total = total * 0.5 + flat[i] + flat[-1 - i]
    return total, len(a.flat)


def numbered(a):
    total = 0.0
    for i, (x, y) in enumerate(zip(a.flat, a.T.flat)):  # noqa: B905
        total += i * x * y
    return total


def items(a):
    return [x.item() for x in np.nditer(a)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "function", [elements, as_list, by_index, numbered], ids=lambda f: f.__name__
)
def test_flat_is_numpys(function, layout):
    a = LAYOUTS[layout]
    np.testing.assert_array_equal(njit(function)(a), function(a))


@pytest.mark.parametrize("layout", ["f", "transposed", "columns", "3d turned", "vector"])
def test_what_is_set_through_flat_is_in_the_array(layout):
    def change(a, n):
        for i in range(n):
            a.flat[i] = i * i
        a.flat[-1] = 7
        a.flat[2] += 1

    ours, expected = LAYOUTS[layout].copy(order="K"), LAYOUTS[layout].copy(order="K")
    ours, expected = ours[...], expected[...]
    njit(change)(ours, ours.size)
    change(expected, expected.size)
    np.testing.assert_array_equal(ours, expected)


def test_an_index_outside_is_found_where_bounds_are_checked():
    get = njit(boundscheck=True)(lambda a, i: a.flat[i])
    assert get(A.T, -24) == 0.0
    for i in (24, -25):
        with pytest.raises(IndexError):
            get(A.T, i)


@pytest.mark.parametrize("layout", ["c", "f", "transposed", "rows", "vector", "3d", "3d part"])
def test_nditer_is_numpys(layout):
    a = LAYOUTS[layout]
    # As in Numba: C order where the elements lie neither in C nor in F order.
    plain = a if a.flags.forc else np.ascontiguousarray(a)
    assert njit(items)(a) == items(plain)


@njit
def pairs(a, b):
    return [(x.item(), y[()]) for x, y in np.nditer((a, b))]


@pytest.mark.parametrize(
    "a, b",
    [
        (A, A + 1),
        (A, np.asfortranarray(A)),
        (A.T, A.T * 2),
        (A[::2], A[1::2]),
        (A, A[0]),
        (B, A),
        (A[0], B),
        (A, np.array(2.5)),
    ],
    ids=lambda a: str(a.shape),
)
def test_nditer_goes_over_several_arrays(a, b):
    expected = [(x.item(), y.item()) for x, y in np.nditer((a, b))]
    assert pairs(a, b) == expected


def test_nditer_writes():
    @njit
    def doubled(a, out):
        for x, y in np.nditer((a, out)):
            y[()] = 2 * x[()]

    for a in (A, A.T, A[:, ::2]):
        out = np.zeros_like(a)
        doubled(a, out)
        np.testing.assert_array_equal(out, 2 * a)


def test_nditer_refuses_shapes_that_differ():
    for other in (A[:2], A[:, :1], np.zeros(4)):
        with pytest.raises(ValueError, match="could not be broadcast"):
            pairs(A, other)
