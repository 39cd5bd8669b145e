"""How CuPy's user kernels come to a GPU, with one of the fake driver, which computes nothing."""

from __future__ import annotations

import itertools
import json
import re

import fake_gpu
import pytest
from phalanx._core.toolkit import find_library
from phalanx._cuda_c import CudaCModule
from phalanx._kernels import link

from phalanx import cuda

pytestmark = fake_gpu.needed

# Keeps the texts and the launches: the fake driver would link anything, and runs nothing.
KEPT = """
import json, pathlib
import phalanx as px
from phalanx.compat.cupy_kernel_launching import Function
from phalanx.compat.cupy_reduction_kernels import ReductionKernel
from phalanx.compat.cupy_user_kernels import ElementwiseKernel
texts, launches = [], []
def launch(self, device, blocks, block, pointers, numbers):
    if self.text not in texts: texts.append(self.text)
    launches.append((device.kind, blocks, block, numbers))
Function.launch = launch
SUM = ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "sums")
ADD = ElementwiseKernel("T x, T y", "T z", "if (x == y) return; z = x + y; z += min(x, y)", "add")
"""
END = "pathlib.Path('kept').write_text(json.dumps([texts, launches]))\n"


def kept(script, tmp_path):
    made = fake_gpu.run(f"{KEPT}\n{script}\n{END}", tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    return json.loads((tmp_path / "kept").read_text())


def test_each_element_has_a_thread_unless_there_are_too_many(tmp_path):
    script = """
x = px.zeros(1000)
ADD(x, x)
ADD(x, x, block_size=32)
ElementwiseKernel('raw T x', 'raw T y', 'y[i % 8] = x[0]')(x, x, size=1 << 31)
"""
    (text, wide), launches = kept(script, tmp_path)
    assert "if (i < _count)" in text and "i += _all" in wide
    assert [each[:3] for each in launches[:2]] == [["cuda", 8, 128], ["cuda", 32, 32]]
    assert launches[2][1] * 128 < 1 << 31


def test_partial_results_are_joined_by_further_launches(tmp_path):
    _, launches = kept("SUM(px.zeros(10_000_000, 'f4'))\n", tmp_path)
    levels = [numbers[:2] for _, _, _, numbers in launches]  # parts before, parts after
    assert levels == [[0, 1024], [1024, 1]]
    assert [each[1:3] for each in launches] == [[1024, 256], [1, 256]]
    _, launches = kept("SUM(px.zeros((10, 100_000), 'f4'), axis=0)\n", tmp_path)
    assert len(launches) == 1  # one thread for each output
    _, launches = kept("SUM(px.zeros((100_000, 100), 'f4'), axis=0)\n", tmp_path)
    levels = [numbers[:2] for _, _, _, numbers in launches]
    assert levels[0][0] == 0 and levels[-1][1] == 1 and len(levels) == 3
    assert all(before[1] == after[0] for before, after in itertools.pairwise(levels))


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


def test_every_text_becomes_ptx(tmp_path):
    texts, _ = kept(TYPES, tmp_path)
    assert len(texts) > 60
    for text in texts:
        module = CudaCModule(text)
        ptx = module.kernel(module.kernel_names[0]).handle.ptx((8, 0))
        assert ".visible .entry" in ptx and not re.search(r"call\.uni.*phx", ptx)


def test_nvrtc_takes_every_text(tmp_path):
    if find_library("nvrtc") is None:
        pytest.skip("NVRTC is not there")
    for text in kept(TYPES, tmp_path)[0]:
        assert ".visible .entry" in link.compile_source(cuda.CUSource(text), (8, 0))
