"""Profiles of a GPU: the fake driver's, whose events are a millisecond apart."""

from __future__ import annotations

import fake_gpu

pytestmark = fake_gpu.needed

SCRIPT = """
import numpy as np
import phalanx as px
from phalanx import cuda

@cuda.jit
def scale(x, y, factor):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * factor

data = np.ones(100_000, dtype=np.float32)
y = cuda.device_array_like(data)
# Compiled before: what is advised is worth a share of the time.
scale[391, 256](cuda.to_device(data), y, np.float32(2))
with px.profile() as p:
    for step in range(5):
        x = cuda.to_device(data)
        scale[391, 256](x, y, np.float32(2))
    cuda.synchronize()
p.rates = {}
launches = [each for each in p.records if each.kind == "launch"]
assert [round(each.device_seconds * 1e3, 6) for each in launches] == [1.0] * 5
starts = [each.device_start for each in launches]
assert starts == sorted(starts)
assert {each.device for each in launches} == {"cuda:0"}
assert launches[0].executable.registers > 0
assert launches[0].executable.active_blocks
assert [each for each in p.records if each.kind == "wait"]
(advice,) = [each for each in p.advice() if each.cause == "copies"]
assert (advice.site.file, advice.site.line) == ("script.py", 18)
(row,) = [each for each in p.rows() if each.group == "kernel"]
assert row.registers and row.resident_threads == 2048
p.save("trace.json")
assert "stream 0x" in open("trace.json").read()
p.html("page.html")
assert "cuda:0 stream" in open("page.html").read()
print("done")
"""


def test_launches_and_copies_have_the_gpus_times(tmp_path):
    done = fake_gpu.run(SCRIPT, tmp_path)
    assert done.stdout == "done\n", done.stderr


OCCUPANCY = """
import numpy as np
import phalanx as px
from phalanx import cuda

@cuda.jit
def reverse(x):
    staged = cuda.shared.array(0, np.float32)
    i = cuda.threadIdx.x
    staged[i] = x[i]
    cuda.syncthreads()
    x[i] = staged[cuda.blockDim.x - 1 - i]

x = cuda.to_device(np.ones(256, dtype=np.float32))
with px.profile() as p:
    reverse[1, 256, 0, 1024](x)
    reverse[2, 256, 0, 100 << 10](x)
cuda.synchronize()
little, much = [each for each in p.records if each.kind == "launch"]
assert (little.shared_bytes, much.shared_bytes) == (1024, 100 << 10)
# Of 228 KiB.
assert (little.resident_threads, much.resident_threads) == (2048, 512)
(row,) = [each for each in p.rows() if each.group == "kernel"]
assert row.resident_threads == 512  # of the largest launch
print("done")
"""


def test_occupancy_counts_dynamic_shared_memory(tmp_path):
    done = fake_gpu.run(OCCUPANCY, tmp_path)
    assert done.stdout == "done\n", done.stderr


MANY = """
import numpy as np
import phalanx as px
from phalanx import cuda

@cuda.jit
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor

@cuda.jit
def shift(x, step):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += step

x = cuda.to_device(np.ones(100_000, dtype=np.float32))
with px.profile() as p:
    for step in range(400):
        scale[391, 256](x, np.float32(2))
        shift[391, 256](x, np.float32(2))
    shift[1, 32](x, np.float32(2))  # another grid
p.rates = {}
launches = [each for each in p.records if each.kind == "launch"]
assert len(launches) == 801 and not launches[-1].untimed
assert not any(each.untimed for each in launches[:32])
untimed = sum(each.untimed for each in launches)
assert 100 < untimed < 769, untimed  # how many are close to each other is the machine's
assert {round(each.device_seconds * 1e3, 6) for each in launches} == {1.0}
for row in p.rows():
    if row.group == "kernel":
        assert row.untimed > 20 and round(row.device_seconds * 1e3) in (400, 401), row
assert "~400 ms" in str(p)
print("done")
"""


def test_of_many_launches_some_are_timed_and_tell_of_the_others(tmp_path):
    done = fake_gpu.run(MANY, tmp_path)
    assert done.stdout == "done\n", done.stderr
