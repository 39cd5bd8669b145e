"""Exceptions of `pycuda.driver`, and how the engine's become them."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Iterator, Sequence

from ... import errors

__all__ = ["CompileError", "Error", "LaunchError", "LogicError", "MemoryError", "RuntimeError"]


class Error(Exception):
    """The base of all of them."""

    code = 0  # the driver's


class MemoryError(Error, builtins.MemoryError):
    """The device has too little memory."""

    code = 2


class LogicError(Error):
    """A call that makes no sense, as it is or now: a bad argument, freed memory, a lost context."""

    code = 1


class LaunchError(Error):
    """A kernel has failed on the device: mostly it has read or written where nothing is."""

    code = 719


class RuntimeError(Error, builtins.RuntimeError):
    """Other failures of the driver."""


class CompileError(Error):
    """Source with errors: `stderr` has the compiler's messages, with the lines of the source."""

    def __init__(
        self, msg: str, command_line: Sequence[str] = (), stdout: str = "", stderr: str = ""
    ) -> None:
        super().__init__(msg)
        self.msg, self.command_line = msg, command_line
        self.stdout, self.stderr = stdout, stderr

    def __str__(self) -> str:
        return f"{self.msg}\n{self.stderr}" if self.stderr else self.msg


_FULL = (
    "What to look at: pycuda.driver.mem_get_info() tells what is free; arrays that are still "
    "referenced keep their memory (del x, x.gpudata.free()); pools keep what was freed "
    "(pool.free_held())"
)
_ILLEGAL = (
    "What to look at: indices at the array's end, a grid larger than the data, pointers of the "
    "host or of freed memory, types whose sizes differ between NumPy and C (int64 and int). "
    "PHALANX_CHECK=1 runs kernels in check mode, which names the argument, the line and the thread "
    "of an access outside of its memory"
)


@contextlib.contextmanager
def of_driver(call: str) -> Iterator[None]:
    """What the engine raises inside becomes PyCUDA's, as of a call of the driver's."""
    try:
        yield
    except ENGINES as error:
        raise translated(call, error) from None


# What the engine raises of a launch; source that a device does not run fails with the first one.
ENGINES = (errors.CompileError, errors.DeviceError, errors.LaunchError)


def translated(
    call: str, error: errors.CompileError | errors.DeviceError | errors.LaunchError
) -> Error:
    """PyCUDA's error for what the engine raised in a call of the driver's."""
    if isinstance(error, errors.CompileError):
        return CompileError(f"{call} failed: the kernel does not compile", (), "", str(error))
    if isinstance(error, errors.OutOfMemoryError):
        return MemoryError(f"{call} failed: out of memory - {error}\n{_FULL}")
    if isinstance(error, errors.LaunchError):
        return LogicError(f"{call} failed: invalid value - {error}")
    if error.code in _OF_KERNELS:
        return LaunchError(f"{call} failed: {error}\n{_ILLEGAL}")
    kind = LogicError if error.code in _OF_ARGUMENTS else RuntimeError
    return kind(f"{call} failed: {error}")


_OF_KERNELS = frozenset((700, 701, 702, 709, 710, 714, 715, 716, 717, 718, 719))
_OF_ARGUMENTS = frozenset((1, 3, 4, 100, 101, 201, 202, 400, 401, 500))
