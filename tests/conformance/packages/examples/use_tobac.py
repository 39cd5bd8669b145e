"""Blobs are found and followed through three pictures."""

import numpy as np
import tobac
import xarray

y, x = np.mgrid[0:40, 0:40]
pictures = [10 * np.exp(-((x - 10 - 3 * t) ** 2 + (y - 20) ** 2) / 20) for t in range(3)]
field = xarray.DataArray(
    np.array(pictures), dims=("time", "y", "x"),
    coords={"time": np.arange(3) * np.timedelta64(60, "s") + np.datetime64("2020-01-01", "ns")},
)  # fmt: skip
features = tobac.feature_detection_multithreshold(field, 1000, threshold=[2, 5])
print(features[["hdim_1", "hdim_2"]].values.tolist())
tracks = tobac.linking_trackpy(features, field, 60, 1000, v_max=100)
print(tracks["cell"].tolist())
print(
    tobac.utils.periodic_boundaries.calc_distance_coords_pbc(
        np.array([0.0, 0.0, 0.0]), np.array([5.0, 9.0, 9.0]), 0, 10, 0, 10, "both"
    )
)
