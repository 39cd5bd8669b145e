"""How CuPy's user kernels come to a GPU, with one of the fake driver, which computes nothing."""

from __future__ import annotations

import itertools
import json

import fake_gpu
import pytest
from phalanx._core.toolkit import find_library
from phalanx._kernels import link

from phalanx import cuda

pytestmark = fake_gpu.needed

# Keeps the texts and the launches: the fake driver would link anything, and runs nothing.
KEPT = """
import json, pathlib
import phalanx as px
from phalanx._arrays import launching
from phalanx.compat.cupy_reduction_kernels import ReductionKernel
from phalanx.compat.cupy_user_kernels import ElementwiseKernel
texts, launches = [], []
def launch(kernel, blocks, threads, device, *args):
    import phalanx._kernels.link as link
    texts.extend(each.data for each in kernel._codes(link) if each.data not in texts)
    numbers = [each for each in args if isinstance(each, int)]
    launches.append((device.kind, blocks, threads, numbers))
launching.launch = launch
SUM = ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "sums")
ADD = ElementwiseKernel("T x, T y", "T z", "if (x == y) return; z = x + y; z += min(x, y)", "add")
"""
END = "pathlib.Path('kept').write_text(json.dumps([texts, launches]))\n"


def kept(script, tmp_path):
    made = fake_gpu.run(f"{KEPT}\n{script}\n{END}", tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    return json.loads((tmp_path / "kept").read_text())


def test_threads_go_over_every_nth_element(tmp_path):
    script = "x = px.zeros(1000)\nADD(x, x)\nADD(x, x, block_size=32)\n" \
             "big = px.empty(1 << 24, 'i1')\nADD(big, big)\n"  # fmt: skip
    (text, other), launches = kept(script, tmp_path)
    assert "i += _step" in text and "i += _step" in other
    assert [each[:3] for each in launches[:2]] == [["cuda", 8, 128], ["cuda", 32, 32]]
    assert launches[2][1] < 1 << 17  # threads have more than one element


def test_partial_results_are_joined_by_further_launches(tmp_path):
    _, launches = kept("SUM(px.zeros(10_000_000, 'f4'))\n", tmp_path)
    levels = [numbers[2:4] for _, _, _, numbers in launches]  # parts before, parts after
    assert levels[0][0] == 0 and levels[-1][1] == 1 and len(levels) == 4
    assert all(before[1] == after[0] for before, after in itertools.pairwise(levels))
    _, launches = kept("SUM(px.zeros((10, 100_000), 'f4'), axis=0)\n", tmp_path)
    assert len(launches) == 1  # one thread for each output


def test_kernels_run_on_the_device_of_their_arrays(tmp_path):
    script = (
        "x = px.zeros(5)\n"
        "x._evaluate()\n"
        "with px.device('cpu'):\n"
        "    assert ADD(x, 1)._place.kind == 'cuda'\n"
        "    y = px.zeros(5)\n"
        "    try: ADD(x, y)\n"
        "    except ValueError as error: assert 'x.to_device(' in str(error)\n"
        "    else: raise AssertionError\n"
    )
    _, launches = kept(script, tmp_path)
    assert [each[0] for each in launches] == ["cuda"]


TYPES = """
for name in 'bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 \
complex64 complex128'.split():
    x = px.zeros((60, 40), name)
    ADD(x, x[0]), ADD(x.T, 1), SUM(x), SUM(x, axis=0), SUM(x, axis=1)
for name in 'exp log sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh conj \
log1p'.split():
    ElementwiseKernel('T x', 'T y', f'y = {name}(x) + pow(x, 2) * abs(x)')(px.zeros(3, 'c8'))
for name in 'int32 int64 uint32 uint64 float16 float32 float64'.split():
    ElementwiseKernel('T x', 'raw T y', 'atomicAdd(&y[0], x)')(px.zeros(3, name), px.zeros(1, name))
ElementwiseKernel('T x', 'raw T y', 'atomicMax(&y[0], x); atomicMin(&y[0], x)')(
    px.zeros(3, 'f4'), px.zeros(1, 'f4'))
ElementwiseKernel('raw T x', 'T y', 'int at[] = {0, 1}; y = x[at] + x.size() + x.strides()[0]')(
    px.zeros((2, 2)).T, size=3)
"""


@pytest.mark.filterwarnings("error::phalanx.errors.LinkWarning")
def test_nvrtc_takes_every_text(tmp_path):
    if find_library("nvrtc") is None:
        pytest.skip("NVRTC is not there")
    texts, _ = kept(TYPES, tmp_path)
    assert len(texts) > 60
    for text in texts:
        assert ".visible .func" in link.compile_source(cuda.CUSource(text), (8, 0))
