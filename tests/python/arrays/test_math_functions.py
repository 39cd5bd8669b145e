"""Elementwise functions, sorting, sets, statistics and products, by a table of calls of NumPy's."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from phalanx._arrays import hosted, names

import phalanx as px
from arrays.math_table import DTYPES, agree, check, layouts, ours, sample

pytestmark = pytest.mark.usefixtures("device")

F = sample("float32", (3, 4), is_special=False)
S = sample("float64", (4, 5))
I = sample("int16", (3, 4))  # noqa: E741
U = sample("uint8", (3, 4))
B = sample("bool", (3, 4))
Z = sample("complex64", (3, 4), is_special=False)
SORTED = np.array([1.0, 2.0, 2.0, 5.0])
REAL = [S, F, I, U, sample("float16", (3, 4), is_special=False)]
ANY = [*REAL, B, Z]

CALLS: dict[str, list[tuple]] = {
    "clip": [
        *((x, 1, 2) for x in REAL), (F, None, 0.5), (F, -0.5, None), (I, 0.5, 2), (U, -3, 300),
        (I, -1, 2**40), (F, F.T[0, 0], F), (F, None, None), (I, 2**20, 2**21),
    ],
    "round": [*((x,) for x in ANY), *((x, 1) for x in ANY), *((x, -1) for x in (F, I, U, Z))],
    "around": [(F, 2)],
    "fix": [(x,) for x in (S, F, I, B)],
    "sinc": [(x,) for x in (S, F, I, Z)],
    "nan_to_num": [(x,) for x in (*ANY, sample("complex128"))] + [(S, True, 1.0, 2.0, -3.0)],
    "angle": [(x,) for x in (F, Z, S)] + [(Z, True)],
    "isclose": [(F, F + 1e-7), (S, S), (S, S, 1e-3, 1e-3, True), (I, I + 1), (Z, Z), (U, 2)],
    "allclose": [(F, F + 1e-7), (S, S), (S, S, 1e-3, 1e-3, True), (F, I)],
    "array_equal": [(F, F), (S, S), (S, S, True), (F, I), (F, F[0])],
    "array_equiv": [(F, F), (F, F[0]), (F[[0, 0]], F[0]), (F, I.T)],
    "iscomplex": [(x,) for x in ANY],
    "isreal": [(x,) for x in ANY],
    "isposinf": [(x,) for x in ANY],
    "isneginf": [(x,) for x in ANY],
    "iscomplexobj": [(x,) for x in ANY],
    "isrealobj": [(x,) for x in ANY],
    "diff": [*((x,) for x in ANY), (F, 2), (F, 0), (F, 1, 0), (F, -1), (F, 9), (np.float32(1),)],
    "trapezoid": [(F,), (F, None, 2.0), (F, np.arange(4.0)), (F, F**2, 1.0, 0), (I, None, 1, 0)],
    "cumulative_sum": [(F[0],), (I[0],), (F,)],
    "cumulative_prod": [(F[0],), (B[0],), (F,)],
    "sort": [(x,) for x in ANY] + [(F, 0), (F, None), (F, 2), (S, -1, "stable")],
    "argsort": [(x, -1, "stable") for x in ANY] + [(F, 0), (F, 2), (F, None, "stable")],
    "searchsorted": [
        (SORTED, 2), (SORTED, [0, 2, 9], "right"), (SORTED, S),
        (SORTED[::-1], 2.0, "left", [3, 2, 1, 0]),
    ],
    "lexsort": [((I[0], U[0]),), (I,)],
    "partition": [(F, 2), (F, 1, 0)],
    "argpartition": [(SORTED, 2)],
    "sort_complex": [(Z,), (I,)],
    "unique": [(x,) for x in (*REAL, B, Z)] + [(I, True, True, True), (I, False, False, False, 0)],
    "isin": [(I, [1, 2]), (F, F[0]), (U, 3)],
    "union1d": [(I, U)],
    "intersect1d": [(I, U), (I, U, False, True)],
    "setdiff1d": [(I, [1, 2])],
    "setxor1d": [(I, [1, 9])],
    "unique_all": [(I,)],
    "unique_counts": [(U,)],
    "unique_inverse": [(F,)],
    "unique_values": [(B,)],
    "median": [(F,), (F, 0), (F, (0, 1)), (S, 1), (I, None)],
    "nanmedian": [(S,), (S, 0)],
    "percentile": [(F, 30), (F, [10, 50.0], 1), (I, 25, 0)],
    "nanpercentile": [(S, 30, 0)],
    "quantile": [(F, 0.3), (F, [0.1, 0.5], 1)],
    "nanquantile": [(S, 0.3, 0)],
    "nanargmin": [(F, 0), (np.full(3, np.nan),)],
    "nanargmax": [(F, 0), (np.full(3, np.nan),)],
    "cov": [(F,), (F, F + 1), (Z,)],
    "corrcoef": [(F,)],
    "correlate": [(F[0], F[1], "full")],
    "convolve": [(F[0], F[1]), (I[0], I[1], "same")],
    "histogram": [(F,), (F, 3), (I, [0, 1, 2]), (F, 4, (-1, 1))],
    "histogram2d": [(F[0], F[1], 3)],
    "histogramdd": [(F.T, 3)],
    "histogram_bin_edges": [(F, 5)],
    "bincount": [(U[0],), (U[0], F[0]), (U[0], None, 12)],
    "digitize": [(F, SORTED), (F, SORTED, True)],
    "cumsum": [*((x,) for x in ANY), (F, 0), (I, 1, "int32"), (F, 3)],
    "cumprod": [*((x,) for x in ANY), (F, 0)],
    "nancumsum": [(np.nan_to_num(S, nan=np.nan, posinf=1, neginf=2),)],
    "nancumprod": [(np.nan_to_num(S, nan=np.nan, posinf=1, neginf=2), 1)],
    "ediff1d": [(F,), (I, 1, 2)],
    "gradient": [(F,), (F[0], 2.0)],
    "interp": [(F, np.arange(4.0), SORTED)],
    "unwrap": [(F * 9,)],
    "i0": [(F,)],
    "real_if_close": [(Z,), (Z.real + 0j,), (F,)],
    "dot": [(F, F.T), (F[0], F[1]), (F, 2.0), (F, F)],
    "vdot": [(F, F), (Z, Z)],
    "inner": [(F, F), (Z, 2)],
    "outer": [(F, F[0]), (I, F)],
    "tensordot": [(F, F.T, 1), (F, F, 2), (F, F, ([0], [0]))],
    "einsum": [("ij,kj->ik", F, F), ("ii", F[:, :3]), ("ij->", I)],
    "einsum_path": [],
    "kron": [(I, U)],
    "cross": [(F[:, :3], F[:, 1:]), (F[0, :3], I[:, :3])],
    "packbits": [(I,), (F > 1, -1), (U, 0, "little")],
    "unpackbits": [(U,), (U, -1, 5)],
    "apply_along_axis": [(np.flip, 0, F), (np.cumsum, -1, I)],
    "piecewise": [(F, [F < 0, F > 1], [1, 2, 3]), (I, [I > 0], [np.negative])],
    **{name: [(7,)] for name in ("bartlett", "blackman", "hamming", "hanning")},
    "kaiser": [(7, 5.0)],
}  # fmt: skip


def test_every_function_is_called():
    modules = ("elementwise", "scans", "differences", "sorting", "hosted", "counting", "products")
    modules += ("einsum", "histograms", "quantiles", "sets")
    public = {name for module in modules for name in names.MODULES[module].split()}
    assert public - {"real", "imag", "topk"} == set(CALLS)  # topk is not NumPy's
    assert set(names.MODULES["hosted"].split()) == set(hosted._DOCS)


@pytest.mark.parametrize("name", CALLS)
def test_calls(device, name):
    for args in CALLS[name]:
        check(name, *args)
        if name not in ("histogram2d", "histogramdd") and args and isinstance(args[0], np.ndarray):
            reverse = layouts(args[0])["reversed"]
            check(name, reverse, *args[1:])


def test_keywords(device):
    check("clip", F, min=0, max=1)
    check("clip", F, max=1)
    check("clip", F, a_min=0, a_max=1)
    with pytest.raises(ValueError, match="forbidden"):
        px.clip(ours(F), 0, 1, a_min=2)
    agree(px.clip(ours(F), 0.5), np.clip(F, min=0.5))
    check("clip", F, 0, 1, out=np.zeros((3, 4), "float32"))
    check("clip", F, 0, 1, dtype="float64")
    check("diff", F, prepend=0, append=F[:, :1])
    check("cumulative_sum", F, axis=1, include_initial=True, dtype="float64")
    check("cumulative_prod", F, axis=0, include_initial=True)
    check("sort", F, stable=True)
    check("unique", I, return_counts=True, axis=1)
    check("isin", I, [1, 2], invert=True)
    check("histogram", F, weights=np.abs(F), density=True)
    check("median", F, axis=1, keepdims=True)
    check("percentile", F, 40, axis=0, method="nearest")
    check("cumsum", F, axis=0, out=np.zeros((3, 4), "float32"))
    check("median", F, axis=0, out=np.zeros(4, "float32"))
    check("median", F, 0, np.zeros((1, 4), "float32"), False, True)
    check("einsum", "ij->i", F, out=np.zeros(3, "float32"))
    assert px.einsum_path("ij,jk", ours(F), ours(F.T)) == np.einsum_path("ij,jk", F, F.T)


def test_out_is_what_comes_back(device):
    for call in (
        lambda out: px.median(ours(F), axis=0, out=out),
        lambda out: px.cumulative_sum(ours(F[0]), out=out),
        lambda out: px.round(ours(F[0]), out=out),
        lambda out: px.nansum(ours(F), axis=0, out=out),
    ):
        out = px.asarray(np.zeros(4, "float32"))
        view = out[1:]
        assert call(out) is out
        assert np.asarray(out).any()
        agree(view, np.asarray(out)[1:])


@pytest.mark.parametrize("dtype", DTYPES)
def test_descending(device, dtype):
    array = sample(dtype, (3, 5), is_special=False)
    made = px.sort(ours(array), descending=True)
    agree(made, np.flip(np.sort(array), -1))
    indices = np.asarray(px.argsort(ours(array), descending=True))
    agree(px.asarray(np.take_along_axis(array, indices, -1)), np.flip(np.sort(array), -1))
    first = np.asarray(px.argsort(ours(np.zeros(4, dtype)), descending=True, stable=True))
    assert first.tolist() == [0, 1, 2, 3]
    agree(px.sort(ours(array), axis=None, descending=True), np.sort(array, axis=None)[::-1])
    assert px.argsort(ours(array), axis=None, descending=True).shape == (15,)


def test_sorting_in_place(device):
    array, expected = ours(F), F.copy()
    view = array[0]
    assert array.sort() is None
    expected.sort()
    agree(array, expected)
    agree(view, expected[0])
    array.sort(0)
    expected.sort(0)
    agree(array, expected)
    array.partition(1, axis=0)
    assert np.array_equal(np.sort(np.asarray(array), 0), expected)
    check(".argpartition", SORTED, 2)
    array, expected = ours(I), I.copy()
    array.partition(1)
    expected.partition(1)
    assert np.array_equal(np.asarray(array)[:, 1], expected[:, 1])


def test_nan_to_num_in_place(device):
    x = px.asarray(np.array([1.0, np.nan, np.inf]))
    assert px.nan_to_num(x, copy=False, posinf=7) is x
    agree(x, np.array([1.0, 0, 7]))


def test_results_do_not_share_memory_with_operands(device):
    for name, args in (("real_if_close", (F,)), ("trapezoid", (F,))):
        given = [ours(each) for each in args]
        made = getattr(px, name)(*given)
        before = np.array(made)
        next(each for each in given if isinstance(each, px.ndarray))[...] = 9
        agree(made, before)


def test_signatures_and_docs():
    for name in CALLS:
        function = getattr(px, name)
        assert function.__doc__ and function.__name__ in (name, "round")
        theirs = [*inspect.signature(getattr(np, name)).parameters]
        own = [*inspect.signature(function).parameters]
        missing = [each for each in theirs if each not in own and each not in ("kwargs", "subok")]
        assert not missing, name
