"""Tests of what NVRTC does not do are left out where it makes the code."""

from __future__ import annotations

import pytest
from phalanx._cuda_c import nvrtc


def pytest_collection_modifyitems(items):
    if nvrtc.chosen(None) != "nvrtc":
        return
    for item in items:
        mark = item.get_closest_marker("of_phalanx")
        if mark is not None:
            item.add_marker(pytest.mark.skip(reason=f"NVRTC: {mark.args[0]}"))
