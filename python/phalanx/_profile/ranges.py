"""Ranges of NVTX, by which Nsight Systems shows what the engine does beside what the GPU does."""

from __future__ import annotations

import os

from .. import _engine
from ..errors import DeviceError
from .profile import library_folders, package_folder, watched


def start() -> None:
    """Gives ranges for the rest of the process, where ``PHALANX_NVTX`` or a profiler asks for them.

    Raises `DeviceError` if the variable asks for them and NVTX's library is not installed. A
    profiler that runs the program names what it loads in ``NVTX_INJECTION64_PATH``: without the
    library it sees no ranges.
    """
    wanted = os.environ.get("PHALANX_NVTX", "")
    if wanted == "0":
        return
    try:
        _engine.profile_ranges(package_folder(), library_folders())
    except DeviceError:
        if wanted:
            raise
        return
    watched.begin()
