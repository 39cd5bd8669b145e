"""Shared arrays: of fixed shapes beyond 48 KB, and of shapes that each launch decides."""

from __future__ import annotations

import re
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest
from from_text import function_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phalanx.errors import CompileError

from phalanx import KernelError, _engine, cuda, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")
float32, float64, int32, int64 = types.float32, types.float64, types.int32, types.int64


@cuda.jit
def reversed_blocks(x, out):
    tile = cuda.shared.array(cuda.blockDim.x, float32)
    i = cuda.grid(1)
    tile[cuda.threadIdx.x] = x[i]
    cuda.syncthreads()
    out[i] = tile[tile.shape[0] - 1 - cuda.threadIdx.x]


@pytest.mark.parametrize("threads", [1, 32, 96, 100, 1024])
def test_an_array_is_as_long_as_the_block(device, threads):
    x = np.arange(3 * threads, dtype=np.float32)
    out = np.zeros_like(x)
    reversed_blocks[3, threads](x, out)
    np.testing.assert_array_equal(out, x.reshape(3, threads)[:, ::-1].ravel())


@cuda.jit
def transposed(x, out, n):
    tile = cuda.shared.array((cuda.blockDim.y, n + 1), float64)
    row, column = cuda.threadIdx.y, cuda.threadIdx.x
    tile[row, column] = x[row, column]
    cuda.syncthreads()
    if row == 0 and column == 0:
        out[n, 0] = tile.shape[0]
        out[n, 1] = tile.shape[1]
    out[column, row] = tile[row, column]


def test_extents_are_arguments_and_block_extents(device):
    for rows, n in ((3, 5), (16, 16), (2, 33)):
        x = np.random.default_rng(n).standard_normal((rows, n))
        out = np.zeros((n + 1, max(rows, 2)))
        transposed[1, (n, rows)](x, out, n)
        np.testing.assert_array_equal(out[:n, :rows], x.T)
        assert tuple(out[n, :2]) == (rows, n + 1)


@cuda.jit
def several(n, flags, out):
    bytes_ = cuda.shared.array(n, types.uint8)
    numbers = cuda.shared.array((n, 2), float64)
    user = cuda.shared.array(0, int32)
    halves = cuda.shared.array(flags.shape[0] // 2 + 1, types.int16)
    i = cuda.threadIdx.x
    if i < n:
        bytes_[i] = i
        numbers[i, 0] = i + 0.5
        numbers[i, 1] = -i
    if i < user.shape[0]:
        user[i] = 1000 + i
    if i < halves.shape[0]:
        halves[i] = 7 * i
    cuda.syncthreads()
    if i == 0:
        total = 0.0
        for k in range(n):
            total += bytes_[k] + numbers[k, 0] + numbers[k, 1]
        out[0] = total
        out[1] = user.shape[0]
        users = 0
        for k in range(user.shape[0]):
            users += user[k]
        out[2] = users
        shorts = 0
        for k in range(halves.shape[0]):
            shorts += halves[k]
        out[3] = shorts


def test_arrays_lie_one_after_another_and_the_users_memory_after_them(device):
    for n, users in ((5, 0), (13, 3), (100, 64)):
        flags, out = np.zeros(9, np.int8), np.zeros(4)
        several[1, 128, 0, 4 * users](n, flags, out)
        k = np.arange(n)
        expected = [k.sum() + (k + 0.5).sum() - k.sum(), users]
        expected += [(1000 + np.arange(users)).sum(), 7 * np.arange(5).sum()]
        assert out.tolist() == expected


@cuda.jit
def by_arithmetic(n, m, pair, out):
    size = min(n, 64) if m > 3 else (n + m - 1) // m
    size = max(size, abs(-2)) + pair[1] % 3 + (n << 1) - (n >> 1) + (m & 6)
    if n == 7:
        size += 1000
    elif m == 5:
        size //= 2
    tile = cuda.shared.array(size, int32)
    tile[0] = size
    out[0] = tile.shape[0]


@pytest.mark.parametrize("n, m", [(100, 5), (10, 3), (1, 1), (7, 2)])
def test_whole_number_arithmetic_is_computed_by_the_launch(device, n, m):
    out = np.zeros(1, np.int64)
    by_arithmetic[1, 32](np.int32(n), m, (1.5, np.uint8(5)), out)
    size = min(n, 64) if m > 3 else (n + m - 1) // m
    size = max(size, 2) + 5 % 3 + (n << 1) - (n >> 1) + (m & 6)
    assert out[0] == (size + 1000 if n == 7 else size // 2 if m == 5 else size)


@cuda.jit(device=True)
def scratch(n):
    return cuda.shared.array(n, int32)


@cuda.jit
def through_a_function(out):
    tile = scratch(cuda.blockDim.x * 2)
    fixed = scratch(8)
    i = cuda.threadIdx.x
    tile[2 * i] = i
    tile[2 * i + 1] = -i
    if i < 8:
        fixed[i] = 100
    cuda.syncthreads()
    out[i] = tile[2 * i] - tile[2 * i + 1] + fixed[i % 8]


def test_device_functions_make_such_arrays_too(device):
    out = np.zeros(48, np.int32)
    through_a_function[1, 48](out)
    np.testing.assert_array_equal(out, 2 * np.arange(48) + 100)


def test_a_cached_kernel_knows_its_arrays(run_python):
    code = """
import numpy as np
from phalanx import KernelError, _engine, cuda, types

@cuda.jit(cache=True)
def k(n, out):
    tile = cuda.shared.array((n, cuda.blockDim.x), types.int64)
    for row in range(n):
        tile[row, cuda.threadIdx.x] = row
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        out[0] = tile[n - 1, tile.shape[1] - 1]

out = np.zeros(1, np.int64)
k[1, 32](17, out)
(kernel,) = k.overloads.values()
print(out[0], kernel.stats["counts"]["disk"])
"""
    assert run_python(code).stdout.split()[0] == "16"
    assert run_python(code).stdout.split()[0] == "16"


def test_a_graph_keeps_the_size_that_it_was_recorded_with(device):
    x = cuda.to_device(np.arange(64, dtype=np.float32))
    out = cuda.to_device(np.zeros(64, np.float32))
    with cuda.graph() as graph:
        reversed_blocks[2, 32](x, out)
    graph.launch()
    expected = np.arange(64).reshape(2, 32)[:, ::-1].ravel()
    np.testing.assert_array_equal(out.copy_to_host(), expected)


@cuda.jit
def of_size(n, out):
    window = cuda.shared.array((n, 2), float64)
    window[0, 0] = n
    out[0] = window[0, 0]


@pytest.mark.parametrize("n", [0, -3])
def test_extents_below_one_are_refused_by_the_launch(device, n):
    out = np.zeros(1)
    message = rf"launch of of_size: shared array 'window' has the shape \({n}, 2\), but every"
    with pytest.raises(ValueError, match=message):
        of_size[1, 1](n, out)
    of_size[1, 1](3, out)
    assert out[0] == 3


def test_too_much_is_refused_with_the_bytes_and_the_limit(device):
    out = np.zeros(1)
    message = (
        r"shared array 'window' has the shape \(100000, 2\) and takes 1600000 bytes, but \d+ are "
        r"left of shared memory a block \(0 static, 16 dynamic\); the device's limit is \d+"
    )
    with pytest.raises(ValueError, match=message):
        of_size[1, 1, 0, 16](100000, out)
    with pytest.raises(ValueError, match="takes 73786976294838206464 bytes"):
        of_size[1, 1](2**62, out)


def compile_error(function, *arguments):
    with pytest.raises(CompileError) as caught:
        cuda.jit(function)[1, 32](*arguments)
    return str(caught.value)


def test_a_size_that_differs_between_threads_is_refused_at_its_line():
    def by_thread(out):
        mine = cuda.threadIdx.x + 1
        tile = cuda.shared.array(mine, int32)
        out[0] = tile.shape[0]

    def by_memory(out):
        tile = cuda.shared.array((2, out[0]), int32)
        out[0] = tile.shape[0]

    def by_loop(out):
        n = 1
        for k in range(out.shape[0]):
            n += k
        tile = cuda.shared.array(n, int32)
        out[0] = tile.shape[0]

    out = np.zeros(3, np.int64)
    text = compile_error(by_thread, out)
    assert "tile = cuda.shared.array(mine, int32)\n" in text
    assert re.search(r"must be the same for all threads .* found threadIdx \(line \d+\)", text)
    assert "cuda.blockDim" in text
    assert "read from memory" in compile_error(by_memory, out)
    assert "a variable that has several values" in compile_error(by_loop, out)


def test_sizes_that_are_not_whole_are_refused_at_their_line():
    def by_quotient(n, out):
        tile = cuda.shared.array(n / 2, int32)
        out[0] = tile.shape[0]

    def of_local(n, out):
        tile = cuda.local.array(n, int32)
        out[0] = tile.shape[0]

    out = np.zeros(3, np.int64)
    assert "the extents of a shared array are integers, found float64" in compile_error(
        by_quotient, 4, out
    )
    assert "the shape of a local array must be known" in compile_error(of_local, 4, out)


@cuda.jit(check=True)
def beyond(n, out):
    tile = cuda.shared.array((n, 4), int32)
    i = cuda.threadIdx.x
    tile[i, 0] = i
    cuda.syncthreads()
    out[i] = tile[i, 0]


def test_check_mode_knows_the_bounds(device):
    out = np.zeros(32, np.int32)
    beyond[1, 32](32, out)
    cuda.synchronize()
    np.testing.assert_array_equal(out, np.arange(32))
    with pytest.raises(KernelError) as caught:
        beyond[1, 32](30, out)
        cuda.synchronize()
    fault = caught.value.faults[0]
    assert (fault.array, fault.shape, fault.count) == ("tile", (30, 4), 2)
    assert fault.index == (30, 0)


LARGE = 100 * 1024 // 8  # 100 KB of each


@cuda.jit
def large_tiles(out):
    first = cuda.shared.array(LARGE, int64)
    second = cuda.shared.array((2, LARGE // 2), float64)
    own = cuda.shared.array(0, int32)
    for i in range(cuda.threadIdx.x, LARGE, cuda.blockDim.x):
        first[i] = i
        second[i // (LARGE // 2), i % (LARGE // 2)] = -2.0 * i
    if cuda.threadIdx.x < own.shape[0]:
        own[cuda.threadIdx.x] = 5
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, LARGE, cuda.blockDim.x):
        j = LARGE - 1 - i
        out[i] = first[j] + second[j // (LARGE // 2), j % (LARGE // 2)]
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        for k in range(own.shape[0]):
            out[k] += own[k]


def test_fixed_arrays_may_have_more_than_48_kilobytes(device):
    limit = _engine.current_device().limits["max_shared_bytes"]
    if limit < 2 * 100 * 1024 + 64:
        pytest.skip("the GPU has no 200 KB of shared memory a block")
    out = np.zeros(LARGE)
    large_tiles[1, 256, 0, 12](out)
    expected = -1.0 * np.arange(LARGE)[::-1]
    expected[:3] += 5
    np.testing.assert_array_equal(out, expected)
    (bytes_,) = large_tiles.get_shared_mem_per_block().values()
    assert bytes_ == 2 * 100 * 1024


def test_more_than_the_device_has_is_refused(device):
    @cuda.jit
    def too_large(out):
        tile = cuda.shared.array(300 * 1024, types.int8)
        tile[0] = 1
        out[0] = tile[0]

    message = r"307200 bytes of shared memory a block were asked for \(307200 static, 0 dynamic\)"
    with pytest.raises(ValueError, match=message):
        too_large[1, 1](np.zeros(1))


def sized_and_fixed(n, out):
    fixed = cuda.shared.array((128, 128), float32)
    tile = cuda.shared.array(n, float64)
    user = cuda.shared.array(0, int32)
    i = cuda.threadIdx.x
    fixed[i, i] = i
    tile[i] = i
    user[i] = i
    cuda.syncthreads()
    out[i] = fixed[i, i] + tile[n - 1 - i] + user[i]


def test_fixed_sized_and_dynamic_arrays_lie_together(device):
    out = np.zeros(64)
    cuda.jit(sized_and_fixed)[1, 64, 0, 4 * 64](64, out)
    np.testing.assert_array_equal(out, 63.0 + np.arange(64))


def test_their_ptx_assembles(tmp_path):
    ptx, _ = cuda.compile_ptx(
        sized_and_fixed, types.void(types.int64, types.float64[::1]), device=False, cc=(9, 0)
    )
    assert ptx.count("shared .align") == 1
    assert re.search(r"\.extern \.shared .*phalanx_dynamic_shared\[\]", ptx)
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if ptxas is None:
        pytest.skip("needs ptxas")
    file = tmp_path / "code.ptx"
    file.write_text(ptx)
    command = [ptxas, "-arch=sm_90", str(file), "-o", str(tmp_path / "code.cubin")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


LEAVES = st.sampled_from(["n", "m", "x.shape[0]", "cuda.blockDim.x", "cuda.gridDim.x", "p[1]"])
NUMBERS = st.integers(-9, 40).map(str)


def operations(inner):
    simple = st.tuples(inner, st.sampled_from("+-*&|^"), inner).map(
        lambda t: f"({t[0]} {t[1]} {t[2]})"
    )
    divided = st.tuples(inner, st.sampled_from(["//", "%"]), inner).map(
        lambda t: f"({t[0]} {t[1]} (abs({t[2]}) + 1))"
    )
    shifted = st.tuples(inner, st.sampled_from(["<<", ">>"]), st.integers(0, 5)).map(
        lambda t: f"({t[0]} {t[1]} {t[2]})"
    )
    chosen = st.tuples(inner, inner, inner, st.sampled_from(["<", ">=", "=="])).map(
        lambda t: f"({t[0]} if {t[1]} {t[3]} {t[2]} else {t[0]} - 3)"
    )
    called = st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(
        lambda t: f"{t[0]}({t[1]}, {t[2]})"
    )
    single = st.tuples(st.sampled_from(["-{}", "~{}", "abs({})", "int32({})", "({} > 3)"]), inner)
    return st.one_of(
        simple, divided, shifted, chosen, called, single.map(lambda t: t[0].format(t[1]))
    )


EXPRESSIONS = st.recursive(LEAVES | NUMBERS, operations, max_leaves=6)
TEMPLATE = """
def kernel(n, m, x, p, out):
    tile = cuda.shared.array((1 + abs({0}) % 40, 1 + abs({1}) % 9), int16)
    user = cuda.shared.array(0, int32)
    if cuda.threadIdx.x == 0:
        tile[-1, -1] = 5
        out[0], out[1], out[2] = tile.shape[0], tile.shape[1], user.shape[0]
"""


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(EXPRESSIONS, EXPRESSIONS, st.integers(-50, 50), st.integers(0, 1000), st.integers(1, 70))
def test_the_launch_computes_what_the_kernel_does(device, rows, columns, n, m, threads):
    source = TEMPLATE.format(rows, columns)
    kernel = function_of(source, "kernel", cuda=cuda, int16=types.int16, int32=types.int32)
    x, p, out = np.zeros(7), (1.5, np.int16(-3)), np.zeros(3, np.int64)
    cuda.jit(kernel)[3, threads, 0, 20](np.int32(n), m, x, p, out)
    of_python = {
        "n": n, "m": m, "x": x, "p": (1.5, -3), "int32": int,
        "cuda": SimpleNamespace(blockDim=SimpleNamespace(x=threads), gridDim=SimpleNamespace(x=3)),
    }  # fmt: skip
    expected = [1 + abs(eval(rows, of_python)) % 40, 1 + abs(eval(columns, of_python)) % 9, 5]
    # The user's part is all that is left only where both computed the same bytes.
    assert out.tolist() == expected, source
