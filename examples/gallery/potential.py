"""The potential between charged plates.

Laplace's equation on a grid of 60,000 nodes: a sparse matrix, solved by conjugate gradients.
"""

import numpy as np
from _show import SIZE, main
from matplotlib.figure import Figure
from phalanx.sparse import linalg

import phalanx as px
from phalanx import sparse


def draw():
    rows, columns = 200, 300

    def second_difference(n):
        return sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))

    laplace = sparse.kron(sparse.identity(rows), second_difference(columns))
    laplace = (laplace + sparse.kron(second_difference(rows), sparse.identity(columns))).tocsr()
    charge = np.zeros((rows, columns))
    charge[50:150, 110] = 1
    charge[80:120, 190] = -2
    potential, failed = linalg.cg(laplace, px.asarray(charge.ravel()), rtol=1e-8)
    assert not failed
    potential = potential.get().reshape(rows, columns)
    figure = Figure(figsize=SIZE)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.contourf(potential, 40, cmap="RdBu_r")
    down, right = np.gradient(-potential)
    axes.streamplot(
        np.arange(columns), np.arange(rows), right, down, color="black", density=0.8, linewidth=0.6
    )
    return figure


if __name__ == "__main__":
    main(draw)
