"""What the Array API's `__array_namespace_info__` tells."""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import dtypes, placement

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_GROUPS = {
    "integral": ("signed integer", "unsigned integer"),
    "numeric": ("signed integer", "unsigned integer", "real floating", "complex floating"),
}


def _name_of(device: _engine.Device) -> str:
    return "cpu" if device.is_host else f"{device.kind}:{device.ordinal}"


class NamespaceInfo:
    """What arrays can do, and on which devices and of which dtypes they can be."""

    def capabilities(self) -> dict[str, Any]:
        """Returns whether there are boolean masks, shapes that data decide, and how many axes."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": 64,
        }

    def default_device(self) -> str:
        """The current device, on which arrays are made."""
        return str(placement.current_device())

    def devices(self) -> tuple[str, ...]:
        """The devices there are, and "auto" where the thread has chosen it."""
        auto = (placement.AUTO,) if _engine.is_automatic() else ()
        return (*map(_name_of, _engine.devices()), *auto)

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The dtypes of arrays of Python's numbers, and of indices."""
        self._check(device)
        names = {
            "real floating": "float64",
            "complex floating": "complex128",
            "integral": "int64",
            "indexing": "int64",
        }
        return {kind: dtypes.numpy_dtype(name) for kind, name in names.items()}

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """The Array API's dtypes by name: all, or those of a kind or of several kinds."""
        self._check(device)
        kinds = (kind,) if isinstance(kind, str) else tuple(_KINDS) if kind is None else kind
        found: dict[str, Any] = {}
        for each in kinds:
            if each not in _KINDS and each not in _GROUPS:
                raise ValueError(f"unsupported kind: {each!r}")
            for group in _GROUPS.get(each, (each,)):
                found |= {name: dtypes.numpy_dtype(name) for name in _KINDS[group]}
        return found

    def _check(self, device: Any) -> None:
        if isinstance(device, str) and device not in self.devices():
            raise ValueError(f"there is no device {device!r}; there are {self.devices()}")


def __array_namespace_info__() -> NamespaceInfo:
    """What arrays can do, and on which devices and of which dtypes they can be."""
    return NamespaceInfo()
