"""The cheapest way through a landscape: Dijkstra's algorithm on a grid, with a heap of its own.

What games and route planners do. Method: E. Dijkstra, "A Note on Two Problems in Connexion with
Graphs", 1959; ways go to eight neighbours, diagonals are longer.
"""

import math

import numpy as np
from _program import Run, check, start
from numba import njit

FIELD, USES = "games", "functions"


@njit
def push(keys, cells, count, key, cell):
    at = count
    while at > 0 and keys[(at - 1) // 2] > key:
        keys[at], cells[at] = keys[(at - 1) // 2], cells[(at - 1) // 2]
        at = (at - 1) // 2
    keys[at], cells[at] = key, cell


@njit
def pop(keys, cells, count):
    """Takes off the first entry; the last one finds its place from the top."""
    key, cell, at = keys[count - 1], cells[count - 1], 0
    while 2 * at + 1 < count:
        child = 2 * at + 1
        if child + 1 < count and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[at], cells[at] = keys[child], cells[child]
        at = child
    keys[at], cells[at] = key, cell


@njit
def distances(cost, start):
    """What the way from a cell to each other costs, and the cell before it on that way."""
    height, width = cost.shape
    far = np.full(height * width, np.inf)
    before = np.full(height * width, -1)
    keys, cells = np.empty(8 * height * width), np.empty(8 * height * width, np.int64)
    far[start] = 0
    keys[0], cells[0], count = 0.0, start, 1
    while count > 0:
        key, cell = keys[0], cells[0]
        pop(keys, cells, count)
        count -= 1
        y, x = cell // width, cell % width
        for j in range(max(y - 1, 0), min(y + 2, height)):
            for i in range(max(x - 1, 0), min(x + 2, width)):
                step = math.sqrt((j - y) ** 2 + (i - x) ** 2) * (cost[y, x] + cost[j, i]) / 2
                if key + step < far[j * width + i]:
                    far[j * width + i] = key + step
                    before[j * width + i] = cell
                    push(keys, cells, count, key + step, j * width + i)
                    count += 1
    return far, before


def distances_in_scipy(cost, start):
    from scipy import sparse

    (height, width), parts = cost.shape, []
    index = np.arange(cost.size).reshape(cost.shape)
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a = np.s_[: height - dy, max(-dx, 0) : width - max(dx, 0)]
        b = np.s_[dy:, max(dx, 0) : width + min(dx, 0)]
        step = math.hypot(dy, dx) * (cost[a] + cost[b]) / 2
        parts.append([step.ravel(), index[a].ravel(), index[b].ravel()])
    step, row, column = (np.concatenate(each) for each in zip(*parts, strict=True))
    graph = sparse.csr_matrix((step, (row, column)), (cost.size, cost.size))
    return sparse.csgraph.dijkstra(graph, directed=False, indices=start)


def main(run: Run) -> None:
    size = run.size(700, 40)
    y, x = np.mgrid[:size, :size] / size
    cost = 1 + 8 * np.exp(6 * np.sin(14 * x + 3 * np.sin(9 * y)) * np.cos(11 * y)) / np.exp(6)
    far, before = run.measure(lambda: distances(cost, 0))
    run.agree(far, run.peer("SciPy", lambda: distances_in_scipy(cost, 0)), rtol=1e-12)
    way = [size * size - 1]
    while way[-1]:
        way.append(before[way[-1]])
    check(np.all(np.diff(far[way]) < 0), True)

    def draw(axes):
        axes.imshow(cost, cmap="terrain")
        axes.contour(far.reshape(size, size), 30, colors="k", linewidths=0.4)
        axes.plot(np.array(way) % size, np.array(way) // size, "r", lw=2)

    run.picture(draw)


if __name__ == "__main__":
    start(main)
