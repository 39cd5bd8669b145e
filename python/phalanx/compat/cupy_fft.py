"""``cupy.fft``: the arrays' transforms, and the settings of CuPy's that have no meaning here."""

from __future__ import annotations

from typing import Any

import phalanx as px

from . import _cupy_table


class _Config:
    """``cupy.fft.config``: there are no plans of cuFFT to keep."""

    enable_nd_planning = True
    use_multi_gpus = False

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


config = _Config()


def __getattr__(name: str) -> Any:
    return getattr(px.fft, name)


def __dir__() -> list[str]:
    return sorted([*dir(px.fft), "config"])
