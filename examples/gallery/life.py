"""The game of life.

A kernel with a stencil over a board without edges; two boards take turns.
"""

import numpy as np
from _show import film, main

from phalanx import cuda


@cuda.jit
def step(board, following):
    x, y = cuda.grid(2)
    rows, columns = board.shape
    if y < rows and x < columns:
        near = 0
        for i in range(-1, 2):
            for j in range(-1, 2):
                near += board[(y + i + rows) % rows, (x + j + columns) % columns]
        near -= board[y, x]
        following[y, x] = near == 3 or (near == 2 and board[y, x] == 1)


def draw():
    board = cuda.to_device((np.random.default_rng(4).random((120, 160)) < 0.3).astype(np.uint8))
    following = cuda.device_array_like(board)
    frames = []
    for _ in range(36):
        frames.append(board.copy_to_host())
        step.over((160, 120))(board, following)
        board, following = following, board
    return film(frames, "bone")


if __name__ == "__main__":
    main(draw)
