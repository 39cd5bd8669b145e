"""What is told of each kernel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Input:
    """An array that a kernel reads."""

    kernel: int | None  # the number of the kernel that made it; None: it was there
    memory: int  # inputs of one number are views of one array; 0: it is gone
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Kernel:
    """One kernel: what it computes, what that costs, and why it is one of its own."""

    number: int  # from 1 on, in the order in which they run
    code: str  # what it computes of its inputs a, b, c, ...
    why: str
    has_run: bool
    device: str
    dtype: str  # of the first result
    shape: tuple[int, ...]
    results: int
    bytes_read: int  # each element counts once; what two operands share counts twice
    bytes_written: int
    operations: int  # functions of elements
    expected_seconds: float  # by the device's measured rates
    seconds: float | None  # that it took, where it was measured
    inputs: tuple[Input, ...]
