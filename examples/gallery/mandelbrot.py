"""The Mandelbrot set.

A kernel in which each thread computes one pixel. On the CPU the threads of a warp are the lanes of
a vector, which end their loops at different times.
"""

import numpy as np
from _show import image, main

from phalanx import cuda


@cuda.jit
def escape(out, left, top, step, limit):
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        c = complex(left + x * step, top + y * step)
        z = 0j
        count = 0
        while count < limit and z.real * z.real + z.imag * z.imag < 64.0:
            z = z * z + c
            count += 1
        out[y, x] = count


def draw():
    out = np.zeros((432, 576))
    escape.over(out.T)(out, -0.7490, 0.0985, 1.1e-5, 1200)
    return image(np.log(out + 1), "twilight_shifted")


if __name__ == "__main__":
    main(draw)
