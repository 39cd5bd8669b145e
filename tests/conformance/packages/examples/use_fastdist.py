"""Distances between vectors, and between the rows of matrices."""

import numpy as np
from fastdist import fastdist

rng = np.random.default_rng(0)
u, v = rng.random(50), rng.random(50)
a, b = rng.random((12, 20)), rng.random((9, 20))
for name in ("euclidean", "cosine", "chebyshev", "cityblock", "braycurtis", "canberra"):
    print(float(getattr(fastdist, name)(u, v)))
print(fastdist.matrix_to_matrix_distance(a, b, fastdist.euclidean, "euclidean").tolist())
print(fastdist.vector_to_matrix_distance(a[0], b, fastdist.cosine, "cosine").tolist())
print(fastdist.matrix_pairwise_distance(a, fastdist.cityblock, "cityblock").tolist())
