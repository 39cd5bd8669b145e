"""Sorting by kernels, for arrays of a GPU."""
