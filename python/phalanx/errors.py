"""Every exception and warning of Phalanx.

The caller's mistakes are `CompileError`, `TypeError`, `ValueError` and `LaunchError`; failures of
a device are `DeviceError`; exceptions raised inside a kernel are `KernelError` or the exception
named in the kernel.
"""

from __future__ import annotations


def raised_class(name: str) -> type[BaseException] | None:
    """The exception class that compiled code knows by that name."""
    from ._frontend.resolve import EXCEPTIONS

    return EXCEPTIONS.get(name)


class PhalanxError(Exception):
    """The base of the errors that are not also a standard Python exception."""


class CompileError(PhalanxError):
    """A kernel's source is wrong, or uses something that is not supported.

    The message has the file, the line, the source line with a caret, the types seen, and what to
    write instead.
    """

    @property
    def msg(self) -> str:
        """The message, under the name that Numba's errors give it."""
        return str(self.args[0]) if self.args else ""


class TypingError(CompileError):
    """Types that do not fit each other, or a name or attribute that does not exist."""


class UnsupportedError(CompileError):
    """Python that kernels do not have; the message says what to write instead."""


class LoweringError(CompileError):
    """Code that types but cannot be compiled for the chosen device."""


class DeviceError(PhalanxError, RuntimeError):
    """The device or its driver failed; `code` is the driver's error code, 0 if there is none."""

    code: int = 0


class OutOfMemoryError(DeviceError, MemoryError):
    """The device has not enough memory; the message says how much was asked and who holds it."""


class KernelError(PhalanxError):
    """An exception inside a kernel whose type has no Python class of that name."""


class LaunchError(PhalanxError, ValueError):
    """A launch configuration that no device can run, such as a grid of 0 blocks."""


class PhalanxWarning(UserWarning):
    """The base of all warnings."""


class PerformanceWarning(PhalanxWarning):
    """Something correct that is slower than it need be: implicit copies, low occupancy."""


class CacheWarning(PhalanxWarning):
    """The disk cache cannot be used; compiled kernels last for this process only."""


class DeprecationError(PhalanxError):
    """An option that numba.cuda had once and that is gone."""
