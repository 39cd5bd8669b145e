"""Universal functions of arrays, with NumPy as the oracle."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from phalanx._arrays import names

import phalanx as px
from arrays.math_table import DTYPES, agree, check, layouts, ours, outcome, same_error, sample
from phalanx import _engine

ALL = names.MODULES["ufuncs"].split()
ELEMENTWISE = sorted(
    {getattr(np, name).__name__ for name in ALL if getattr(np, name).signature is None}
)
# What complex functions give for infinities and NaN differs in places, as between C libraries.
INTEGER_POWERS = ("power", "pow")  # negative ones raise in NumPy, by the values
pytestmark = pytest.mark.usefixtures("device")


def operands(name, dtype, shape=(24,)):
    is_special = np.dtype(dtype).kind != "c"
    first = sample(dtype, shape, is_special)
    second = np.roll(sample(dtype, shape, is_special), 5)
    if name in INTEGER_POWERS and first.dtype.kind == "i":
        second = np.abs(second)
    return [first, second][: getattr(np, name).nin]


def test_the_names_are_the_tables_and_numpys():
    numpys = {name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)}
    assert set(ALL) == numpys
    assert {row["name"] for row in _engine.array_ufuncs()} <= set(ALL)


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_every_dtype_and_layout(device, name):
    for i, dtype in enumerate(DTYPES):
        kind = ("C", "F", "transposed", "strided", "reversed")[i % 5]
        check(name, *(layouts(each)[kind] for each in operands(name, dtype, (4, 6))))
    check(name, *operands(name, "float32", ()))
    check(name, *operands(name, "float64", (0, 3)))


@pytest.mark.parametrize("name", [name for name in ELEMENTWISE if getattr(np, name).nin == 2])
def test_mixed_dtypes_and_broadcasting(device, name):
    for dtype, other in (
        ("int8", "uint8"), ("int64", "uint64"), ("uint64", "int8"), ("float16", "int16"),
        ("float32", "complex64"),
    ):  # fmt: skip
        first, second = sample(dtype, (4, 1), False), sample(other, (3,), False)
        if name in INTEGER_POWERS:
            second = np.abs(second).astype(other)
        check(name, first, second)


@pytest.mark.parametrize("name", ["add", "multiply", "true_divide", "less", "maximum", "arctan2"])
def test_numbers_of_python_are_weak(device, name):
    for dtype in DTYPES:
        array = sample(dtype, (5,), False)
        for number in (True, 2, 0.5, 2j, np.float32(1.5), np.int64(3), np.array(2.5)):
            check(name, array, number)
            check(name, number, array)
    check(name, 1, 2.5)


@pytest.mark.parametrize("dtype", DTYPES[1:12])
def test_ints_beyond_the_dtype(device, dtype):
    array = sample(dtype, (5,), False)
    for number in (-1, 300, -(2**31), 2**40, 2**63, -(2**63), 2**64 - 1, 2**64, -(2**70)):
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
            check(name, array, number)
            check(name, number, array)
        if np.dtype(dtype) != np.float16 or abs(number) < 60000:
            check("add", array, number)


def test_an_int_to_a_negative_power(device):
    x = px.asarray(np.arange(3))
    with pytest.raises(ValueError, match="negative integer powers"):
        x**-1


def test_out_where_dtype_and_casting(device):
    x, y = sample("float32", (3, 4), False), sample("int16", (4,), False)
    mask = sample("bool", (3, 4))
    for name in ("add", "subtract", "maximum", "less", "copysign"):
        for out_dtype in ("float32", "float64", "int32", "bool"):
            for where in (True, mask, mask[0]):
                expected = np.full((3, 4), 1, out_dtype)
                actual = ours(expected)
                function, theirs = getattr(px, name), getattr(np, name)
                # bound now: the loop's variables change
                options = {"where": where}
                _, problem = outcome(lambda f=theirs, o=expected, k=options: f(x, y, out=o, **k))
                named = {"where": ours(where)}
                made, error = outcome(
                    lambda f=function, o=actual, k=named: f(ours(x), ours(y), out=o, **k)
                )
                same_error(error, problem, (name, out_dtype))
                if problem is None:
                    assert made is actual
                    agree(actual, expected)
    for dtype in ("float64", "float32", "int32", "complex64"):
        for casting in ("same_kind", "unsafe", "safe"):
            check("add", x, y, dtype=dtype, casting=casting)
            check("sqrt", np.abs(x), dtype=dtype, casting=casting)
            check("add", y, 1, dtype=dtype, casting=casting)
    check("less", x, y, dtype="bool")
    check("less", x, y, dtype="int8")
    check("add", x)
    check("add", x, y, where=np.ones(4, int))
    check("add", x, sample("int16", (5,)))
    check("sqrt", x, bad_option=1)
    check("subtract", mask, mask)
    check("negative", mask)
    check("add", np.ones(3), np.ones((2, 3)), out=np.ones(3))


def test_out_of_numpys_array(device):
    out = np.zeros(3)
    assert px.add(px.asarray(np.ones(3)), 1, out=out) is out
    assert out.tolist() == [2, 2, 2]


def test_functions_with_two_results(device):
    out = px.asarray(np.zeros(3)), px.asarray(np.zeros(3))
    made = px.divmod(px.asarray(np.array([5.0, -7, 9])), 4, out=out)
    assert made[0] is out[0] and made[1] is out[1]
    agree(made, np.divmod([5.0, -7, 9], 4))
    with pytest.raises(ValueError, match="one entry per"):
        px.divmod(out[0], 4, out=(out[0],))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "logical_or", "bitwise_and", "gcd"])
def test_methods(device, name):
    for dtype in ("bool", "int16", "uint8", "float32"):
        array = sample(dtype, (3, 4), False)
        theirs, function = getattr(np, name), getattr(px, name)
        calls = [
            lambda f, a: f.reduce(a),
            lambda f, a: f.reduce(a, axis=1, keepdims=True),
            lambda f, a: f.reduce(a, axis=None),
            lambda f, a: f.reduce(a, axis=(0, 1), initial=1),
            lambda f, a: f.accumulate(a, axis=1),
            lambda f, a: f.reduceat(a, [0, 2, 1], axis=1),
            lambda f, a: f.outer(a, a[0]),
        ]
        for i, call in enumerate(calls):
            expected, problem = outcome(lambda c=call, a=array, f=theirs: c(f, a))
            actual, error = outcome(lambda c=call, a=array, f=function: c(f, ours(a)))
            same_error(error, problem, (name, dtype, i))
            if problem is None:
                agree(actual, expected, what=(name, dtype, i))


def test_at_counts_indices_twice(device):
    array, expected = px.asarray(np.zeros(4)), np.zeros(4)
    view = array[1:]
    px.add.at(array, [1, 1, 3], px.asarray(np.array([1.0, 2, 3])))
    np.add.at(expected, [1, 1, 3], [1.0, 2, 3])
    agree(array, expected)
    agree(view, expected[1:])
    px.negative.at(array, [0, 1])
    assert array[1].item() == -3
    with pytest.raises(TypeError):
        px.add.at([1, 2], [0], 1)


def test_methods_of_functions_that_have_none():
    for call in (px.sin.reduce, px.divmod.accumulate, px.matmul.reduce):
        with pytest.raises(ValueError, match="only supported for binary"):
            call(np.ones(3))


def test_attributes(device):
    for name in ALL:
        function, theirs = getattr(px, name), getattr(np, name)
        own = (function.nin, function.nout, function.nargs, function.__name__, function.identity)
        assert own == (theirs.nin, theirs.nout, theirs.nargs, theirs.__name__, theirs.identity)
        assert set(function.types) and function.ntypes == len(function.types)
        assert function.__doc__.splitlines()[0].endswith(".") and repr(function) == repr(theirs)
        assert pickle.loads(pickle.dumps(function)) is function
    assert {"ee->e", "DD->D"} <= set(px.add.types) <= set(np.add.types)
    assert px.acos is px.arccos and px.divide is px.true_divide
    assert px.add.signature is None and px.vecdot.signature == np.vecdot.signature


@pytest.mark.parametrize("name", ["matmul", "matvec", "vecmat", "vecdot"])
def test_products(device, name):
    shapes = {
        "matmul": [((3, 4), (4, 2)), ((4,), (4,)), ((2, 3, 4), (4, 2)), ((3, 4), (3, 4))],
        "matvec": [((3, 4), (4,)), ((2, 3, 4), (2, 4))],
        "vecmat": [((3,), (3, 4))],
        "vecdot": [((3, 4), (4,)), ((3, 4), (3, 1))],
    }
    for dtype in ("int16", "float32", "complex64"):
        for shape, other in shapes[name]:
            check(name, sample(dtype, shape, False), sample(dtype, other, False))
    check("vecdot", sample("float64", (3, 4), False), sample("float64", (3, 1), False), axis=0)


def test_operators(device):
    x, y = sample("float64", (3, 3), False), sample("float64", (3, 3), False).T.copy() + 4
    for operator in ("divmod", "matmul", "rmatmul", "rdivmod"):
        name = f"__{operator}__"
        for other in (y, 2.0) if "divmod" in operator else (y,):
            expected, actual = getattr(x, name)(other), getattr(ours(x), name)(ours(other))
            agree(actual, expected, what=operator)
    a, b = ours(x), x.copy()
    kept = a
    view = a[0]
    a **= 2
    b **= 2
    a @= ours(y)
    b @= y
    assert a is kept
    agree(a, b)
    agree(view, b[0])
    agree(y @ a, y @ b)
    agree(y + a, y + b)
    agree(np.float32(2) * a, np.float32(2) * b)
    agree([1.0, 2, 3] - a, [1.0, 2, 3] - b)
    y += a
    assert isinstance(y, np.ndarray)
    with pytest.raises(TypeError):
        a @ object()
    with pytest.raises(TypeError):
        divmod(a, "x")
    with pytest.raises(ValueError):
        a @ 2
    integers = px.asarray(np.arange(3))
    with pytest.raises(TypeError):
        integers **= 0.5


@pytest.mark.parametrize(
    "name",
    ["exp", "sqrt", "sinh", "cosh", "tanh", "arccos", "arccosh", "arcsinh", "arctanh"],
)
def test_complex_infinities_and_nan(device, name):
    """As C99 says it; the signs that it leaves open are not compared."""
    parts = [0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]
    for dtype in ("complex64", "complex128"):
        values = np.array([complex(x, y) for x in parts for y in parts])
        values = values[~(np.isfinite(values.real) & np.isfinite(values.imag))].astype(dtype)
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(values)
        actual = np.array(getattr(px, name)(ours(values)))
        for one, other in ((actual.real, expected.real), (actual.imag, expected.imag)):
            near = np.isclose(np.abs(one), np.abs(other), 1e-5, 1e-7, equal_nan=True)
            assert near.all(), (dtype, values[~near], actual[~near], expected[~near])


def test_real_and_imaginary_parts(device):
    for dtype in ("complex64", "complex128", "float32", "int8"):
        array = sample(dtype, (3, 4))
        check("real", array)
        check("imag", array)
        check("angle", np.abs(array) if dtype == "int8" else array)
    z = px.asarray(np.array([1 + 2j, 3]))
    z.real = 7
    z.imag = np.array([1, 2])
    agree(z, np.array([7 + 1j, 7 + 2j]))
    x = px.asarray(np.array([1.0, 2]))
    x.real[0] = 5
    assert x[0].item() == 5
    with pytest.raises(TypeError):
        x.imag = 1


def total(terms):
    """The sum of all, as a tree: no chain of operations is long."""
    while len(terms) > 1:
        terms = [*map(px.add, terms[::2], terms[1::2]), *terms[len(terms) & ~1 :]]
    return terms[0]


@pytest.mark.parametrize("way", ["whole", "reduced", "assigned"])
def test_more_operands_than_a_kernel_has_parameters_for(device, way):
    """A GPU's take 4 KB: what is beyond is computed first."""
    whole = np.arange(5 * 4 * 6 * 7.0).reshape(5, 4, 6, 7)
    terms = [whole[:, ::2, ::3, ::2] + i for i in range(100)]
    strided = [px.asarray(whole + i)[:, ::2, ::3, ::2] for i in range(100)]
    expected = np.sum(terms, axis=0)
    before = _engine.array_statistics()["kernels"]
    if way == "reduced":
        agree(total(strided).max(axis=1), expected.max(axis=1))
    elif way == "assigned":
        out = px.asarray(np.zeros(expected.shape))
        out[...] = total(strided)
        agree(out, expected)
    else:
        agree(total(strided), expected)
    assert 2 <= _engine.array_statistics()["kernels"] - before <= 8


@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
@pytest.mark.parametrize("other", [None, "a", b"a", ""])
def test_nothing_is_equal_to_none_and_text(device, other, shape):
    x = px.ones(shape)
    for made, expected in ((x == other, False), (other == x, False), (x != other, True)):
        assert (made.shape, made.dtype) == (shape, np.bool_)
        np.testing.assert_array_equal(np.asarray(made), np.full(shape, expected))
    assert x[x != None].shape == (int(np.prod(shape)),)  # noqa: E711


@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_results_without_dimensions_are_numbers_where_numpys_are(dtype):
    asked = 0
    for name, function in sorted(px._arrays.ufuncs.table().items()):
        operands = [np.asarray(2, dtype) for _ in range(function.nin)]
        try:
            with warnings.catch_warnings(action="ignore"):
                theirs = getattr(np, name)(*operands)
        except (AttributeError, TypeError, ValueError):
            continue
        theirs = theirs if isinstance(theirs, tuple) else (theirs,)
        made = function(*map(px.asarray, operands))
        made = made if isinstance(made, tuple) else (made,)
        assert [each._is_number for each in made] == [
            isinstance(each, np.generic) for each in theirs
        ]
        asked += 1
    assert asked > 60
