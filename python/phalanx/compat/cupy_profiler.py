"""``cupy.cuda.profiler``: where a profiler begins and ends."""

from __future__ import annotations

from .. import cuda


def start() -> None:
    """Profilers see what runs from now on."""
    cuda.profile_start()


def stop() -> None:
    """Profilers no longer see what runs."""
    cuda.profile_stop()
