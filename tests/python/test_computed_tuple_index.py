"""A tuple of one type, at an index that is computed; attributes of dtypes."""

import numpy as np
import pytest

from phalanx import CompileError, njit, prange

ARRAYS = tuple(np.arange(i, i + 4.0) for i in range(3))


@njit
def item(values, i):
    return values[i]


@njit
def total(arrays, factor):
    found = 0.0
    for i in range(len(arrays)):
        row = arrays[i]
        for j in range(row.size):
            found += row[j] * factor * (i + 1)
    return found


@njit
def write(arrays, i):
    arrays[i][:] = i
    arrays[i][0] += 1


@njit(parallel=True)
def totals(arrays):
    out = np.empty(len(arrays))
    for i in prange(len(arrays)):
        out[i] = arrays[i].sum()
    return out


@pytest.mark.parametrize("i", [0, 1, 2, -1, -3])
@pytest.mark.parametrize(
    "values",
    [
        (3, 5, 7),
        (1.5, 2.5, 3.5),
        ARRAYS,
        tuple(each[::2] for each in ARRAYS),
        tuple(np.outer(each, each).astype(np.int32) for each in ARRAYS),
        tuple((each, 2 * i, (i + 0.5, each[1:])) for i, each in enumerate(ARRAYS)),
    ],
)
def test_an_element_is_that_of_python(values, i):
    expected, actual = values[i], item(values, i)
    for ours, pythons in zip(_leaves(actual), _leaves(expected), strict=True):
        np.testing.assert_array_equal(ours, pythons)


def _leaves(value):
    return [leaf for each in value for leaf in _leaves(each)] if type(value) is tuple else [value]


def test_arrays_of_a_tuple_in_a_loop():
    assert total(ARRAYS, 2.0) == total.py_func(ARRAYS, 2.0)
    np.testing.assert_array_equal(totals(ARRAYS), [each.sum() for each in ARRAYS])


def test_the_array_itself_is_written_to():
    arrays = tuple(each.copy() for each in ARRAYS)
    write(arrays, 1)
    np.testing.assert_array_equal(arrays, [ARRAYS[0], [2, 1, 1, 1], ARRAYS[2]])


@pytest.mark.parametrize("values", [(1, 2.0), (ARRAYS[0], ARRAYS[0][::2]), ((1, 2), (1, 2.0))])
def test_elements_of_several_types_need_a_known_index(values):
    with pytest.raises(CompileError, match="must be known at compile time"):
        item(values, 1)


@njit
def of_dtype(a):
    kind = a.dtype.kind
    out = np.zeros(2, a.dtype.type)
    out[0] = a.dtype.type(3)
    return out, a.dtype.itemsize, (kind == "f", kind == "i", kind == "u", kind == "c", kind == "b")


@pytest.mark.parametrize("name", ["float32", "float64", "int8", "uint16", "complex64", "bool"])
def test_attributes_of_dtypes(name):
    a = np.zeros(3, name)
    out, size, kinds = of_dtype(a)
    expected, expected_size, expected_kinds = of_dtype.py_func(a)
    assert out.dtype == expected.dtype and out.tolist() == expected.tolist()
    assert (size, kinds) == (expected_size, expected_kinds)
