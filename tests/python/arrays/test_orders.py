"""Orders of memory: what functions that make and copy arrays keep of them, as in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px
from arrays.math_table import agree, ours

pytestmark = pytest.mark.usefixtures("device")
ORDERS = ["C", "F", "A", "K", "c", "f", "a", "k", None]
LAYOUTS = {
    "C": lambda x: x,
    "Fortran": lambda x: (np if isinstance(x, np.ndarray) else px).asfortranarray(x),
    "turned": lambda x: x.transpose(1, 2, 0),
    "steps": lambda x: x[:, ::2].swapaxes(0, 1),
    "backwards": lambda x: x[:, ::-1].transpose(2, 0, 1),
}
COPIES = {
    "array": lambda m, x, order: m.array(x, order=order),
    "copy": lambda m, x, order: m.copy(x, order),
    "method": lambda m, x, order: x.copy(order),
    "empty_like": lambda m, x, order: m.empty_like(x, order=order) * 0,
    "zeros_like": lambda m, x, order: m.zeros_like(x, order=order),
    "ones_like": lambda m, x, order: m.ones_like(x, order=order),
    "full_like": lambda m, x, order: m.full_like(x, 3, order=order),
    "full_like of a row": lambda m, x, order: m.full_like(x, m.arange(x.shape[-1]), order=order),
}


def given(layout):
    x = LAYOUTS[layout](np.arange(48.0).reshape(2, 4, 6))
    return x, LAYOUTS[layout](ours(np.arange(48.0).reshape(2, 4, 6)))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", COPIES)
def test_copies_lie_in_memory_as_numpys(name, layout):
    x, y = given(layout)
    for order in ORDERS:
        expected, actual = COPIES[name](np, x, order), COPIES[name](px, y, order)
        agree(actual, expected)
        # What is recorded comes to memory in C order, and what is assigned as a whole.
        if name not in ("empty_like", "full_like of a row"):
            assert actual.strides == expected.strides


RECORDED = {
    "sum": lambda x: x + 1.5,
    "turned sum": lambda x: (x + 1.5).transpose(2, 0, 1),
    "sum of turned": lambda x: x.transpose(2, 0, 1) + 1.5,
    "part of a sum": lambda x: (x + 1.5)[:, ::2, ::-1],
    "cast": lambda x: x.astype("float32").swapaxes(0, 2),
    "fold": lambda x: (x.swapaxes(0, 1) * 2).sum(axis=0),
    "product": lambda x: (x @ x.swapaxes(1, 2)).swapaxes(0, 1),
    "joined": lambda x: x.__array_namespace__().concatenate([x, x + 1]).T,
    "broadcast": lambda x: (x[0] + x[:, :1]) * 2,
}


@pytest.mark.parametrize("name", RECORDED)
@pytest.mark.parametrize("order", ["C", "F"])
def test_copies_of_what_is_recorded(name, order):
    x, y = (RECORDED[name](make(np.arange(48.0).reshape(2, 4, 6))) for make in (np.array, ours))
    for copied in (lambda m, a: m.copy(a, order), lambda m, a: a.copy(order)):
        actual, expected = copied(px, y), copied(np, x)
        agree(actual, expected)
        assert actual.strides == expected.strides


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_shapes_like_an_array(layout):
    x, y = given(layout)
    for order in ORDERS:
        for shape in ((4, 2, 3), (5,), 7, (2, 2)):
            expected = np.zeros_like(x, order=order, shape=shape)
            actual = px.zeros_like(y, order=order, shape=shape)
            agree(actual, expected)
            assert actual.strides == expected.strides


@pytest.mark.parametrize("layout", LAYOUTS)
def test_ravels_read_in_the_order(layout):
    x, y = given(layout)
    for order in ORDERS[:-1]:
        agree(y.ravel(order), x.ravel(order))
        agree(px.ravel(y, order), np.ravel(x, order))
        assert y.ravel(order).flags.c_contiguous
        agree(y.flatten(order), x.flatten(order))


@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "eye", "full"])
def test_new_arrays_take_orders_in_small_letters(name):
    extra = (3,) if name == "full" else ()
    shape = 3 if name == "eye" else (2, 3)
    for order in ("C", "F", "c", "f"):
        made = getattr(px, name)(shape, *extra, order=order)
        expected = getattr(np, name)(shape, *extra, order=order)
        assert made.strides == expected.strides
        with pytest.raises(ValueError, match="order"):
            getattr(px, name)(shape, *extra, order="Q")


def test_ravels_have_no_gaps():
    for order in "CFAK":
        made = ours(np.arange(10))[::2].ravel(order)
        agree(made, np.arange(0, 10, 2))
        assert made.flags.c_contiguous


@pytest.mark.parametrize("layout", LAYOUTS)
def test_filling_keeps_the_order(layout):
    x, y = given(layout)
    y.fill(3)
    agree(y, np.full_like(x, 3))
    assert y.strides == given(layout)[1].strides
    row = ours(np.zeros((2, 3)))
    row.T.fill(1)
    assert row.tolist() == np.ones((2, 3)).tolist()


def test_orders_that_are_none():
    x = np.arange(6).reshape(2, 3)
    agree(ours(x).astype("f4", order="F"), x.astype("f4", order="F"))
    assert ours(x).astype("f4", order="f").flags.f_contiguous
    assert px.asarray(ours(x), order="f").flags.f_contiguous
    agree(ours(x).reshape(3, 2, order="f"), x.reshape(3, 2, order="f"))
    with pytest.raises(ValueError, match="not permitted"):
        ours(x).reshape(3, 2, order="K")
    fortran = px.asfortranarray(ours(x) * 2)
    assert fortran.flags.f_contiguous
    assert px.zeros_like(fortran).flags.f_contiguous


def test_an_order_that_needs_a_copy():
    for library in (np, px):
        x = library.asarray(np.zeros((2, 3)))
        for copying in (library.array, library.asarray):
            with pytest.raises(ValueError, match="copy"):
                copying(x, order="F", copy=False)
            assert copying(x, order="C", copy=False).shape == (2, 3)
            assert copying(x.T, order="F", copy=False).shape == (3, 2)


def test_nothing_to_do_gives_the_array_itself():
    x = px.asfortranarray(px.arange(6).reshape(2, 3))
    assert x.astype("i8", order="F", copy=False) is x
    assert px.asarray(x, order="F") is x
    assert x.conj() is x
    assert x.conjugate() is x
    agree((x * 1j).conj(), (np.arange(6).reshape(2, 3) * 1j).conj())


def test_copyto_of_numbers():
    for value in (-4, 300):
        for library in (np, px):
            with pytest.raises(OverflowError, match="uint8"):
                library.copyto(library.ones(2, "u1"), value)
    for where in (3.2, 0, 1j, True):
        expected, actual = np.zeros(2), px.zeros(2)
        np.copyto(expected, np.ones(2), where=where)
        px.copyto(actual, px.ones(2), where=where)
        agree(actual, expected)


@pytest.mark.parametrize("name", ["mean", "nanmean", "var", "nanvar"])
def test_means_of_whole_numbers_go_into_whole_numbers(name):
    x = np.arange(12).reshape(3, 4)
    expected, actual = np.zeros(4, "i4"), px.zeros(4, "i4")
    getattr(np, name)(x, axis=0, out=expected)
    assert getattr(px, name)(px.asarray(x), axis=0, out=actual) is actual
    agree(actual, expected)
    for library in (np, px):
        call = getattr(library, name)
        floats, out = library.ones((3, 4)), library.zeros(4, "i4")
        if name.startswith("nan"):
            with pytest.raises(TypeError):
                call(floats, axis=0, out=out)
        else:
            call(floats, axis=0, out=out)
            assert out.tolist() == [int(name == "mean")] * 4


@pytest.mark.parametrize("name", ["sum", "prod"])
def test_sums_of_truth_values_are_of_the_dtype_that_they_go_to(name):
    x = np.array([[True, True], [False, True]])
    for dtype in ("?", "u1", "i2", "f4", "c8"):
        expected, actual = np.zeros(2, dtype), px.zeros(2, dtype)
        getattr(np, name)(x, axis=1, out=expected)
        getattr(px, name)(px.asarray(x), axis=1, out=actual)
        agree(actual, expected)


def test_the_sum_of_weights_can_be_written_to():
    mean, total = px.average(px.arange(6.0).reshape(2, 3), axis=0, returned=True)
    assert mean.tolist() == [1.5, 2.5, 3.5]
    assert total.flags.c_contiguous
    total[0] = 7
    assert total.tolist() == [7, 2, 2]


def test_replacements_of_nan_fit():
    x = np.array([0, np.nan, np.inf])
    for library in (np, px):
        for name in ("nan", "posinf", "neginf"):
            with pytest.raises(ValueError):
                library.nan_to_num(library.asarray(x), **{name: library.zeros((2, 3))})
    agree(px.nan_to_num(px.asarray(x), nan=px.arange(3.0)), np.nan_to_num(x, nan=np.arange(3.0)))


def test_medians_may_overwrite():
    x = np.random.default_rng(1).random((3, 5))
    for name, extra in (("median", ()), ("percentile", (30,)), ("quantile", (0.3,))):
        actual = getattr(px, name)(px.asarray(x.copy()), *extra, axis=1, overwrite_input=True)
        agree(actual, getattr(np, name)(x, *extra, axis=1))


def test_the_flat_array_has_no_new_axes():
    with pytest.raises(IndexError):
        px.ones((2, 3)).flat[None]


def test_bytes_swapped_and_pickles(tmp_path):
    x = np.arange(6, dtype="i4").reshape(2, 3)
    y = px.array(x)
    agree(y.byteswap(), x.byteswap())
    assert y.byteswap(inplace=True) is y
    agree(y, x.byteswap())
    y.dump(tmp_path / "dumped")
    agree(np.load(tmp_path / "dumped", allow_pickle=True), x.byteswap())
    assert px.ndarray[int, float].__origin__ is px.ndarray


def test_the_address_of_an_array():
    x = px.zeros((4, 6))
    assert x[1:].data.ptr == x.data.ptr + 48
    assert (x.data + 16).size == 4 * 48 - 16
    with pytest.raises(ValueError, match="gaps"):
        _ = x[:, ::2].data.of_bytes


@pytest.mark.parametrize("seed", range(40))
def test_elements_in_the_order_of_memory(seed):
    """Repeated elements, reversed and transposed dimensions among them."""
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 4, random.integers(1, 5)).tolist())
    given = np.arange(np.prod(shape)).reshape(shape)
    wide = tuple(int(random.integers(1, 4)) if n == 1 else n for n in shape)
    axes = random.permutation(len(shape)).tolist()
    key = tuple(slice(None, None, int(random.choice([-1, 1]))) for _ in shape)

    def made(xp):
        x = xp.asarray(given)
        return xp.broadcast_to(x, wide)[key].transpose(axes)

    px.asarray(given)._evaluate()
    for order in "CFAK":
        assert made(px).ravel(order).tolist() == made(np).ravel(order).tolist()
        assert made(px).flatten(order).tolist() == made(np).flatten(order).tolist()
