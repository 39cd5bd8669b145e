"""Spots that divide: the reaction of Gray and Scott.

Two substances that spread and react, by a kernel that is launched 4,000 times. Feed and kill rates
are those of Pearson's pattern "mitosis" (Science 261, 189, 1993).
"""

import numpy as np
from _show import image, main

from phalanx import cuda


@cuda.jit(fastmath=True)
def react(u, v, u_next, v_next, feed, kill):
    x, y = cuda.grid(2)
    rows, columns = u.shape
    if y < rows and x < columns:
        above, below = (y - 1 + rows) % rows, (y + 1) % rows
        left, right = (x - 1 + columns) % columns, (x + 1) % columns
        four = np.float32(4)
        spread_u = u[above, x] + u[below, x] + u[y, left] + u[y, right] - four * u[y, x]
        spread_v = v[above, x] + v[below, x] + v[y, left] + v[y, right] - four * v[y, x]
        reaction = u[y, x] * v[y, x] * v[y, x]
        u_next[y, x] = u[y, x] + np.float32(0.16) * spread_u - reaction
        u_next[y, x] += feed * (np.float32(1) - u[y, x])
        v_next[y, x] = v[y, x] + np.float32(0.08) * spread_v + reaction - (feed + kill) * v[y, x]


def draw():
    rows, columns = 216, 288
    spots = np.zeros((rows, columns), np.float32)
    for row, column in np.random.default_rng(3).integers(10, 200, (14, 2)):
        spots[row - 5 : row + 5, column : column + 10] = 0.5
    state = [cuda.to_device(1 - spots), cuda.to_device(spots)]
    following = [cuda.device_array_like(each) for each in state]
    feed, kill = np.float32(0.0367), np.float32(0.0649)
    for _ in range(4000):
        (u, v), (u_next, v_next) = state, following
        react.over((columns, rows))(u, v, u_next, v_next, feed, kill)
        state, following = following, state
    return image(state[1].copy_to_host(), "inferno")


if __name__ == "__main__":
    main(draw)
