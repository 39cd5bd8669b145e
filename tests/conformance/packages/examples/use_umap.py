"""Three clouds in ten dimensions stay apart in two."""

import numpy as np
import umap

rng = np.random.default_rng(0)
clouds = [rng.normal(10 * i, 1, (60, 10)) for i in range(3)]
points = umap.UMAP(n_neighbors=10, random_state=3, n_epochs=100).fit_transform(np.vstack(clouds))
groups = points.reshape(3, 60, 2)
centres = groups.mean(axis=1)
widths = [float(np.linalg.norm(g - c, axis=1).mean()) for g, c in zip(groups, centres, strict=True)]
gap = min(float(np.linalg.norm(centres[i] - centres[j])) for i, j in ((0, 1), (1, 2), (0, 2)))
print(points.shape, bool(gap > 2 * max(widths)))
