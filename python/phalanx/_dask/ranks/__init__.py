"""Fits of workers that exchange sums among themselves: by NCCL, where each has a GPU."""
