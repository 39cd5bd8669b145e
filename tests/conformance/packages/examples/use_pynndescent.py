"""Approximate nearest neighbours; the share of the true ones that are found."""

import numpy as np
import pynndescent

data = np.random.default_rng(0).random((500, 8)).astype(np.float32)
index = pynndescent.NNDescent(data, n_neighbors=10, random_state=1)
found, distances = index.neighbor_graph
exact = np.sqrt(((data[:, None] - data[None]) ** 2).sum(-1))
nearest = np.argsort(exact, axis=1)[:, :10]
share = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(found, nearest, strict=True)])
print(bool(share > 0.98), bool(np.allclose(distances[:, 0], 0)))
queried, _ = index.query(data[:5], k=3)
print(queried[:, 0].tolist())
