"""The front end, loaded when a function is first compiled: its import takes milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._frontend import compile_kernel, location
    from .._frontend.fingerprint import fingerprint, referred

    __all__ = ["compile_kernel", "fingerprint", "location", "referred"]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    from .. import _frontend, _library  # noqa: F401  (it registers with the front end)

    return getattr(_frontend, name)
