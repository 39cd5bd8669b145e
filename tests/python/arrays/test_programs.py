"""Programs of array code against NumPy; tests/fuzz/arrays.py runs as many as one likes."""

import pathlib
import sys

import numpy as np
import pytest

import phalanx as px

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "fuzz"))
import array_judge
import array_rules
import array_statements
from array_programs import Line, Program


def program_of(text):
    """The program of these lines, whose results have no roundings."""
    lines = [Line(line, frozenset()) for line in text.strip().splitlines()]
    return Program(tuple(lines), 0.0)


@pytest.mark.parametrize("tens", range(15))
def test_a_random_program_ends_as_with_numpy(device, tens):
    for number in range(10 * tens, 10 * tens + 10):
        assert array_judge.describe(array_statements.program(number)) == ""


def test_no_random_program_assigns_an_array_to_an_element(device):
    """Not by an operator either whose value a rule leaves out (738905)."""
    assert array_judge.describe(array_statements.program(738905)) == ""


# What random programs found, by what was wrong.
FOUND = {
    "a view that was looked at before the array it is of": """
v1 = xp.arange(6.0).reshape(2, 3) + 1
v2 = v1.T
np.asarray(v2)
v2[...] = 7
""",
    "a transposed array, sorted in place": """
v1 = xp.arange(6.0)[::-1].reshape(2, 3) + 1
v1.T.sort()
""",
    "an element is a number": """
v1 = xp.arange(4)
v2 = v1[0]
v1[0] = v1[3]
v1[3] = v2
""",
    "an element of what is not computed yet": """
v1 = xp.arange(4) * 2
v2 = v1[-1]
v1 += 1
v3 = v1[-1]
v3 += 5
""",
    "a number is not what another name has": """
v1 = xp.arange(4).sum()
v2 = v1
v2 += 1
v3 = v1
v3 **= 2
v4 = xp.arange(3) + 1j
v4 = v4.argmax()
v5 = v4
v5 += 1
""",
    "an element takes an operator of another dtype": """
v1 = xp.arange(4)
v1[1] /= 0.25
""",
    "a number grows to an array": """
v1 = xp.arange(4).max()
v1 *= xp.arange(3.0)
""",
    "parts of complex numbers are views": """
v1 = xp.arange(4) + 1j
v2 = v1.real
v3 = v2 + 1
v1.imag[1:] = 5
v2[::2] = 8
v1[1] = 2j
v4 = v1.T.imag
v1.imag = v1.real
""",
    "the part of what nobody else has": """
v1 = (xp.arange(4) + 1j).imag
v1[0] = 3
""",
    "the imaginary part of a real array without dimensions is read-only": """
v1 = xp.asarray(np.array(6))
v2 = v1.imag
v2[...] = 1
""",
    "that an array is read-only is said before what is wrong with values": """
v1 = xp.arange(0.0)
v1.setflags(write=False)
v1[v1 <= 1] = xp.ones((2, 0))
""",
    "a reshaped broadcast is a copy": """
v1 = xp.arange(3)
v2 = xp.broadcast_to(v1, (2, 3)).reshape(-1)
v2[0] = 9
""",
    "ravel copies what has gaps": """
v1 = xp.arange(6)
v2 = v1[::2].ravel()
v2[0] = 9
v3 = v1[::2].reshape(-1)
v3[1] = 7
v4 = v1[1:].ravel()
v4[0] = 8
v5 = (v1 + 1)[::2].ravel()
v5[0] = 1
v6 = v1.reshape(2, 3).T.ravel(order='F')
v6[0] = 4
v7 = v1.reshape(2, 3).diagonal().ravel()
v7[0] = 0
""",
    "sums of truths": """
v1 = xp.asarray(np.array([[2, 0], [0, 0]])).sum(axis=0, dtype='bool')
v2 = xp.arange(3).mean(dtype='bool')
v3 = xp.arange(3).prod(dtype='bool')
v4 = xp.ones((0, 2)).prod(axis=0, dtype='bool')
""",
    "a reduction of nothing may be written to": """
v1 = xp.ones((0, 3)).sum(initial=1)
v1 *= 2
v2 = xp.ones((0, 3)).max(axis=0, initial=4)
v2[1] = 0
""",
    "arrays of numbers, and what is the array itself": """
v1 = xp.asarray(xp.arange(4).max()).astype('float32')
v2 = v1
v2 += xp.ones(1).sum()
v3 = xp.max(xp.arange(3)[1], keepdims=True)
v3 /= 2
v4 = xp.arange(3)
v5 = v4.real
v6 = v4.squeeze()
v4.setflags(write=False)
v5[0] = v6[1] = 7
""",
    "NumPy's array of the same memory sees what is assigned": """
v1 = xp.zeros(3)
h1 = np.asarray(v1)
v1.fill(2)
v2 = xp.arange(3)
h2 = np.asarray(v2)
v2 *= v2
xp.add(v2, 1, out=v2)
""",
    "an array of one element, assigned to one without dimensions": """
v1 = xp.ones((), 'float32')
v2 = xp.ones(1, 'float32') + 1
v1[...] = v2
xp.minimum(v1, 0, out=v1)
""",
    "a flat view in Fortran's order of what cannot be written to": """
v1 = xp.zeros(4, 'float32')
v2 = xp.ravel(v1.imag, order='F')
v2[::-2, None] *= v1[2]
""",
    "numbers that the dtype does not hold": """
v1 = xp.zeros(2)
xp.copyto(v1, 3j, casting='unsafe')
xp.copyto(v1, np.ones((1, 1, 2)))
xp.copyto(v1, 2, where=v1 > 0)
xp.copyto(v1.astype('uint8'), 300)
""",
}


@pytest.mark.parametrize("case", FOUND)
def test_what_random_programs_found(device, case):
    assert array_judge.describe(program_of(FOUND[case])) == ""


DIFFERENT = {
    "value": "v1 = xp.arange(3) + (xp is np)",
    "type": "v1 = xp.zeros(3, 'float32' if xp is np else 'float64')",
    "error": "v1 = xp.arange(3)\nv1[3 if xp is np else 2] = 0",
}


@pytest.mark.parametrize("kind", DIFFERENT)
def test_the_judge_sees_what_differs_and_shrinks_the_program(kind):
    text = "v9 = xp.ones(2)\n" + DIFFERENT[kind] + "\nv8 = 3 * v9\n"
    program = program_of(text)
    found = array_judge.difference(program)
    assert found is not None
    assert found.kind == kind
    assert array_judge.shrunk(program, kind).text == DIFFERENT[kind] + "\n"


def test_a_program_without_one_right_result_is_refused():
    with pytest.raises(array_rules.Unspecified):
        array_judge.difference(program_of("v1 = xp.asarray(np.array([np.nan])).astype('int64')"))


def test_an_assignment_that_fails_leaves_what_was_recorded(device):
    host = np.arange(8, dtype="uint8").reshape(4, 2)
    x = px.array(host)
    flat = x.flatten()
    first = flat.astype("int32")[0]
    with pytest.raises(ValueError, match="shape"):
        px.greater(px.zeros((2, 2)), 1, out=x)
    assert int(first) == 0
    x[...] *= x.view()
    np.testing.assert_array_equal(np.asarray(flat), host.ravel())
    np.testing.assert_array_equal(np.asarray(x), host * host)


@pytest.mark.parametrize("write", ["x[1] = False", "x[[1]] = False", "x[:2][1] = False", "x &= y"])
def test_answers_that_are_the_same_for_all_can_be_written_to(device, write):
    for make in (
        lambda xp: xp.asarray(np.arange(4, dtype="uint32")) >= -1,
        lambda xp: xp.asarray(np.arange(4)) != "a",
        lambda xp: xp.asarray(np.arange(4).astype("M8[s]")) != xp.asarray(np.arange(4.0)),
    ):
        results = []
        for xp in (np, px):
            names = {"x": make(xp), "y": xp.asarray(np.array([True, False, True, True]))}
            exec(write, names)
            results.append(np.asarray(names["x"]))
        np.testing.assert_array_equal(*results)
