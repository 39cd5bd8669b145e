"""What Dask's CuPy tests import beside Dask: `cupy`, answered by Phalanx's arrays."""
