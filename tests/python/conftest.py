"""Fixtures: a test that takes `device` runs on the CPU device, and on a GPU if there is one."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import long_tables
import numpy as np
import pytest
from hypothesis import settings
from installed import run_installed  # noqa: F401
from lost_context import pytest_runtest_makereport, pytest_runtest_protocol  # noqa: F401

# The same examples each time, so that no merge depends on luck; `make fuzz` tries new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)  # first calls compile
settings.register_profile("new", deadline=None)
settings.load_profile("repeatable")

# A shell starts what it puts into the background with SIGINT ignored, and Python leaves it so: the
# tests of Ctrl-C, here and in processes of their own, would wait for an exception in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The tests keep out of the user's cache. Whoever collects them lists devices, which reads this.
# Processes of one run share a folder: most of their time is compiling, and kernels are the same.
if "PHALANX_TESTS_CACHE" not in os.environ:
    _cache = tempfile.TemporaryDirectory(prefix="phalanx-tests-")
    os.environ["PHALANX_TESTS_CACHE"] = _cache.name
os.environ["PHALANX_CACHE_DIR"] = os.environ["PHALANX_TESTS_CACHE"]
# Tests count kernels: which ones run must not depend on how far a background thread is.
os.environ.setdefault("PHALANX_BACKGROUND_COMPILE", "0")

REPOSITORY = Path(__file__).resolve().parents[2]


def _kinds() -> list[str]:
    from phalanx import _engine

    kinds = [each.kind for each in _engine.devices()]
    wanted = os.environ.get("PHALANX_TEST_DEVICES", "").split(",")
    chosen = [kind for kind in ("cpu", "cuda") if kind in kinds]
    return [kind for kind in chosen if wanted == [""] or kind in wanted]


def pytest_collection_modifyitems(config, items):
    long_tables.left_out(config, items)


def pytest_collection_finish(session):
    # Millions of objects that live as long as the run: each full collection would visit them.
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)  # pytest-xdist's
def pytest_xdist_make_scheduler(config, log):
    if config.getvalue("dist") != "loadfile":
        return None
    from file_queue import FileQueue

    return FileQueue(config, log)


def pytest_generate_tests(metafunc):
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", _kinds(), indirect=True)


@pytest.fixture
def device(request):
    """Makes the device current for one test; its value is "cpu" or "cuda"."""
    from phalanx import _engine

    before = _engine.current_device()
    _engine.set_current_device(_engine.device(request.param))
    yield request.param
    _engine.set_current_device(before)


@pytest.fixture
def frequent_turns():
    """With the GIL, threads take turns every few microseconds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


@pytest.fixture(params=DTYPES)
def dtype(request):
    return np.dtype(request.param)


@pytest.fixture
def run_python(tmp_path):
    """Runs code in a fresh process; gives back the finished process, with text output."""

    def run(code, *arguments, check=True, **environment):
        script = tmp_path / "script.py"
        script.write_text(code)
        environment = {"PHALANX_CACHE_DIR": str(tmp_path / "cache"), **environment}
        done = subprocess.run(
            [sys.executable, *arguments, str(script)],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
        )
        if check:
            assert done.returncode == 0, done.stderr
        return done

    return run
