"""The settings of ``numba.config``, where a program that uses them runs."""

from __future__ import annotations

import os
from typing import Any

_sources: list[Any] = []


def use(source: Any) -> None:
    """From now on the settings are the attributes of `source`, where programs change them."""
    _sources[:] = [source]


def setting(name: str, default: Any = None) -> Any:
    """A setting; `default` where no program uses them, and where there is none of that name."""
    return getattr(_sources[0], name, default) if _sources else default


def flag(name: str, default: int) -> int:
    """The whole number that an environment variable holds, `default` for anything else."""
    value = os.environ.get(name, "")
    return int(value) if value.strip().lstrip("-").isdigit() else default
