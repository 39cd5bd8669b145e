"""``cupy.fft``: the arrays' transforms, and the settings of CuPy's that have no meaning here."""

from __future__ import annotations

import warnings
from typing import Any

import phalanx as px

from . import _cupy_table


class _Config:
    """``cupy.fft.config``: there are no plans of cuFFT to keep."""

    use_multi_gpus = False
    _nd_planning = True

    @property
    def enable_nd_planning(self) -> bool:
        """Of no effect, with CuPy's `DeprecationWarning`."""
        _warn()
        return self._nd_planning

    @enable_nd_planning.setter
    def enable_nd_planning(self, value: bool) -> None:
        _warn()
        self._nd_planning = value

    def get_plan_cache(self) -> Any:
        """Always raises `NotImplementedError`: there are no plans."""
        raise NotImplementedError("phalanx keeps no plans of cuFFT")

    show_plan_cache_info = get_plan_cache

    def clear_plan_cache(self) -> None:
        """There is nothing to clear."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"phalanx does not provide cupy.fft.config.{name}; {_cupy_table.remedy('cupy.fft')}"
        )


def _warn() -> None:
    text = "cupy.fft.config.enable_nd_planning is deprecated, and there are no plans here"
    warnings.warn(text, DeprecationWarning, 3)


config = _Config()


def __getattr__(name: str) -> Any:
    return getattr(px.fft, name)


def __dir__() -> list[str]:
    return sorted([*dir(px.fft), "config"])
