"""Settings of arrays: `phalanx.config`."""

from __future__ import annotations

import warnings
from typing import Any

from .. import _engine, errors

_CHOICES = ("allow", "warn", "error")


class Config:
    """Settings of arrays, of the whole process."""

    __slots__ = ("_copies_to_host",)

    def __init__(self) -> None:
        self._copies_to_host = "allow"

    @property
    def copies_to_host(self) -> str:
        """What `numpy.asarray(x)` and others that ask for NumPy's array do with one of a GPU.

        ``"allow"``, the default, copies it; ``"warn"`` also gives a `CopyWarning`, and ``"error"``
        raises TypeError. ``x.to_device("cpu")`` copies without either. Arrays of the CPU device are
        not copied. Raises `ValueError` for another word.
        """
        return self._copies_to_host

    @copies_to_host.setter
    def copies_to_host(self, choice: str) -> None:
        if choice not in _CHOICES:
            raise ValueError(f"copies_to_host is one of {', '.join(_CHOICES)}, not {choice!r}")
        self._copies_to_host = choice

    @property
    def background_compile(self) -> bool:
        """True if the first use of an expression does not wait for the compiler where it need not.

        Where the machine code of an expression would have to be compiled, and that of each of its
        operations is at hand, these run one by one, and the compiler works in background: a later
        use takes its code. Elementwise results have the same bits either way, sums of floats may
        differ in the last ones. True by default; ``PHALANX_BACKGROUND_COMPILE=0`` in the
        environment makes it False.
        """
        return _engine.array_background_compile()

    @background_compile.setter
    def background_compile(self, choice: bool) -> None:
        _engine.set_array_background_compile(bool(choice))

    def __repr__(self) -> str:
        return (
            f"config(copies_to_host={self._copies_to_host!r}, "
            f"background_compile={self.background_compile})"
        )


config = Config()


def note_copy(array: Any) -> None:
    """Tells that an array of a GPU is copied because somebody asked for NumPy's."""
    if config.copies_to_host == "allow":
        return
    text = f"an array of {array._device.name} is copied to the host: x.to_device('cpu') says so"
    if config.copies_to_host == "error":
        raise TypeError(text)
    code = errors.CopyWarning.code
    warnings.warn(errors.CopyWarning(f"{code} {text}"), stacklevel=3)
