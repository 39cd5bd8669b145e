"""Sorts of GPUs over several devices: by buckets, or of sorted parts that are cut and merged."""

import itertools

import numpy as np
import pytest
from phalanx._arrays.spread import cuts, exchanging, merging
from phalanx._arrays.spread.barrier import reaches
from phalanx._arrays.spread.layout import Layout
from phalanx._sorting import exchange, parts, rows

import phalanx as px

DTYPES = ("bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64")
SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0)
WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
ALL = ("bool", *WHOLE, "float16", "float32", "float64")
SIZES = (*range(11), 511, 512, 513, 5003)
CASES = ("random", "equal", "two values", "sorted", "reversed", "special", "first part only")


@pytest.fixture
def small_tiles(monkeypatch):
    """By the kernels of GPUs, on devices of any kind; of 512 keys, so that parts have several."""
    monkeypatch.setattr(merging, "takes", lambda x: x.dtype.kind in "biuf")
    monkeypatch.setattr(exchange, "TILE", 512)
    monkeypatch.setattr(exchange, "tile_of", lambda what: parts.Tile(512, 1, 64, what.digits))


def some_of(group, count):
    return px.devices(*(each.name for each in group[:count]))


def reach(group):
    return all(reaches(a._device, b._device) for a in group for b in group)


def filled(case, dtype, size):
    random = np.random.default_rng(size)
    host = random.normal(size=size) * 9
    host = (host.astype("int64") if np.dtype(dtype).kind in "iu" else host).astype(dtype)
    if case == "equal":
        host[:] = 1
    elif case == "two values":
        host[:] = random.integers(0, 2, size)
    elif case in ("sorted", "reversed"):
        host = np.sort(host)[:: 1 if case == "sorted" else -1]
    elif case == "special" and host.dtype.kind == "f":
        host = random.choice(np.array([*SPECIAL, -np.nan, 1], dtype), size)
    elif case == "special":
        most = np.array([0, 1]) if dtype == "bool" else np.iinfo(dtype)
        host = random.choice([most[0], most[1]] if dtype == "bool" else [most.min, most.max], size)
    return np.ascontiguousarray(host, dtype)


def check(x, host):
    """Sorts it, stably to the last bit, into even parts."""
    made = np.sort(x, kind="stable")
    expected = host[np.argsort(host, kind="stable")]
    bits = f"u{host.itemsize}"
    np.testing.assert_array_equal(np.asarray(made).view(bits), expected.view(bits))
    np.testing.assert_array_equal(np.asarray(x).view(bits), host.view(bits))
    assert made.layout.sizes == exchanging.even(len(host), len(x.group))
    assert made.dtype == host.dtype


@pytest.mark.parametrize("devices", [1, 2, 3])
@pytest.mark.parametrize("dtype", ALL)
def test_keys_go_to_their_buckets(group, small_tiles, dtype, devices):
    some = some_of(group, min(devices, len(group)))
    for case, size in itertools.product(CASES, SIZES):
        host = filled(case, dtype, size)
        x = some.asarray(host)
        if case == "first part only":
            x = x.placed(some, Layout(0, (size, *[0] * (len(some) - 1))))
        check(x, host)
        if size > len(some) > 1 and reach(some):
            assert exchanging.sort(x) is not None, f"{case} {size}"


@pytest.mark.parametrize("dtype", ["uint8", "float32", "int64"])
def test_keys_are_exchanged_before_the_first_pass(group, small_tiles, monkeypatch, dtype):
    """Also of two devices, whose exchange is the first pass else."""
    monkeypatch.setattr(exchange, "_MOST_DIGITS", 0)
    host = filled("special", dtype, 5000)
    check(some_of(group, 2).asarray(host), host)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "int64"])
def test_more_keys_than_counts_of_32_bits_have_room_for(group, small_tiles, monkeypatch, dtype):
    monkeypatch.setattr(rows, "_MOST_COUNTED", 1)
    for devices in (2, len(group)):
        host = filled("random", dtype, 5000)
        check(some_of(group, devices).asarray(host), host)


def test_what_is_over_the_end_of_a_part_goes_to_other_devices(group, small_tiles, monkeypatch):
    """Buckets of a bad sample, with margins that have room for all the same."""
    monkeypatch.setattr(exchanging, "_SAMPLE", 1)
    monkeypatch.setattr(exchanging, "_MARGIN", 4)
    for size in (2000, 9001):
        host = filled("random", "float32", size)
        x = group.asarray(host)
        check(x, host)
        assert exchanging.sort(x) is not None or not reach(group)


def test_parts_are_merged_where_buckets_are_uneven(group, small_tiles, monkeypatch):
    monkeypatch.setattr(exchanging, "_SAMPLE", 1)
    monkeypatch.setattr(exchanging, "_MARGIN", 0)
    monkeypatch.setattr(exchange, "TILE", 0)
    host = filled("random", "float32", 9000)
    x = group.asarray(host)
    assert exchanging.sort(x) is None
    check(x, host)


def test_samples_are_where_the_host_thinks_they_are(group):
    for size, stride in ((10, 1), (1000, 7), (1001, 100)):
        part = px.arange(size, dtype="uint32", device=group[0])
        drawn = np.asarray(exchange.samples(part, stride)).tolist()
        places = [exchange.place_of_sample(i, stride, size) for i in range(len(drawn))]
        assert drawn == places
        assert len(set(drawn)) == len(drawn) == -(-size // stride)


def test_gpus_merge_what_each_has_sorted(group, monkeypatch):
    """By the kernels of GPUs, on devices of any kind; equal elements keep their order."""
    monkeypatch.setattr(merging, "takes", lambda x: x.dtype.kind in "biuf")
    monkeypatch.setattr(exchanging, "sort", lambda x: None)
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
