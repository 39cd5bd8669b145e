"""Ufuncs on the host have NumPy's interface: tables against NumPy's ufuncs of the same loops."""

import itertools

import numpy as np
import pytest

import phalanx

numba = pytest.importorskip("numba")

DTYPES = ["bool", "int8", "uint8", "int32", "uint32", "int64", "float16", "float32", "float64",
          "complex64", "complex128"]  # fmt: skip
LOOPS = [
    f"{t}({t}, {t})" for t in ("int32", "int64", "float32", "float64", "complex64", "complex128")
]


def _add(a, b):
    return a + b


def _subtract(a, b):
    return a - b


add = phalanx.vectorize(LOOPS, identity=0)(_add)
peer = numba.vectorize(LOOPS, identity=0)(_add)
TARGETS = {
    "cpu": add,
    "parallel": phalanx.vectorize(LOOPS, identity=0, target="parallel")(_add),
}


@pytest.fixture(params=TARGETS)
def ufunc(request):
    return TARGETS[request.param]


def _sample(dtype, shape, seed=1):
    return np.random.default_rng(seed).integers(0, 5, shape).astype(dtype)


def _outcome(call):
    """What a call gives, or the class of what it raises."""
    try:
        return call()
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)


def _assert_same(actual, expected):
    if isinstance(expected, type):
        assert actual is expected
        return
    assert type(actual) is type(expected)
    assert actual.dtype == expected.dtype
    assert actual.strides == expected.strides
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(DTYPES, repeat=2)))
def test_types_are_resolved_as_numpy_resolves_them(ufunc, a, b):
    x, y = _sample(a, 5), _sample(b, 5, 2)
    _assert_same(_outcome(lambda: ufunc(x, y)), _outcome(lambda: peer(x, y)))
    for number in (True, 2, 2.5, 1j, np.float32(2), np.int64(3), 2**40, 2**70):
        _assert_same(
            _outcome(lambda: ufunc(x, number)),  # noqa: B023
            _outcome(lambda: peer(x, number)),  # noqa: B023
        )


def _unaligned(a):
    raw = np.empty(a.nbytes + 1, np.uint8)
    moved = np.ndarray(a.shape, a.dtype, raw, 1)
    moved[...] = a
    return moved


def _read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


LAYOUTS = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "reversed": lambda a: a[::-1],
    "every second": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "axes turned": lambda a: np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 0, -1)), -1, 0),
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape),
    "unaligned": _unaligned,
    "swapped bytes": lambda a: a.astype(a.dtype.newbyteorder()),
    "read-only": _read_only,
}
SHAPES = [((7,), ()), ((7,), (7,)), ((3, 5), (5,)), ((3, 1), (1, 4)), ((2, 3, 4), (3, 1)),
          ((0, 3), (1, 3)), ((1000,), (1000,)), ((600, 300), (600, 300)), ((600, 1), (300,)),
          ((60, 50, 70), (60, 50, 70))]  # fmt: skip


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize(("first", "second"), list(itertools.product(LAYOUTS, repeat=2)))
def test_layouts_and_broadcasting(ufunc, shapes, first, second):
    a, b = LAYOUTS[first](_sample("float64", shapes[0])), _sample("float64", shapes[1], 2)
    if b.ndim:
        b = LAYOUTS[second](b)
    _assert_same(ufunc(a, b), peer(a, b))


OPTIONS = {
    "out": lambda shape: {"out": np.zeros(shape)},
    "out in a tuple": lambda shape: {"out": (np.zeros(shape),)},
    "narrow out": lambda shape: {"out": np.zeros(shape, np.float32)},
    "strided out": lambda shape: {"out": np.zeros((*shape, 2))[..., 0]},
    "out of whole numbers": lambda shape: {"out": np.zeros(shape, np.int32)},
    "out of another shape": lambda shape: {"out": np.zeros((*shape, 2))},
    "out that is none": lambda shape: {"out": [1, 2]},
    "two outs": lambda shape: {"out": (np.zeros(shape), np.zeros(shape))},
    "where": lambda shape: {"out": np.full(shape, -1.0), "where": _sample("bool", shape)},
    "where nowhere": lambda shape: {"out": np.full(shape, -1.0), "where": False},
    "dtype": lambda shape: {"dtype": np.float32, "casting": "same_kind"},
    "dtype and unsafe casting": lambda shape: {"dtype": np.int32, "casting": "unsafe"},
    "dtype that needs casting": lambda shape: {"dtype": np.int32},
    "signature": lambda shape: {"signature": "ff->f", "casting": "same_kind"},
    "signature of a tuple": lambda shape: {"signature": ("D", "D", "D")},
    "sig": lambda shape: {"sig": "dd->d"},
    "order": lambda shape: {"order": "F"},
    "subok": lambda shape: {"subok": False},
    "axis": lambda shape: {"axis": 0},
    "nonsense": lambda shape: {"nonsense": 0},
}


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("shape", [(6,), (4, 5), (2, 300, 400)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_options(ufunc, name, shape, dtype):
    a, b = _sample(dtype, shape), _sample("float64", shape, 2)
    options = OPTIONS[name]
    _assert_same(
        _outcome(lambda: ufunc(a, b, **options(shape))),
        _outcome(lambda: np.add(a, b, **options(shape))),
    )


def test_signatures_that_are_not_declared_are_refused(ufunc):
    with pytest.raises(TypeError, match="No loop matching"):
        ufunc(1.0, 2.0, signature="hh->h")


@pytest.mark.parametrize("name", OPTIONS)
def test_options_without_signatures(name):
    a, b = _sample("float64", (4, 5)), _sample("float64", (4, 5), 2)
    dynamic, options = phalanx.vectorize(_add), OPTIONS[name]
    _assert_same(
        _outcome(lambda: dynamic(a, b, **options(a.shape))),
        _outcome(lambda: np.add(a, b, **options(a.shape))),
    )


NUMBAS = [each for each in DTYPES if each != "float16"]  # which it has on GPUs only


@pytest.mark.parametrize(("a", "b"), list(itertools.product(NUMBAS, repeat=2)))
def test_types_without_signatures_are_numbas(a, b):
    x, y = _sample(a, 5), _sample(b, 5, 2)
    _assert_same(
        _outcome(lambda: phalanx.vectorize(_add)(x, y)),
        _outcome(lambda: numba.vectorize(_add)(x, y)),
    )


def test_a_loop_does_not_depend_on_the_calls_before():
    dynamic = phalanx.vectorize(_add)
    assert dynamic(1.0, 2.0).dtype == np.float64
    assert dynamic(1, 2).dtype == np.int64
    assert dynamic(np.int8(1), np.int8(2)).dtype == np.int64
    assert dynamic.types == ["dd->d", "ll->l", "bb->l"]


def test_the_output_given_is_returned(ufunc):
    x, out = np.ones(3), np.zeros(3)
    assert ufunc(x, x, out) is out
    assert ufunc(x, x, out=out) is out
    assert ufunc(x, x, out=(out,)) is out


class Marked(np.ndarray):
    pass


def test_subclasses_and_foreign_types(ufunc):
    marked = np.ones(3).view(Marked)
    assert type(ufunc(marked, 1.0)) is Marked
    assert type(ufunc(marked, 1.0, subok=False)) is np.ndarray

    class Foreign:
        def __array_ufunc__(self, given, method, *inputs, **options):
            return given.__name__, method, len(inputs)

    assert ufunc(Foreign(), 1.0) == ("_add", "__call__", 2)
    assert ufunc([1, 2], (3, 4)).tolist() == [4, 6]


@pytest.mark.parametrize("size", [10, 1000, 100_000])
def test_outputs_that_overlap_inputs(ufunc, size):
    for cut in (1, 3, size // 2):
        ours, theirs = np.arange(float(size)), np.arange(float(size))
        for f, x in ((ufunc, ours), (np.add, theirs)):
            f(x[:-cut], x[cut:], out=x[cut:])
            f(x, x[::-1], out=x)
            f(x, x, out=x)
        np.testing.assert_array_equal(ours, theirs)


REDUCTIONS = [
    ((50,), {}),
    ((50,), {"keepdims": True}),
    ((50,), {"initial": 3}),
    ((50,), {"where": np.arange(50) % 3 == 0}),
    ((50,), {"dtype": np.complex64}),
    ((50,), {"out": np.zeros(())}),
    ((50,), {"axis": 1}),
    ((4, 5), {"axis": 0}),
    ((4, 5), {"axis": -1}),
    ((4, 5), {"axis": None}),
    ((4, 5, 6), {"axis": (0, 2)}),
    ((4, 5, 6), {"axis": 1, "keepdims": True}),
    ((0, 3), {"axis": 0}),
    ((0, 3), {"axis": 1}),
    ((300_000,), {}),
    ((700, 300), {"axis": 0}),
    ((700, 300), {"axis": 1}),
]


@pytest.mark.parametrize(("shape", "options"), REDUCTIONS)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
def test_reductions(ufunc, shape, options, dtype):
    x = _sample(dtype, shape)
    strided = np.repeat(x, 2, axis=0)[::2]
    for array in (x, strided):
        _assert_same(
            _outcome(lambda: np.asarray(ufunc.reduce(array, **options))),  # noqa: B023
            _outcome(lambda: np.asarray(peer.ufunc.reduce(array, **options))),  # noqa: B023
        )


METHODS = {
    "accumulate": lambda f, x: f.accumulate(x),
    "accumulate along an axis": lambda f, x: f.accumulate(x.reshape(5, -1), axis=1),
    "accumulate across": lambda f, x: f.accumulate(x.reshape(5, -1), axis=0),
    "reduceat": lambda f, x: f.reduceat(x, [0, 5, 2, 7]),
    "outer": lambda f, x: f.outer(x, x[:3]),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [20, 200_000])
@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_methods(method, size, dtype):
    x = _sample(dtype, size)
    for made in (phalanx.vectorize(LOOPS)(_subtract), phalanx.vectorize(_subtract)):
        actual = METHODS[method](made, x)
        np.testing.assert_array_equal(actual, METHODS[method](np.subtract, x.astype(actual.dtype)))


def test_at_counts_each_index_anew(ufunc):
    ours, theirs = np.zeros(5), np.zeros(5)
    ufunc.at(ours, [0, 1, 1, 4, 1], [1.0, 2, 3, 4, 5])
    np.add.at(theirs, [0, 1, 1, 4, 1], [1.0, 2, 3, 4, 5])
    np.testing.assert_array_equal(ours, theirs)
    phalanx.vectorize(lambda a: -a).at(ours, [0, 4])
    np.testing.assert_array_equal(ours, [-1, 10, 0, 0, -4])


def test_without_an_identity_the_order_is_kept():
    ufunc = phalanx.vectorize(["float64(float64, float64)"])(_subtract)
    x = np.arange(300_000.0) % 7
    assert ufunc.reduce(x) == np.subtract.reduce(x)
    with pytest.raises(ValueError, match="not reorderable"):
        ufunc.reduce(np.ones((2, 3)), axis=(0, 1))
    with pytest.raises(ValueError, match="no identity"):
        ufunc.reduce(np.zeros(0))


def test_what_the_function_raises_is_raised():
    @phalanx.vectorize(["float64(float64)"])
    def root(a):
        if a < 0:
            raise ValueError("negative")
        return a**0.5

    for x in (np.array([1.0, -1]), np.float64(-1), np.full((3, 4), -1.0)[:, ::2],
              np.full(200_000, -1.0)):  # fmt: skip
        with pytest.raises(ValueError, match="negative"):
            root(x)
    np.testing.assert_array_equal(root(np.array([4.0, 9])), [2, 3])


@pytest.mark.parametrize("rows", [3, 500])  # small ones row by row, large ones all at once
@pytest.mark.parametrize("declared", [True, False])
def test_what_the_function_raises_is_raised_for_arrays_that_lie_differently(rows, declared):
    def quotient(a, b):
        if b == 0:
            raise ZeroDivisionError("by nothing")
        return a / b

    types = ["float64(float64, float64)"]
    ufunc = phalanx.vectorize(types)(quotient) if declared else phalanx.vectorize(quotient)
    column = np.ones((rows, 1))
    whole = np.ones((rows, 500))
    np.testing.assert_array_equal(ufunc(whole, column), whole)
    column[-1] = 0
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        ufunc(whole, column)


@pytest.mark.parametrize("size", [100, 2**18])
def test_what_the_function_raises_ends_a_reduction(size):
    @phalanx.vectorize(["float64(float64, float64)"], identity=0)
    def add(a, b):
        if b < 0:
            raise ValueError("negative")
        return a + b

    numbers = np.ones(size)
    assert add.reduce(numbers) == size
    numbers[size // 2] = -1
    with pytest.raises(ValueError, match="negative"):
        add.reduce(numbers)


def test_floating_point_flags_are_not_what_a_vector_left_behind():
    @phalanx.vectorize(["float64(float64, float64)"])
    def quotient(a, b):
        return a / b if b != 0 else 0.0

    with np.errstate(all="raise"):
        np.testing.assert_array_equal(quotient(np.ones(100), np.arange(100.0) % 2),
                                      np.arange(100.0) % 2)  # fmt: skip


def test_attributes(ufunc):
    assert (ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes) == (2, 1, 3, len(LOOPS))
    assert ufunc.types == peer.types
    assert (ufunc.identity, ufunc.signature, ufunc.__name__) == (0, None, "_add")


def test_threads_may_call_at_once():
    from concurrent.futures import ThreadPoolExecutor

    fresh = phalanx.vectorize(LOOPS)(_add)
    arrays = [np.full(n, 1.0) for n in (1, 10, 5000, 200_000) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        for x, y in zip(arrays, pool.map(lambda x: fresh(x, x), arrays), strict=True):
            np.testing.assert_array_equal(y, x + x)
