"""CSV text as columns, by kernels over arrays that GPUs run, and for tests the CPU device."""

from .reading import Reader, is_worth, takes

__all__ = ["Reader", "is_worth", "takes"]
