"""vectorize and reduce against CuPy on a GPU, on 1e8 float32: prints a Markdown table.

python bench/ufuncs.py
"""

from __future__ import annotations

import cupy
import numpy as np
from _measure import Row, medians, per_call, table

from phalanx import cuda

N = 10**8
CALLS = 20  # of a measurement, so that what starts it is hidden


@cuda.vectorize(["float32(float32, float32)"])
def add(a, b):
    return a + b


@cuda.reduce
def total(a, b):
    return a + b


def sync():
    cuda.synchronize()
    cupy.cuda.runtime.deviceSynchronize()


def repeated(call):
    def run():
        for _ in range(CALLS):
            call()
        sync()

    return run


def main():
    x, y = (cupy.random.rand(N, dtype=cupy.float32) for _ in range(2))
    z, result = cupy.empty_like(x), cupy.empty((), cupy.float32)
    dx, dy, dz = (cuda.as_cuda_array(each) for each in (x, y, z))
    res = cuda.to_device(np.zeros(1, np.float32))
    pairs = {
        "add": (lambda: add(dx, dy, out=dz), lambda: cupy.add(x, y, out=z), 12),
        "sum": (lambda: total(dx, res=res), lambda: cupy.sum(x, out=result), 4),
    }
    rows = []
    for name, (ours, peers, octets) in pairs.items():
        seconds = medians({"ours": repeated(ours), "peer": repeated(peers)})
        rates = {who: CALLS * octets * N / each / 1e9 for who, each in seconds.items()}
        rows.append(Row(name, rates["ours"], rates["peer"], "GB/s", "CuPy", True))
    small, small_out, peer, peer_out = dx[:1000], dz[:1000], x[:1000], z[:1000]
    ours = per_call(lambda: add(small, small, out=small_out), sync)
    theirs = per_call(lambda: cupy.add(peer, peer, out=peer_out), sync)
    rows.append(Row("host time of a call", ours * 1e6, theirs * 1e6, "us", "CuPy"))
    print(table(rows))


if __name__ == "__main__":
    main()
