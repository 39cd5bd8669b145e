"""NumPy's rules for shapes, memory, loops and reductions, as room numpy has them, against NumPy."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from phalanx._types.bridge import to_engine
from phalanx._ufunc import loops, operands
from phalanx._ufunc.loops import Argument

from phalanx import _engine

DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
UNITS = ["", "[Y]", "[M]", "[W]", "[D]", "[h]", "[s]", "[25s]", "[ms]", "[10ms]", "[ns]", "[as]"]
TIMES = [f"{kind}8{unit}" for kind in "mM" for unit in [*UNITS, "[3D]", "[7D]", "[12M]", "[5M]"]]


def random_shapes(rng):
    """Shapes most of which fit each other: some extents become 1, few another number."""
    full = [rng.choice([0, 1, 2, 3, 5]) for _ in range(rng.randrange(5))]
    shapes = []
    for _ in range(rng.randrange(5)):
        own = [1 if rng.random() < 0.3 else extent for extent in full]
        if own and rng.random() < 0.1:
            own[rng.randrange(len(own))] = rng.choice([0, 2, 4])
        shapes.append(tuple(own[rng.randrange(len(own) + 1) :]))
    return shapes


def test_shapes_are_broadcast_as_in_numpy():
    rng, refused = random.Random(1), 0
    for _ in range(3000):
        shapes = random_shapes(rng)
        try:
            expected = np.broadcast_shapes(*shapes)
        except ValueError:
            refused += 1
            with pytest.raises(ValueError, match="could not be broadcast together with shapes"):
                operands.broadcast(shapes)
        else:
            assert operands.broadcast(shapes) == expected, shapes
    assert 50 < refused < 1500


def test_a_refusal_names_the_shapes():
    shapes = [(2, 3), (4,), ()]
    with pytest.raises(ValueError, match="with shapes") as numpys:
        np.nditer([np.zeros(shape) for shape in shapes])
    with pytest.raises(ValueError, match="with shapes") as ours:
        operands.broadcast(shapes)
    assert str(ours.value) == str(numpys.value)


def random_view(base, rng):
    """A view of a one-dimensional array: any strides, either way, with gaps or stretched."""
    array = base
    if rng.random() < 0.7:
        rows = rng.choice([2, 3, 4, 6])
        array = array[: len(array) // rows * rows].reshape(rows, -1)
    if array.ndim == 2 and rng.random() < 0.3:
        array = array.reshape(array.shape[0], 2, -1) if array.shape[1] % 2 == 0 else array
    slices = []
    for extent in array.shape:
        first, last = sorted((rng.randrange(extent + 1), rng.randrange(extent + 1)))
        step = rng.choice([1, 1, 2, 3])
        slices.append(slice(first, last, step))
    array = array[tuple(slices)]
    array = array[tuple(slice(None, None, rng.choice([1, 1, -1])) for _ in array.shape)]
    return array.transpose(rng.sample(range(array.ndim), array.ndim))


def test_stretched_strides_are_those_of_broadcast_to():
    rng = random.Random(2)
    for _ in range(1000):
        array = random_view(np.zeros(72, rng.choice(["i1", "f8"])), rng)
        kept = [n if rng.random() < 0.6 else slice(0, 1) for n in array.shape]
        array = array[tuple(each if isinstance(each, slice) else slice(None) for each in kept)]
        extents = [5 if n == 1 and rng.random() < 0.6 else n for n in array.shape]
        shape = tuple([3] * rng.randrange(2) + extents)
        expected = np.broadcast_to(array, shape)
        strides = operands.stretched_strides(array, shape)
        at_one = [0 if n == 1 else s for n, s in zip(shape, expected.strides, strict=True)]
        assert strides == at_one, (array.shape, array.strides, shape)


def test_arrays_do_not_stretch_to_every_shape():
    for own, shape in [((3,), (4,)), ((2, 3), (3,)), ((2, 3), (1, 3)), ((0,), (2,))]:
        with pytest.raises(ValueError, match="could not be broadcast"):
            operands.stretched_strides(np.zeros(own), shape)


def offsets(extents, strides):
    """Byte offsets of all arrays' elements, in the loops' order."""
    return [
        tuple(sum(i * s for i, s in zip(index, row, strict=True)) for row in strides)
        for index in np.ndindex(*extents)
    ]


def test_collapsed_loops_meet_the_elements_of_all_arrays_together():
    rng, fewer = random.Random(3), 0
    for _ in range(500):
        shape = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rng.randrange(5)))
        strides = []
        for _ in range(rng.randrange(1, 4)):
            order = rng.sample(range(len(shape)), len(shape))
            array = np.zeros([shape[i] for i in order]).transpose(np.argsort(order).tolist())
            own = [0 if rng.random() < 0.15 else s for s in array.strides]
            strides.append([-s if rng.random() < 0.1 else s for s in own])
        extents, rows = _engine.collapse(shape, strides)
        assert 1 <= len(extents) <= max(len(shape), 1)
        fewer += len(extents) < len(shape)
        assert sorted(offsets(extents, rows)) == sorted(offsets(shape, strides))
        # The last array's elements come in the order of memory, where it goes upwards.
        last = [each[-1] for each in offsets(extents, rows)]
        if all(s >= 0 for s in strides[-1]) and len(set(last)) == len(last):
            assert last == sorted(last)
    assert fewer > 100


def test_new_arrays_have_the_order_of_numpys():
    rng = random.Random(4)
    for _ in range(1000):
        arrays = []
        full = [rng.choice([1, 2, 3]) for _ in range(rng.randrange(1, 5))]
        for _ in range(rng.randrange(1, 4)):
            own = [1 if rng.random() < 0.2 else n for n in full][rng.randrange(2) :]
            order = rng.sample(range(len(own)), len(own))
            array = np.zeros([own[i] for i in order]).transpose(np.argsort(order).tolist())
            flips = tuple(slice(None, None, rng.choice([1, 1, -1])) for _ in own)
            arrays.append(array[flips])
        shape = np.broadcast_shapes(*(each.shape for each in arrays))
        flags = [["readonly"]] * len(arrays) + [["writeonly", "allocate"]]
        numpys = np.nditer((*arrays, None), ["zerosize_ok"], flags).operands[-1]
        ours = operands.new_as_numpy([*arrays, 2.5], shape, np.dtype("f8"))
        assert (ours.shape, ours.strides) == (numpys.shape, numpys.strides)


def test_arrays_that_share_memory_are_never_taken_for_apart():
    rng, apart, shared, careful = random.Random(5), 0, 0, 0
    base = np.zeros(144, "i4")
    for _ in range(4000):
        a, b = random_view(base, rng), random_view(base, rng)
        if rng.random() < 0.3:
            b = random_view(base.view(rng.choice(["i1", "i8", "c8"])), rng)
        ours = _engine.may_share_memory(operands.memory_of(a), operands.memory_of(b))
        exact = np.shares_memory(a, b)
        assert ours or not exact, (a.shape, a.strides, b.shape, b.strides)
        if not np.may_share_memory(a, b):
            assert not ours
        apart, shared, careful = apart + (not ours), shared + exact, careful + (ours and not exact)
    assert apart > 500
    assert shared > 500
    assert careful < 500


def test_arrays_of_one_step_are_told_apart_exactly():
    base = np.zeros(60, "i2")
    views = [base[i:j:step] for step in (1, 2, 3) for i in range(7) for j in (20, 33, 60)]
    for a, b in itertools.product(views, repeat=2):
        if a.strides == b.strides:
            ours = _engine.may_share_memory(operands.memory_of(a), operands.memory_of(b))
            assert ours == np.shares_memory(a, b)


def test_only_one_view_may_be_written_while_it_is_read():
    base = np.zeros((4, 6))
    assert not operands.is_overlapping(base, base[:])
    assert operands.is_overlapping(base, base[::-1])
    assert operands.is_overlapping(base[:, 1:], base[:, :-1])
    assert not operands.is_overlapping(base[:2], base[2:])
    assert not operands.is_overlapping(base[:, ::2], base[:, 1::2])
    assert not operands.is_overlapping(base[:, :0], base)
    assert operands.is_overlapping(base[:, :1], np.broadcast_to(base[:1, :1], (4, 1)))


@pytest.mark.parametrize("casting", ["equiv", "safe", "same_kind", "unsafe"])
def test_times_and_records_are_cast_as_in_numpy(casting):
    records = [
        [("x", "f4"), ("y", "i4")],
        [("x", "f8"), ("y", "i8")],
        [("p", "f8"), ("q", "i8")],
        [("x", "f4")],
    ]
    dtypes = [np.dtype(each) for each in [*TIMES, *records]]
    numbers = [np.dtype(each) for each in DTYPES]
    if casting == "unsafe":  # between times: what is cut off is the user's
        dtypes, numbers = [each for each in dtypes if each.kind == "m"], []
    pairs = [*itertools.product(dtypes, repeat=2), *itertools.product(numbers, dtypes)]
    pairs += itertools.product(dtypes, numbers)
    for a, b in pairs:
        ours = _engine.numpy_can_cast(to_engine(a), to_engine(b), casting)
        assert ours == np.can_cast(a, b, casting), (a, b)


def test_arrays_in_records_are_not_stretched():
    one, two = [to_engine(np.dtype([("x", "f4", shape)])) for shape in [(), (2,)]]
    assert _engine.numpy_can_cast(two, two, "safe")
    assert not _engine.numpy_can_cast(one, two, "same_kind")


def expected_choice(inputs, arguments):
    """The rule in terms of `np.can_cast`: exact, else without loss, else rounded numbers."""
    order = "buifc"

    def is_exact(argument, wanted):
        return argument.dtype == wanted

    def is_safe(argument, wanted):
        if argument.is_weak:
            return order.index(argument.dtype.kind.replace("i", "u")) <= order.find(wanted.kind)
        return np.can_cast(argument.dtype, wanted, "safe")

    def is_rounded(argument, wanted):
        rounds = argument.is_number and np.can_cast(argument.dtype, wanted, "same_kind")
        return is_safe(argument, wanted) or rounds

    if all(each.is_weak for each in arguments):
        arguments = [each._replace(is_weak=False) for each in arguments]
    for rule in (is_exact, is_safe, is_rounded):
        for at, loop in enumerate(inputs):
            if all(map(rule, arguments, loop)):
                return at
    return None


class Loop:
    """What `choose` asks of a loop."""

    def __init__(self, *dtypes):
        self.inputs = tuple(map(np.dtype, dtypes))


def arguments_of(dtypes):
    """Each dtype as an array and as a number of NumPy's, and Python's numbers."""
    made = [Argument(np.dtype(each), number, False) for each in dtypes for number in (False, True)]
    return made + [loops.describe_number(each) for each in (True, 1, 1.5, 2j)]


TABLES = {
    "as NumPy's": [(each, each) for each in DTYPES],
    "widest first": [(each, each) for each in reversed(DTYPES)],
    "mixed": [("f4", "i8"), ("i8", "f4"), ("u1", "i1"), ("c8", "f8"), ("f8", "f4"), ("?", "i2")],
    "one": [("f4", "f4")],
    "unsigned": [("u2", "u8"), ("u8", "u2")],
}


@pytest.mark.parametrize("table", TABLES)
def test_calls_take_the_loops_that_numpys_casts_allow(table):
    known = [Loop(*each) for each in TABLES[table]]
    inputs = [each.inputs for each in known]
    for pair in itertools.product(arguments_of(DTYPES), repeat=2):
        expected = expected_choice(inputs, pair)
        chosen = loops.choose(known, pair)
        assert chosen is (None if expected is None else known[expected]), pair


def test_calls_with_times_take_the_loops_that_numpys_casts_allow():
    known = [Loop("m8[s]"), Loop("m8[ms]"), Loop("M8[D]"), Loop("M8[ns]"), Loop("i8")]
    inputs = [each.inputs for each in known]
    for loops_at in (slice(None), slice(0, 4), slice(1, 2), slice(2, 3)):
        some = known[loops_at]
        for argument in arguments_of([*DTYPES, *TIMES]):
            expected = expected_choice(inputs[loops_at], [argument])
            chosen = loops.choose(some, [argument])
            assert chosen is (None if expected is None else some[expected]), argument


def test_types_that_kernels_lack_take_no_loop_but_as_numbers():
    known = [Loop("f8")]
    longdouble = np.dtype("longdouble")
    assert loops.choose(known, [Argument(longdouble, True, False)]) is known[0]
    assert loops.choose(known, [Argument(longdouble, False, False)]) is None
    assert loops.choose(known, [Argument(np.dtype("O"), False, False)]) is None


def test_arrays_of_swapped_bytes_take_the_loop_of_their_type():
    known = [Loop("f8"), Loop("f4")]
    assert loops.choose(known, [Argument(np.dtype(">f8"), False, False)]) is known[0]
    assert loops.choose(known, [Argument(np.dtype(">f4"), False, False)]) is known[1]
    assert loops.choose(known, [Argument(np.dtype(">i2"), False, False)]) is known[0]


REDUCTIONS = [
    *("sum", "prod", "cumsum", "cumprod", "mean", "var", "std", "median", "min", "max", "ptp"),
    *("any", "all", "argmin", "argmax", "count_nonzero"),
]


def result_of_numpy(name, element, **given):
    """The result's dtype of an array's columns; None where NumPy refuses."""
    try:
        return getattr(np, name)(np.ones((3, 2), element), axis=0, **given).dtype.name
    except TypeError:
        return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_have_the_types_of_numpys(name):
    for element in DTYPES:
        found = _engine.numpy_reduction_types(name, element)
        assert (found and found[1]) == result_of_numpy(name, element), element


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["sum", "prod", "cumsum", "cumprod", "mean", "var", "std"])
def test_reductions_are_computed_in_the_type_that_is_given(name):
    for element, dtype in itertools.product(DTYPES, repeat=2):
        found = _engine.numpy_reduction_types(name, element, dtype)
        expected = result_of_numpy(name, element, dtype=dtype)
        assert (found and found[1]) == expected, (element, dtype)
        assert found is None or found[0] == dtype


def test_other_reductions_take_no_dtype():
    for name in ("median", "min", "ptp", "any", "argmin", "count_nonzero"):
        assert _engine.numpy_reduction_types(name, "int8") is not None
        assert _engine.numpy_reduction_types(name, "int8", "int64") is None
    assert _engine.numpy_reduction_types("mode", "int8") is None
