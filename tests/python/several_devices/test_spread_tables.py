"""Every function of spread arrays x dtype x shape x split axis x axis, beside NumPy."""

import itertools
import threading
import warnings

import numpy as np
import pytest
from phalanx._arrays import quantiles
from phalanx._arrays.spread import functions, reductions

import phalanx as px

DTYPES = ("bool", "uint8", "int64", "float16", "float32", "complex128")
SHAPES = ((2,), (7,), (4, 1), (5, 4, 3), (0,), (0, 3))
SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0)


def values(shape, dtype, seed=0):
    """Small numbers, many of which are equal."""
    random = np.random.default_rng(seed)
    made = random.integers(0, 2 if dtype == "bool" else 9, shape)
    if np.dtype(dtype).kind in "ifc":
        made = made - 4
    if np.dtype(dtype).kind in "fc":
        made = made * 0.75
    if dtype.startswith("complex"):
        made = made + 1j * random.integers(-2, 3, shape)
    return made.astype(dtype)


def axes_of(shape, several=True):
    made = [None, *range(len(shape)), -1]
    if several and len(shape) > 1:
        made += [(-1, 0), ()]
    return made


def tolerance(dtype):
    return {"float16": 4e-3, "float32": 1e-5}.get(str(dtype), 1e-12)


def compare(found, expected, what):
    found = np.asarray(found)
    expected = np.asarray(expected)
    assert found.shape == expected.shape, (what, found.shape, expected.shape)
    assert found.dtype == expected.dtype, (what, found.dtype, expected.dtype)
    near = tolerance(expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=near, atol=near, err_msg=str(what))


def both(call, x, host, what):
    """The same result or the same class of error."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = call(host)
    except (ValueError, TypeError, IndexError) as error:
        with pytest.raises((ValueError, TypeError, IndexError, NotImplementedError)) as told:
            np.asarray(call(x))
        assert isinstance(told.value, (type(error), NotImplementedError)), what
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare(call(x), expected, what)


def cases(dtypes=DTYPES, shapes=SHAPES):
    return itertools.product(dtypes, shapes)


FOLDS = sorted(reductions.FOLDINGS)


@pytest.mark.parametrize("name", [*FOLDS, "mean", "var", "std", "ptp"])
def test_reductions(group, name):
    function = getattr(np, name)
    for dtype, shape in cases():
        if name == "ptp" and dtype == "bool":
            continue  # NumPy does not subtract booleans
        if name in ("prod", "nanprod") and dtype == "float16":
            continue  # whether zeros or infinities come first is another order
        host = values(shape, dtype)
        for split in range(len(shape)):
            x = group.asarray(host, axis=split)
            for axis, keepdims in itertools.product(axes_of(shape), (False, True)):
                if name == "count_nonzero" and axis == ():
                    continue  # NumPy's own takes it for none
                what = (name, dtype, shape, split, axis, keepdims)
                both(
                    lambda a, axis=axis, keepdims=keepdims: function(
                        a, axis=axis, keepdims=keepdims
                    ),
                    x,
                    host,
                    what,
                )


@pytest.mark.parametrize("name", ["argmin", "argmax", "cumsum", "cumprod", "sort", "argsort"])
def test_functions_of_one_axis(group, name):
    function = getattr(np, name)
    options = {"kind": "stable"} if name in ("sort", "argsort") else {}
    for dtype, shape in cases():
        host = values(shape, dtype)
        for split in range(len(shape)):
            x = group.asarray(host, axis=split)
            for axis in axes_of(shape, several=False):
                both(
                    lambda a, axis=axis: function(a, axis=axis, **options),
                    x,
                    host,
                    (name, dtype, shape, split, axis),
                )


@pytest.mark.parametrize("name", ["sort", "argsort", "argmin", "argmax", "min", "max", "nanmax"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_special_numbers_have_their_places(group, name, dtype):
    random = np.random.default_rng(1)
    for size, share in itertools.product((5, 64, 1000), (0.1, 0.5, 1.0)):
        host = random.normal(size=size).astype(dtype)
        chosen = random.random(size) < share
        host[chosen] = random.choice(SPECIAL, chosen.sum())
        options = {"kind": "stable"} if "sort" in name else {}
        expected = getattr(np, name)(host, **options)
        found = np.asarray(getattr(np, name)(group.asarray(host), **options))
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


@pytest.mark.parametrize("name", ["datetime64[s]", "timedelta64[ms]"])
def test_times_are_sorted_and_compared(group, name):
    host = np.random.default_rng(3).integers(0, 10_000, 500).astype(name)
    host[::17] = "NaT"
    x = group.asarray(host)
    np.testing.assert_array_equal(np.asarray(np.sort(x)), np.sort(host))
    np.testing.assert_array_equal(np.asarray(x < host[1]), host < host[1])


def test_reductions_of_times(group):
    host = np.random.default_rng(3).integers(-900, 900, (7, 4)).astype("timedelta64[s]")
    names = ("sum", "mean", "min", "max", "ptp", "median", "cumsum", "argmin", "nanmin", "nansum")
    for name, split, axis in itertools.product(names, (0, 1), (None, 0, 1)):
        x = group.asarray(host, axis=split)
        found, expected = (getattr(np, name)(each, axis=axis) for each in (x, host))
        np.testing.assert_array_equal(np.asarray(found), expected, f"{name} {split} {axis}")
    dates = group.asarray(host.astype("datetime64[s]"))
    assert np.ptp(dates) == np.ptp(host)
    for name, axis in itertools.product(("mean", "sum", "var", "median", "cumsum"), (0, 1)):
        with pytest.raises(TypeError, match=r"datetime64\[s\]|M8\[s\]"):
            np.asarray(getattr(np, name)(dates, axis=axis))


def with_gaps(shape, dtype):
    """Values of which some are NaN, where there is one: whole rows of them, too."""
    host = values(shape, dtype)
    if host.dtype.kind in "fc":
        host.reshape(-1)[::3] = np.nan
        host[-1:] = np.nan
    return host


ORDERS = ("median", "nanmedian", "quantile", "nanquantile", "percentile", "nanpercentile")
SHARES = (0.3, [0.0, 0.25, 1.0], np.array([[0.5, 0.9]]))


@pytest.mark.parametrize("name", ORDERS)
def test_statistics_of_order(group, name):
    for (dtype, shape), gaps in itertools.product(cases(), (False, True)):
        host = (with_gaps if gaps else values)(shape, dtype)
        shares = [np.multiply(each, 100 if "percent" in name else 1) for each in SHARES]
        shares = [float(shares[0]), *shares[1:]]
        count = 2 if name.startswith("nan") else 3
        given = [()] if "median" in name else [(each,) for each in shares[:count]]
        for split, (args, keepdims) in itertools.product(
            range(len(shape)), itertools.product(given, (False, True))
        ):
            x = group.asarray(host, axis=split)
            for axis in axes_of(shape):
                if axis == ():
                    continue  # NumPy's own takes it for all in some of them
                if gaps and name.startswith("nan") and dtype in ("float16", "float32") and args:
                    continue  # NumPy's dtype is that of the first row, which may be NaN alone
                both(
                    lambda a, args=args, axis=axis, keepdims=keepdims: getattr(np, name)(
                        a, *args, axis=axis, keepdims=keepdims
                    ),
                    x,
                    host,
                    (name, dtype, shape, split, axis, args, keepdims, gaps),
                )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_quantiles_of_rows_without_numbers_have_one_dtype(group):
    host = np.full((6, 4), 0.75, "float32")
    host[0] = host[3, :2] = np.nan
    found = np.nanquantile(group.asarray(host), [0.5, 1.0], axis=1)
    assert len({part.dtype for part in found.parts}) == 1
    np.testing.assert_array_equal(np.asarray(found), [[np.nan, *[0.75] * 5]] * 2)
    assert np.isnan(np.asarray(np.nanquantile(group.full(8, np.nan), 0.5)))


@pytest.mark.parametrize("method", sorted(quantiles.METHODS))
def test_methods_of_quantiles(group, method):
    for dtype, size in itertools.product(("float32", "float64", "int32"), (4, 11, 60)):
        host = (np.random.default_rng(size).normal(size=size) * 100).astype(dtype)
        x = group.asarray(host)
        for q in (0.5, 0, 0.37, [0.1, 0.999], np.float32(0.25)):
            for name in ("quantile", "nanquantile"):
                expected = getattr(np, name)(host, q, method=method)
                compare(getattr(np, name)(x, q, method=method), expected, (name, dtype, size, q))
    with pytest.raises(ValueError, match=r"range \[0, 1\]"):
        np.quantile(x, 1.5, method=method)
    with pytest.raises(NotImplementedError, match="one axis of shares"):
        np.nanquantile(x, [[0.5]], method=method)
    with pytest.raises(ValueError, match="none of averaged"):
        np.quantile(x, 0.5, method="bogus")


@pytest.mark.parametrize("name", ["nanargmin", "nanargmax", "nancumsum", "nancumprod"])
def test_positions_and_scans_leave_out_gaps(group, name):
    for dtype, shape in cases():
        host = with_gaps(shape, dtype)
        for some in (host, values(shape, dtype), np.where(host != host, host, np.inf)):
            some = some.astype(dtype)
            for split in range(len(shape)):
                x = group.asarray(some, axis=split)
                for axis in axes_of(shape, several=False):
                    both(
                        lambda a, axis=axis: getattr(np, name)(a, axis=axis),
                        x,
                        some,
                        (name, dtype, shape, split, axis),
                    )


UFUNCS_OF_ONE = ("negative", "exp", "isnan", "floor", "square", "abs", "logical_not")
UFUNCS_OF_TWO = ("add", "true_divide", "power", "less")


@pytest.mark.parametrize("name", UFUNCS_OF_ONE)
def test_ufuncs_of_one(group, name):
    for dtype, shape in cases():
        host = values(shape, dtype)
        for split in range(len(shape)):
            x = group.asarray(host, axis=split)
            for library in (np, px):
                function = getattr(library, name)
                both(function, x, host, (name, dtype, shape, split))


@pytest.mark.parametrize("name", UFUNCS_OF_TWO)
def test_ufuncs_of_two_are_broadcast(group, name):
    """Operands: spread along either axis, on one device, NumPy's, numbers; other shapes."""
    function = getattr(np, name)
    shapes = ((6, 5), (5,), (1, 5), (6, 1), (1, 1), (1,), (2, 6, 5), (2, 1, 1))
    for (one, other), dtype in itertools.product(
        itertools.product(shapes, repeat=2), ("float32", "int64")
    ):
        first, second = (np.abs(values(each, dtype, len(each))) + 1 for each in (one, other))
        expected = function(first, second)
        for split, which in itertools.product(range(len(one)), range(3 + len(other))):
            x = group.asarray(first, axis=split)
            kinds = (second, px.asarray(second, device=group[-1]), px.asarray(second))
            y = kinds[which] if which < 3 else group.asarray(second, axis=which - 3)
            compare(function(x, y), expected, (name, one, other, split, which))
            compare(function(y, x), function(second, first), (name, other, one, split, which))


def test_several_results(group):
    host = values((9, 2), "float64")
    for split in (0, 1):
        x = group.asarray(host, axis=split)
        for found, expected in zip(np.divmod(x, 2.0), np.divmod(host, 2.0), strict=True):
            compare(found, expected, "divmod")
        for found, expected in zip(np.modf(x), np.modf(host), strict=True):
            compare(found, expected, "modf")


@pytest.mark.parametrize("name", sorted(functions.elementwise.FUNCTIONS))
def test_elementwise_functions(group, name):
    host = values((8, 3), "float64")
    calls = {
        "clip": lambda a: np.clip(a, -1.0, 2.0),
        "where": lambda a: np.where(a > 0, a, -a),
        "isclose": lambda a: np.isclose(a, a + 1e-12),
        "round": lambda a: np.round(a, 1),
        "around": lambda a: np.around(a, 1),
    }
    for split in (0, 1):
        x = group.asarray(host, axis=split)
        call = calls.get(name, getattr(np, name))
        compare(call(x), call(host), (name, split))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex128"])
def test_products(group, dtype):
    shapes = [
        ((7,), (7,)),
        ((5, 7), (7,)),
        ((7,), (7, 4)),
        ((5, 7), (7, 4)),
        ((1, 7), (7, 1)),
        ((3, 5, 7), (7, 4)),
        ((3, 5, 7), (3, 7, 4)),
        ((3, 5, 7), (1, 7, 4)),
        ((3, 5, 7), (7,)),
        ((7,), (3, 7, 4)),
        ((2, 3, 5, 7), (3, 7, 4)),
    ]
    for one, other in shapes:
        a, b = values(one, dtype), values(other, dtype, 1)
        expected = a @ b
        for split in range(len(one)):
            compare(group.asarray(a, axis=split) @ b, expected, (one, other, split))
            compare(group.asarray(a, axis=split) @ px.asarray(b), expected, (one, other, split))
            for second in range(len(other)):
                made = group.asarray(a, axis=split) @ group.asarray(b, axis=second)
                compare(made, expected, (one, other, split, second))
        for second in range(len(other)):
            compare(a @ group.asarray(b, axis=second), expected, (one, other, None, second))


KEYS = (
    np.s_[2],
    np.s_[-1],
    np.s_[1:],
    np.s_[:-2],
    np.s_[::2],
    np.s_[1::3],
    np.s_[5:2],
    np.s_[100:],
    np.s_[:, 1],
    np.s_[:, -1:],
    np.s_[1:4, ::2],
    np.s_[..., 0],
    np.s_[None],
    np.s_[:, None],
    np.s_[1, None, ..., 2],
    np.s_[...],
    np.s_[0, 1],
    np.s_[2:3, 1],
)


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_numbers_and_slices(group, key):
    host = np.arange(7 * 4 * 3.0).reshape(7, 4, 3)
    for split in range(3):
        x = group.asarray(host, axis=split)
        compare(x[key], host[key], (key, split))
        for value in (7.5, np.asarray(host[key] * 2), group.asarray(host, axis=split)[key]):
            expected = host.copy()
            expected[key] = np.asarray(value)
            x[key] = value
            compare(x, expected, (key, split))
            x = group.asarray(host, axis=split)


def test_masks(group):
    host = values((23, 3), "float64")
    x = group.asarray(host)
    compare(x[x > 0], host[host > 0], "elements")
    compare(x[x[:, 0] > 0], host[host[:, 0] > 0], "rows")
    compare(x[x > 100], host[host > 100], "none")
    x[x > 1] = -1.0
    host[host > 1] = -1.0
    compare(x, host, "assigned")


@pytest.mark.parametrize("shape", [(10,), (10, 3), (3, 10, 2)])
def test_layouts(group, shape):
    host = values(shape, "float32")
    for split in range(len(shape)):
        x = group.asarray(host, axis=split)
        compare(x, host, "as it is")
        compare(x.T, host.T, "T")
        compare(x.copy(), host, "copy")
        compare(x.gather(), host, "gather")
        compare(x.gather(group[-1]), host, "gather")
        compare(x.astype("int16"), host.astype("int16"), "astype")
        for axis in range(len(shape)):
            compare(x.respread(axis=axis), host, ("respread", axis))
            joined = np.concatenate([x, host, group.asarray(host, axis=axis)], axis=split)
            compare(joined, np.concatenate([host, host, host], axis=split), ("joined", axis))
        other = px.devices(group[-1].name)
        compare(x.respread(other), host, "on one")
    flat = group.asarray(host)
    compare(flat.ravel(), host.ravel(), "ravel")
    compare(flat.reshape(10 if shape[0] == 10 else 3, -1), host.reshape(shape[0], -1), "reshape")


def test_counts_and_places(group):
    host = np.random.default_rng(0).integers(0, 50, 400)
    x = group.asarray(host)
    compare(np.unique(x), np.unique(host), "unique")
    compare(np.bincount(x), np.bincount(host), "bincount")
    weights = np.random.default_rng(1).random(400)
    compare(np.bincount(x, weights, 60), np.bincount(host, weights, 60), "bincount")
    for bins, limits in ((10, None), (7, (5.0, 30.0)), (np.linspace(0, 50, 8), None)):
        found, expected = np.histogram(x, bins, limits), np.histogram(host, bins, limits)
        compare(found[0], expected[0], "histogram")
        compare(found[1], expected[1], "edges")
    edges = np.array([3, 10, 20])
    for side in ("left", "right"):
        compare(np.searchsorted(edges, x, side), np.searchsorted(edges, host, side), side)


def test_lists_and_flat_arrays_are_joined(group):
    host = np.arange(12.0).reshape(4, 3)
    for split in (0, 1):
        x = group.asarray(host, axis=split)
        for others in ([host.tolist()], [x, host]):
            for axis in (0, 1, None):
                expected = np.concatenate([host, *map(np.asarray, others)], axis=axis)
                compare(np.concatenate([x, *others], axis=axis), expected, (split, axis))
    with pytest.raises(ValueError, match="zero-dimensional"):
        np.concatenate([group.arange(3.0), 1.0])


def test_counts_of_nothing(group):
    for found, expected in zip(
        np.histogram(group.zeros(0), 4), np.histogram(np.zeros(0), 4), strict=True
    ):
        compare(found, expected, "histogram")


@pytest.mark.parametrize("ddof", [0, 1, 2, 3])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_variances_of_fewer_elements_than_degrees(group, ddof):
    for host in (np.array([1.0, 2.0]), np.array([3.0, 3.0])):
        np.testing.assert_equal(float(np.var(group.asarray(host), ddof=ddof)), host.var(ddof=ddof))


def test_random_numbers_are_those_of_one_device(group):
    for name, options in {
        "random": {},
        "standard_normal": {},
        "normal": {"loc": 2.0, "scale": 3.0},
        "uniform": {"low": -1.0, "high": 1.0},
        "integers": {"low": 0, "high": 100},
        "exponential": {},
    }.items():
        one, several = px.random.default_rng(5), group.default_rng(5)
        for shape in (11, (7, 3)):
            expected = np.asarray(getattr(one, name)(size=shape, **options))
            compare(getattr(several, name)(size=shape, **options), expected, name)


def test_what_makes_arrays(group):
    for shape in (9, (4, 3), (2, 5)):
        compare(group.zeros(shape), np.zeros(shape), "zeros")
        compare(group.ones(shape, "int32"), np.ones(shape, "int32"), "ones")
        compare(group.full(shape, 2.5), np.full(shape, 2.5), "full")
        assert group.empty(shape).shape == np.empty(shape).shape
        like = np.zeros_like(group.ones(shape, "float32"))
        compare(like, np.zeros(shape, "float32"), "like")
    for bounds in ((10,), (3, 50), (50, 3, -4), (0, 1, 0.1), (2.0,), (0,)):
        compare(group.arange(*bounds), np.arange(*bounds), bounds)


def test_drawn_parts_stay_on_their_devices_after_an_expression(group):
    x = group.default_rng(0).random(size=30)
    for part in (x * 0.5).parts:
        part._evaluate()
    expected = px.random.default_rng(0).random(size=30)
    assert np.isclose(float(x.sum()), float(expected.sum()))


def test_arrays_of_the_host_come_to_the_current_device(group):
    for each in group:
        with each:
            made = px.asarray(np.arange(3.0))
            assert made.device == each.name
            assert (made + np.ones(3)).device == each.name


def test_drawn_numbers_are_used_twice(group):
    # At their second use they were kept on the current device, whose arrays others are not.
    x = group.default_rng(0).standard_normal(size=(300, 4))
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    host = np.asarray(px.random.default_rng(0).standard_normal(size=(300, 4)))
    wanted = (host - host.mean(axis=0)) / host.std(axis=0)
    np.testing.assert_allclose(np.asarray(scaled), wanted, rtol=1e-12, atol=1e-12)


RECORDED = {
    "numbers in sequence": lambda: px.arange(100) * 1.5,
    "one number": lambda: px.zeros(100) + px.ones(100),
    "drawn": lambda: px.random.default_rng(0).random(size=100),
    "drawn by a distribution": lambda: px.random.default_rng(0).normal(3.0, 2.0, size=100),
    "drawn by rejection": lambda: px.random.default_rng(0).gamma(2.0, size=100),
    "drawn from values": lambda: px.random.default_rng(0).choice(50, 100),
    "drawn in another order": lambda: px.random.default_rng(0).permutation(100),
    "drawn whole numbers": lambda: px.random.default_rng(0).integers(0, 9, size=100),
    "long functions": lambda: px.exp(px.sin(px.arange(100) / 10)) ** 2,
}


@pytest.mark.parametrize("name", RECORDED)
def test_what_is_recorded_on_a_device_stays_there(group, name):
    """Also what its second reader keeps, where another device is current by then."""
    wanted = np.asarray(RECORDED[name]())
    with group[1]:
        made = RECORDED[name]()
    twice = made * 2
    with group[0]:
        for factor in (1, 2, 3):
            found = made * factor
            np.testing.assert_allclose(np.asarray(found), wanted * factor, rtol=1e-14)
            assert found.device == made.device == group[1].name
    np.testing.assert_allclose(np.asarray(twice), wanted * 2, rtol=1e-14)


@pytest.mark.parametrize("make", [lambda each: each, lambda each: px.asarray(1.0, device=each)])
def test_threads_share_a_device_object(group, make):
    """Each thread goes back to the device that was current in it."""
    first, second = group[0], group[1]
    shared = getattr(make(group[-1]), "device", group[-1])
    entered = [threading.Event(), threading.Event()]
    has_left = threading.Event()
    found = {}

    def enter_first():
        with first:
            with shared:
                entered[0].set()
                entered[1].wait(30)
            found[first.name] = px.current_device().name
            has_left.set()

    def leave_last():
        with second:
            entered[0].wait(30)
            with shared:
                entered[1].set()
                has_left.wait(30)
            found[second.name] = px.current_device().name

    threads = [threading.Thread(target=each) for each in (enter_first, leave_last)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {first.name: first.name, second.name: second.name}


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (np.unique, {"return_inverse": True}),
        (np.unique, {"axis": 0}),
        (np.sort, {"order": "x"}),
        (np.argsort, {"order": "x"}),
    ],
)
def test_what_numpy_takes_besides_is_told(group, function, options):
    with pytest.raises(NotImplementedError, match=rf"numpy\.{function.__name__} over .*gather\(\)"):
        function(group.arange(5), **options)


def test_wrong_arguments_are_no_missing_functions(group):
    with pytest.raises(TypeError):
        np.sort(group.arange(5), axis="x")
