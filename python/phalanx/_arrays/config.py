"""Settings of arrays: `phalanx.config`."""

from __future__ import annotations

import warnings
from typing import Any

from .. import errors

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

    def __repr__(self) -> str:
        return f"config(copies_to_host={self._copies_to_host!r})"


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
