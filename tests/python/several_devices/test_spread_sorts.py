"""Sorts of GPUs over several devices: parts are sorted, cut, and merged where they are to be."""

import itertools

import numpy as np
import pytest
from phalanx._arrays.spread import cuts, merging

import phalanx as px

DTYPES = ("bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64")
SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0)


def test_gpus_merge_what_each_has_sorted(group, monkeypatch):
    """By the kernels of GPUs, on devices of any kind; equal elements keep their order."""
    monkeypatch.setattr(merging, "takes", lambda x: x.dtype.kind in "biuf")
    random = np.random.default_rng(2)
    for dtype, size in itertools.product(DTYPES, (4, 50, 20_000)):
        host = (random.normal(size=size) * 9).astype(dtype)
        if host.dtype.kind == "f":
            host[::5] = random.choice(SPECIAL, len(host[::5]))
        x = group.asarray(host)
        made = np.sort(x, kind="stable")
        expected = np.sort(host, kind="stable")
        np.testing.assert_array_equal(np.asarray(made), expected, f"{dtype} {size}")
        np.testing.assert_array_equal(np.signbit(np.asarray(made)), np.signbit(expected))
        np.testing.assert_array_equal(np.asarray(x), host)
        assert made.layout == x.layout, f"{dtype} {size}"
    nothing = group.full(90, np.nan)
    assert np.isnan(np.asarray(np.sort(nothing))).all()
    with pytest.raises(ValueError, match="kind"):
        np.sort(nothing, kind="bogus")


@pytest.mark.parametrize("sample", [2, 5, 4096])
def test_sorted_parts_are_cut_where_so_many_elements_are_before(monkeypatch, sample):
    monkeypatch.setattr(cuts, "_SAMPLE", sample)
    random = np.random.default_rng(4)
    for dtype, few in itertools.product(("int8", "float32", "float64"), (3, 1000)):
        for sizes in ((40, 0, 300), (1, 2, 3), (500, 500, 500), (0, 0, 1), (900,)):
            whole = (random.integers(-few, few, sum(sizes)) / 3).astype(dtype)
            if whole.dtype.kind == "f":
                whole[::7] = random.choice(SPECIAL, len(whole[::7]))
            parts = [np.sort(each) for each in np.split(whole, np.cumsum(sizes)[:-1])]
            order = np.argsort(np.concatenate(parts), kind="stable")
            owners = np.repeat(np.arange(len(sizes)), sizes)[order]
            ranks = sorted(random.integers(0, len(whole) + 1, 4).tolist())
            expected = [np.bincount(owners[:rank], minlength=len(sizes)).tolist() for rank in ranks]
            assert cuts.cuts([px.asarray(each) for each in parts], ranks) == expected
