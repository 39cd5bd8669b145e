"""Fixtures of profiles."""

from __future__ import annotations

import linecache
import runpy

import pytest

import phalanx


@pytest.fixture
def run_profiled(tmp_path):
    """Runs a program's text from a file, on the CPU device, and gives its profile and the file."""
    from phalanx import _engine

    before = _engine.current_device()
    _engine.set_current_device(_engine.device("cpu"))

    def run(text):
        path = tmp_path / "program.py"
        path.write_text(text)
        linecache.checkcache(str(path))
        with phalanx.profile() as taken:
            runpy.run_path(str(path), run_name="__main__")
        return taken, path

    yield run
    _engine.set_current_device(before)
