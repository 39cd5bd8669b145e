"""Sparse arrays: arithmetic, products, reductions, slices."""

import numpy as np
import sparse

x = sparse.random((40, 30), density=0.1, random_state=1)
y = sparse.random((30, 20), density=0.1, random_state=2)
print((x @ y).todense().tolist())
print((x + 2 * x).sum(axis=0).todense().tolist())
print(x[5:20:3, ::2].todense().tolist())
print(sparse.GCXS(x)[:, 3].todense().tolist())
print(float(np.sin(x).T.max().todense()))
