"""Which triangle of a mesh holds each point, and which boxes overlap."""

import numpy as np
from numba_celltree import CellTree2d

x, y = np.meshgrid(np.arange(6.0), np.arange(6.0))
vertices = np.column_stack((x.ravel(), y.ravel()))
corner = (np.arange(5)[:, None] * 6 + np.arange(5)).ravel()
faces = np.vstack(
    (
        np.column_stack((corner, corner + 1, corner + 7)),
        np.column_stack((corner, corner + 7, corner + 6)),
    )
)
tree = CellTree2d(vertices, faces, -1)
points = np.random.default_rng(0).random((40, 2)) * 6 - 0.5
print(tree.locate_points(points).tolist())
found, which, areas = tree.intersect_faces(vertices * 0.5 + 0.2, faces, -1)
print(sorted(zip(found.tolist(), which.tolist(), np.round(areas, 9).tolist(), strict=True)))
