"""A FIR filter: a signal without its hum, taps in constant memory and samples in shared memory.

A script for PyCUDA; run it with `python -m phalanx run`. Design: the windowed sinc (R. Hamming,
"Digital Filters", 1977).
"""

import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as drv
from _program import Run, check, start
from pycuda import gpuarray
from pycuda.compiler import SourceModule

FIELD, USES = "signal", "PyCUDA, CUDA C"
RATE, TAPS, BLOCK = 48_000, 129, 256
SOURCE = r"""
__constant__ float taps[TAPS];

__global__ void filter(const float *x, float *y, int count) {
  __shared__ float tile[BLOCK + TAPS - 1];
  int first = blockIdx.x * BLOCK;
  for (int k = threadIdx.x; k < BLOCK + TAPS - 1; k += BLOCK)
    tile[k] = first + k < count + TAPS - 1 ? x[first + k] : 0;
  __syncthreads();
  if (first + threadIdx.x >= count) return;
  float sum = 0;
  for (int k = 0; k < TAPS; ++k) sum += taps[TAPS - 1 - k] * tile[threadIdx.x + k];
  y[first + threadIdx.x] = sum;
}"""


def low_pass(cutoff):
    """The taps of a filter that keeps what is below `cutoff` Hz."""
    k = np.arange(TAPS) - TAPS // 2
    taps = np.sinc(2 * cutoff / RATE * k) * np.hamming(TAPS)
    return (taps / taps.sum()).astype(np.float32)


def main(run: Run) -> None:
    count = run.size(4_000_000, 20_000)
    time = np.arange(count) / RATE
    voice = np.sin(2 * np.pi * 440 * time) + 0.5 * np.sin(2 * np.pi * 880 * time)
    x = (voice + 0.8 * np.sin(2 * np.pi * 9000 * time)).astype(np.float32)
    taps = low_pass(3000)
    module = SourceModule(SOURCE, options=[f"-DTAPS={TAPS}", f"-DBLOCK={BLOCK}"])
    address, _ = module.get_global("taps")
    drv.memcpy_htod(address, taps)
    run_filter = module.get_function("filter")
    there, out = gpuarray.to_gpu(x), gpuarray.empty(count - TAPS + 1, np.float32)
    length = np.int32(out.size)

    def job():
        run_filter(
            there, out, length, block=(BLOCK, 1, 1), grid=((out.size + BLOCK - 1) // BLOCK, 1)
        )
        return out.get()

    y = run.measure(job)
    some = min(count, 1_000_000)
    expected = run.peer(
        "NumPy", lambda: np.convolve(x[:some], taps, mode="valid"), share=some / count
    )
    run.agree(y[: some - TAPS + 1], expected, atol=1e-4)
    # The hum is gone and the voice is there, later by half of the taps.
    check(y, voice[TAPS // 2 : TAPS // 2 + y.size], atol=0.02)

    def draw(axes):
        axes.plot(1000 * time[:400], x[:400], lw=0.7, label="with hum")
        axes.plot(1000 * time[TAPS // 2 : 400], y[: 400 - TAPS // 2], label="filtered")
        axes.set(xlabel="milliseconds")
        axes.legend()

    run.picture(draw, (8, 4))


if __name__ == "__main__":
    start(main)
