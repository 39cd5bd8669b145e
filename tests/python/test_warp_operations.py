"""Votes, shuffles and matches of a warp, against NumPy, with and without divergence."""

import linecache

import numpy as np
import pytest
from phalanx.errors import TypingError

from phalanx import cuda

FULL = 0xFFFFFFFF
LANES = np.arange(32)


@cuda.jit
def votes(values, out):
    i = cuda.threadIdx.x
    out[0, i] = cuda.all_sync(FULL, values[i] > 0)
    out[1, i] = cuda.any_sync(FULL, values[i] > 0)
    out[2, i] = cuda.eq_sync(FULL, values[i] > 0)
    out[3, i] = cuda.ballot_sync(FULL, values[i] > 0)


@pytest.mark.parametrize("threads", [7, 32, 75])
@pytest.mark.parametrize("share", [0, 50, 100])
def test_votes(threads, share, device):
    values = (np.random.default_rng(share).integers(0, 100, threads) < share).astype(np.int32)
    out = np.full((4, threads), 77, np.int32)
    votes[1, threads](values, out)
    for first in range(0, threads, 32):
        warp = values[first : first + 32] > 0
        part = out[:, first : first + 32]
        assert (part[0] == warp.all()).all()
        assert (part[1] == warp.any()).all()
        assert (part[2] == (warp.all() or not warp.any())).all()
        bits = np.uint32(sum(1 << int(lane) for lane in np.flatnonzero(warp))).view(np.int32)
        assert (part[3] == bits).all()


@cuda.jit
def shuffles(values, lane, out):
    i = cuda.threadIdx.x
    out[0, i] = cuda.shfl_sync(FULL, values[i], lane)
    out[1, i] = cuda.shfl_up_sync(FULL, values[i], lane)
    out[2, i] = cuda.shfl_down_sync(FULL, values[i], lane)
    out[3, i] = cuda.shfl_xor_sync(FULL, values[i], lane)
    out[4, i] = cuda.shfl_sync(FULL, values[i], i * 7 + lane)


DTYPES = [
    np.bool_, np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32,
    np.float64, np.complex64, np.complex128,
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lane", [0, 1, 5, 31])
def test_shuffles(dtype, lane, device):
    values = np.random.default_rng(3).integers(0, 200, 32).astype(dtype)
    out = np.zeros((5, 32), dtype)
    shuffles[1, 32](values, np.int32(lane), out)
    up, down = LANES - lane, LANES + lane
    np.testing.assert_array_equal(out[0], values[np.full(32, lane)])
    np.testing.assert_array_equal(out[1], values[np.where(up >= 0, up, LANES)])
    np.testing.assert_array_equal(out[2], values[np.where(down < 32, down, LANES)])
    np.testing.assert_array_equal(out[3], values[LANES ^ lane])
    np.testing.assert_array_equal(out[4], values[(LANES * 7 + lane) % 32])


@cuda.jit
def matches(values, same, all_same):
    i = cuda.threadIdx.x
    same[i] = cuda.match_any_sync(FULL, values[i])
    mask, is_all = cuda.match_all_sync(FULL, values[i])
    all_same[i] = mask if is_all else 0


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("kinds", [1, 3, 32])
def test_matches(dtype, kinds, device):
    values = (LANES % kinds).astype(dtype)
    same, all_same = np.zeros(32, np.uint32), np.zeros(32, np.uint32)
    matches[1, 32](values, same, all_same)
    equal = values[:, None] == values[None, :]
    np.testing.assert_array_equal(same, (equal * (1 << LANES.astype(np.uint64))).sum(axis=1))
    assert (all_same == (FULL if kinds == 1 else 0)).all()


@cuda.jit
def divergent(out):
    i = cuda.threadIdx.x
    if i % 3 == 0:
        mask = cuda.activemask()
        out[0, i] = cuda.ballot_sync(mask, i % 2 == 0)
        out[1, i] = cuda.shfl_sync(mask, i, 3)
    else:
        mask = cuda.activemask()
        out[0, i] = cuda.ballot_sync(mask, i % 2 == 0)
        out[1, i] = cuda.shfl_sync(mask, i, 4)
    cuda.syncwarp()
    out[2, i] = cuda.ballot_sync(FULL, i % 3 == 0)


def test_lanes_that_part_vote_among_themselves(device):
    out = np.zeros((3, 32), np.uint32)
    divergent[1, 32](out)
    thirds, even = LANES % 3 == 0, LANES % 2 == 0

    def bits(which):
        return (which * (1 << LANES.astype(np.uint64))).sum()

    expected = np.where(thirds, bits(thirds & even), bits(~thirds & even))
    np.testing.assert_array_equal(out[0], expected)
    np.testing.assert_array_equal(out[1], np.where(thirds, 3, 4))
    assert (out[2] == bits(thirds)).all()


@cuda.jit
def groups(values, out):
    i = cuda.threadIdx.x
    mask = cuda.match_any_sync(FULL, values[i])
    out[0, i] = cuda.popc(mask)
    out[1, i] = cuda.ballot_sync(mask, i % 2 == 0)
    out[2, i] = cuda.all_sync(mask, i < 16)


def test_votes_in_groups_of_their_own_masks(device):
    values = (LANES % 5).astype(np.int32)
    out = np.zeros((3, 32), np.uint32)
    groups[1, 32](values, out)
    equal = values[:, None] == values[None, :]
    np.testing.assert_array_equal(out[0], equal.sum(axis=1))
    even = equal & (LANES % 2 == 0)
    np.testing.assert_array_equal(out[1], (even * (1 << LANES.astype(np.uint64))).sum(axis=1))
    np.testing.assert_array_equal(out[2], (~equal | (LANES < 16)).all(axis=1))


@cuda.jit
def warp_sums(values, out):
    total = values[cuda.grid(1)]
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(FULL, total, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, total)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_sum_of_a_grid_by_warps(dtype, device):
    values = np.arange(8 * 128).astype(dtype)
    out = np.zeros(1, dtype)
    warp_sums[8, 128](values, out)
    assert out[0] == values.sum()


@cuda.jit
def lane_masks(out):
    i = cuda.threadIdx.x
    out[0, i] = cuda.lanemask_lt()
    out[1, i] = cuda.lanemask_le()
    out[2, i] = cuda.lanemask_eq()
    out[3, i] = cuda.lanemask_ge()
    out[4, i] = cuda.lanemask_gt()


def test_lane_masks(device):
    out = np.zeros((5, 64), np.uint32)
    lane_masks[1, 64](out)
    below = (np.uint64(1) << (np.arange(64, dtype=np.uint64) % np.uint64(32))) - np.uint64(1)
    own = below + np.uint64(1)
    whole = np.uint64(FULL)
    rows = (below, below + own, own, whole - below, whole - below - own)
    for row, expected in zip(out, rows, strict=True):
        np.testing.assert_array_equal(row, expected)


@cuda.jit(debug=True)
def outside(out):
    i = cuda.threadIdx.x
    out[i] = cuda.ballot_sync(0xFFFF, True)


def test_a_mask_without_the_caller_raises_in_debug_builds(device):
    with pytest.raises(ValueError, match="must hold the thread"):
        outside[1, 32](np.zeros(32, np.int32))
        cuda.synchronize()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("cuda.all_sync(1.5, True)", "Mask type must be an integer"),
        ("cuda.any_sync(1, 2.5)", "Predicate must be an integer or boolean"),
        ("cuda.shfl_sync(1, x[0], 1.5)", "the lane of a shuffle must be an integer"),
        ("cuda.ldcg(1, 2)", "operates on arrays"),
        ("cuda.libdevice.sinf(1.0, 2.0)", "takes 1 arguments"),
    ],
)
def test_wrong_operands_name_the_fix(body, message, device):
    text = f"def kernel(x):\n    {body}\n"
    file = f"<wrong {body}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"cuda": cuda}
    exec(compile(text, file, "exec"), scope)
    with pytest.raises(TypingError, match=message):
        cuda.jit("void(int32[:])")(scope["kernel"])


@cuda.jit
def hinted(x, y):
    i = cuda.grid(1)
    if i < x.size:
        total = cuda.ldca(x, i) + cuda.ldcg(x, i) + cuda.ldcs(x, i) + cuda.ldlu(x, i)
        cuda.stcg(y, (0, i), total)
        cuda.stcs(y, (1, i), cuda.ldcv(x, i))
        cuda.stwb(y, (2, i), 3)
        cuda.stwt(y, (3, i), x[i])
        cuda.nanosleep(20)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.float32, np.int64, np.float64])
def test_accesses_with_cache_operators(dtype, device):
    x = np.arange(50).astype(dtype)
    y = np.zeros((4, 50), dtype)
    hinted[2, 32](x, y)
    expected = np.stack([(4 * x).astype(dtype), x, np.full(50, 3), x])
    np.testing.assert_array_equal(y, expected)


@cuda.jit
def neighbours_that_may_not_be_there(values, out):
    i = cuda.threadIdx.x
    out[0, i] = cuda.shfl_down_sync(FULL, values[i], 16)
    out[1, i] = cuda.shfl_sync(FULL, values[i], i + 3)
    out[2, i] = cuda.shfl_xor_sync(FULL, values[i], 2)
    out[3, i] = cuda.shfl_up_sync(FULL, values[i], 1)


@pytest.mark.parametrize("threads", [1, 4, 21, 32, 37])
def test_a_lane_that_is_not_there_gives_the_own_value(threads, device):
    if device != "cpu":
        pytest.skip("what such a lane gives is the CPU device's promise, not CUDA's")
    values = np.arange(100, 100 + threads)
    out = np.zeros((4, threads), np.int64)
    neighbours_that_may_not_be_there[1, threads](values, out)
    for first in range(0, threads, 32):
        warp = values[first : first + 32]
        lanes = np.arange(len(warp))
        sources = [lanes + 16, (lanes + 3) % 32, lanes ^ 2, lanes - 1]
        for row, source in zip(out[:, first : first + 32], sources, strict=True):
            is_there = (source >= 0) & (source < len(warp))
            assert (row == warp[np.where(is_there, source, lanes)]).all()
