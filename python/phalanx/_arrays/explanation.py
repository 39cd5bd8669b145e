"""What is told of each kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import placement


@dataclass(frozen=True)
class Input:
    """An array that a kernel reads."""

    kernel: int | None  # the number of the kernel that made it; None: it was there
    memory: int  # inputs of one number are views of one array; 0: it is gone
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Placed:
    """Why "auto" has a kernel on its device; figures of the CPU device and the GPU, in this order.

    Without figures it is so little that a GPU would take longer to begin.
    """

    expected_seconds: tuple[float, float] | None = None  # with copies
    copied_bytes: tuple[int, int] | None = None
    is_paid_for: bool = False  # copies count less for what earlier kernels have lost without them


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
    chunks: int = 0  # in which it ran, as what it reads did not fit the memory; 0: at once
    copied_bytes: int = 0  # between the host and the device for them
    placed: Placed | None = None  # why it is on its device; None where that was not chosen
    compiled: Any = field(default=None, repr=False)  # the engine's kernel; None before it ran

    def ir(self) -> str:
        """Its code as the front end gives it, in the engine's intermediate representation.

        This and the following raise `ValueError` of a kernel that has not run, or is no kernel of
        the engine: ``explain(x, measure=True)`` runs those of `x`.
        """
        return str(self._kernel().module)

    def llvm(self) -> str:
        """Its code in LLVM's language, optimized for the device that it is for."""
        return str(self._kernel().llvm(self._device()))

    def assembly(self) -> str:
        """Its code in the CPU's assembly language, or PTX."""
        return str(self._kernel().assembly(self._device()))

    def _kernel(self) -> Any:
        if self.compiled is None:
            raise ValueError(
                f"kernel {self.number} has no code to show: it has not run, or NumPy did it; "
                "explain(x, measure=True) runs what is recorded"
            )
        return self.compiled

    def _device(self) -> Any:
        return placement.engine_device(self.device)
