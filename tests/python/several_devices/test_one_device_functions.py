"""Every public function of arrays given a spread one: done where it lies, or refused."""

import itertools
import re
import warnings

import numpy as np
import pytest
from phalanx._arrays import names

import phalanx as px


def functions_of(owner, listed):
    """The functions, by name: no ufuncs, no classes, and none that are NumPy's own."""
    given = ((name, getattr(owner, name)) for name in listed if not name.startswith("_"))
    return {
        name: each
        for name, each in given
        if callable(each) and not isinstance(each, (type, px.ufunc)) and not is_numpys(each)
    }


def is_numpys(function):
    return getattr(function, "__module__", "").startswith("numpy")


SPACES = {each: getattr(px, each) for each in names.NAMESPACES}
SPACES["generator"] = px.random.default_rng(0)
FUNCTIONS = functions_of(px, names.NAMES) | {
    f"{space}.{name}": each
    for space, owner in SPACES.items()
    for name, each in functions_of(owner, dir(owner)).items()
}


def arguments(group):
    x = group.asarray(np.array([3.0, 1.0, 2.0, 0.5, 7.0, 4.0, 2.0]))
    m = group.asarray(np.arange(12.0).reshape(4, 3) + np.eye(4, 3))
    square = group.asarray(np.eye(4) * 3)
    yield from ((x,), (m,), (square,), (x, x), (square, x[:4]), ([x, x],), ((x, x),))
    yield from ((x, 1), (1, x), (m, 1, 0), (x, x, x), (px.ones(7), x), ([1.0, 2.0], x), (x, [1, 2]))


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_nothing_moves_without_being_told(group, went_to_host, name):
    for given in arguments(group):
        went_to_host.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                FUNCTIONS[name](*given)
            except NotImplementedError as error:
                assert re.search("device|gather", str(error)), error
                continue
            except Exception:  # of other arguments than these, before it looked at the elements
                continue
        assert not went_to_host, given


@pytest.mark.parametrize("name", ["sort", "sum", "argsort", "mean", "unique", "ones_like"])
def test_what_numpys_name_does_is_told(group, name):
    x = group.arange(7)
    getattr(np, name)(x)
    with pytest.raises(NotImplementedError, match=rf"phalanx's {name} .*NumPy's.*gather"):
        getattr(px, name)(x)


def test_names_of_the_shape_are_for_all(group):
    x = group.zeros((4, 3))
    assert (px.shape(x), px.ndim(x), px.size(x)) == ((4, 3), 2, 12)


CALLS = {
    "dtype after the axis": lambda m, x: m.sum(x, 0, "float32"),
    "dtype of a product": lambda m, x: m.prod(x, 1, "float32"),
    "degrees of freedom after out": lambda m, x: m.var(x, 0, None, None, 1),
    "degrees of freedom of std": lambda m, x: m.std(x, 1, None, None, 1),
    "axes kept after out": lambda m, x: m.mean(x, 0, None, None, True),
    "axes kept of a position": lambda m, x: m.argmin(x, 0, None, keepdims=True),
    "the array by name": lambda m, x: m.max(a=x, axis=1),
    "running sums": lambda m, x: m.cumsum(x, 0, "float32"),
}


@pytest.mark.parametrize("call", CALLS)
def test_reductions_take_arguments_in_numpys_order(group, call):
    host = np.arange(20.0).reshape(5, 4) / 7
    for split in (0, 1):
        found, expected = (CALLS[call](np, x) for x in (group.asarray(host, axis=split), host))
        assert found.shape == expected.shape and found.dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)


@pytest.mark.parametrize(
    "options", [{"out": np.zeros(())}, {"initial": 5.0}, {"where": [True] * 7}]
)
def test_options_of_one_device_are_refused(group, options):
    with pytest.raises(NotImplementedError, match="over devices takes"):
        np.sum(group.arange(7.0), **options)


GAPS = ("nanmean", "nanvar", "nanstd", "nansum", "nanmin", "nanmax", "nanprod")


@pytest.mark.parametrize("name", GAPS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_reductions_leave_out_gaps(group, name):
    host = np.random.default_rng(0).normal(1e3, 1.0, (40, 6))
    host[::3, 1] = host[:, 4] = host[30:, 2] = np.nan
    reduce = getattr(np, name)
    for split, dtype in itertools.product((0, 1), ("float64", "float32", "float16")):
        values = (host - 1000 * (dtype == "float16")).astype(dtype)
        spread = group.asarray(values, axis=split)
        for axis in (None, 0, 1, (0, 1)):
            found, expected = (reduce(x, axis=axis, keepdims=True) for x in (spread, values))
            assert found.shape == expected.shape and found.dtype == expected.dtype
            near = {"float64": 1e-9, "float32": 1e-3, "float16": 1e-2}[dtype]
            np.testing.assert_allclose(np.asarray(found), expected, rtol=near, atol=near)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_degrees_of_freedom_of_few_numbers(group):
    host = np.array([[1, 2.0, np.nan], [np.nan, 5, np.nan], [3, np.nan, np.nan], [np.nan] * 3])
    for split, ddof in itertools.product((0, 1), (0, 1, 2, 3)):
        found = np.nanvar(group.asarray(host, axis=split), axis=0, ddof=ddof)
        np.testing.assert_allclose(np.asarray(found), np.nanvar(host, axis=0, ddof=ddof))
    whole = np.nanstd(group.arange(9), ddof=1)
    assert float(whole) == pytest.approx(np.arange(9).std(ddof=1))


def test_an_axis_to_spread_along_counts_from_the_end(group):
    host = np.arange(24.0).reshape(6, 4)
    spread = group.asarray(host).respread(axis=-1)
    assert spread.axis == 1 and np.array_equal(np.asarray(spread), host)
    with pytest.raises(ValueError, match="no axis 5"):
        spread.respread(axis=5)


def test_a_name_that_is_not_there_tells_of_gather(group):
    x = group.arange(9)
    with pytest.raises(AttributeError, match=r"x\.gather\(\)\.tolist"):
        x.tolist()
    with pytest.raises(AttributeError, match=r"attribute 'maen'$"):
        x.maen()
    with pytest.raises(TypeError, match=r"SpreadArray\.sum\(\)"):
        x.sum(where=x > 3)
    with pytest.raises(TypeError, match=r"x\.parts"):
        px.explain(x)


def test_elements_are_looked_for(group):
    x = group.asarray(np.arange(12.0).reshape(4, 3))
    assert 5 in x and 12 not in x


def test_lists_are_split_as_arrays_are(group):
    count = len(group)  # one element on each device
    host = np.arange(count)
    found = group.arange(count) + host.tolist()
    assert np.asarray(found).tolist() == (host + host).tolist()
    rows, host = group.zeros((3 * count, 2)), np.zeros((3 * count, 2))
    for key in (slice(0, 2), slice(2, 4), slice(0, 5, 3)):
        rows[key] = host[key] = [[1, 2], [3, 4]]
    assert np.array_equal(np.asarray(rows), host)
    where = [True, False, *[True] * (3 * count - 2)]
    made = np.add(group.ones(3 * count), 1, where=where, out=group.zeros(3 * count))
    assert np.asarray(made).tolist() == [2.0 * each for each in where]


def test_a_list_is_not_assigned_to_each_devices_own(group):
    x = group.arange(2 * len(group))
    with pytest.raises(NotImplementedError, match=r"np\.where"):
        x[x % 2 == 0] = [7]
    x[x % 2 == 0] = 7
    assert np.asarray(x).tolist() == [7 if i % 2 == 0 else i for i in range(2 * len(group))]
