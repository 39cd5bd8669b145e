"""`pycuda.gpuarray`."""
