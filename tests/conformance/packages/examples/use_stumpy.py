"""A matrix profile: the nearest neighbour of each window of a time series."""

import numpy as np
import stumpy

series = np.random.default_rng(0).random(400)
profile = stumpy.stump(series, m=50)
print(np.asarray(profile[:, 0], float).tolist())
print(np.asarray(profile[:, 1], int).tolist())
print(stumpy.mass(series[10:60], series).tolist())
