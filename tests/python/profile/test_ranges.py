"""NVTX ranges: a small library replaces NVIDIA's, or a profiler, and writes them down."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import fake_gpu
import pytest

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

PROGRAM = """\
import numpy as np
import phalanx as px
from phalanx import cuda
from phalanx.ml.linear_model import LinearRegression


@cuda.jit
def scale(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


@px.njit
def twice(x):
    return x * 2


x = np.ones(64)
scale[1, 64](x)  # the kernel
twice(1.5)  # the function
float((px.asarray(x) * 2 + 1).sum())  # the expression
px.DataFrame({"a": [3, 1, 2]}).sort_values("a")  # the operator
LinearRegression().fit(x.reshape(-1, 1), x)  # the fit
assert x.sum() == 128
"""
# What each line's comment names: the kind of its range, and its message without the line.
RANGES = {
    "the kernel": {("launch", "scale"), ("compile", "codegen scale")},
    "the function": {("call", "twice"), ("compile", "codegen twice")},
    "the expression": {("expression", "expression")},
    "the operator": {("scope", "DataFrame.sort_values")},
    "the fit": {("scope", "LinearRegression.fit")},
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("nvtx") / "libfake_nvtx.so"
    source = Path(__file__).with_name("fake_nvtx.c")
    subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-o", path, source], check=True)
    return path


def run(folder, **settings):
    """What the program tells with these settings: lines of the library's log; None: nothing."""
    script, log = folder / "script.py", folder / "log"
    script.write_text(PROGRAM)
    kept = {name: value for name, value in os.environ.items() if "NVTX" not in name}
    settings = {"PHALANX_CACHE_DIR": str(folder), "PHALANX_DEVICE": "cpu", **settings}
    subprocess.run(
        [sys.executable, script],
        env={**kept, "FAKE_NVTX_LOG": str(log), **settings},
        check=True,
        timeout=120,
    )
    return log.read_text().splitlines() if log.exists() else None


def check(lines):
    assert lines[0] == "domain phalanx"
    kinds = {}
    depth, deepest, found = 0, 0, set()
    for line in lines[1:]:
        what, _, rest = line.partition(" ")
        if what == "category":
            number, name = rest.split()
            kinds[number] = name
        elif what == "push":
            number, _, message = rest.partition(" ")
            found.add((kinds[number], message))
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
            assert depth >= 0
    assert depth == 0 and deepest > 1
    for number, text in enumerate(PROGRAM.splitlines(), 1):
        for kind, message in RANGES.get(text.partition("# ")[2], ()):
            assert (kind, f"{message} (script.py:{number})") in found


def test_the_library_is_told_of_ranges_with_their_lines(library, tmp_path):
    check(run(tmp_path, PHALANX_NVTX=str(library)))


ON_GPU = """
import numpy as np
import phalanx as px
from phalanx import cuda


@cuda.jit
def scale(x):
    x[cuda.grid(1)] *= 2


x = cuda.to_device(np.ones(64))
scale[1, 64](x)
with px.profile() as taken:
    scale[1, 64](x)  # beside a profile
scale[1, 64](x)
cuda.synchronize()
(row,) = (row for row in taken.rows() if row.name == "scale")
assert row.calls == 1, row
"""


@fake_gpu.needed
def test_launches_on_a_gpu_are_ranges_beside_a_profile(library, tmp_path, monkeypatch):
    log = tmp_path / "log"
    monkeypatch.setenv("PHALANX_NVTX", str(library))
    monkeypatch.setenv("FAKE_NVTX_LOG", str(log))
    done = fake_gpu.run(ON_GPU, tmp_path)
    assert done.returncode == 0, done.stderr
    launches = [line for line in log.read_text().splitlines() if line.startswith("push 1 scale")]
    assert launches == [f"push 1 scale (script.py:{line})" for line in (13, 15, 16)]


UNDER_WAY = """
import numpy as np
import phalanx as px
from phalanx import _engine, cuda


@cuda.jit
def scale(x):
    x[cuda.grid(1)] *= 2


x = np.ones(64)
scale[1, 64](x)
with _engine.ProfileOrigin().delegate():  # as a thread does that works for this line
    with px.profile() as taken:
        scale[1, 64](x)
(launch,) = (each for each in taken.records if each.kind == "launch")
assert launch.site.line == 14, launch
"""


def logged(program, folder, library, **settings):
    """What a program tells the library: its lines."""
    script, log = folder / "script.py", folder / "log"
    script.write_text(program)
    cache = {"PHALANX_CACHE_DIR": str(folder), "PHALANX_DEVICE": "cpu"}
    told = {"FAKE_NVTX_LOG": str(log), "PHALANX_NVTX": str(library)}
    env = {**os.environ, **cache, **told, **settings}
    subprocess.run([sys.executable, script], env=env, check=True, timeout=120)
    return log.read_text().splitlines() if log.exists() else []


def test_a_profile_that_starts_leaves_spans_under_way_their_lines(library, tmp_path):
    lines = logged(UNDER_WAY, tmp_path, library)
    launches = [line for line in lines if line.startswith("push 1 scale")]
    assert launches == ["push 1 scale (script.py:13)", "push 1 scale (script.py:14)"]


OF_CUPY = """
from phalanx import compat

compat.install()
from cupy.cuda import nvtx
from cupyx.profiler import time_range

assert nvtx.available
nvtx.RangePush("step")
nvtx.RangePush("red", 5)
nvtx.RangePop()
nvtx.RangePushC("own", 0x80123456)
nvtx.Mark("here")
nvtx.Mark("green again", 10)
nvtx.MarkC("there", 0xFF0000FF)
nvtx.RangePop()
nvtx.RangePop()
with time_range("block", color_id=1):
    nvtx.Mark("within")


@time_range("function", argb_color=0xFFABCDEF, sync=True)
def work():
    raise KeyError


try:
    work()
except KeyError:
    pass
try:
    time_range("both", 1, 2).__enter__()
except ValueError as error:
    assert "not both" in str(error)
else:
    raise AssertionError
"""
TOLD_BY_CUPY = """\
push 0 step
push 0 red #ffff0000
pop
push 0 own #80123456
mark 0 here
mark 0 green again #ff00ff00
mark 0 there #ff0000ff
pop
pop
push 0 block #ff0000ff
mark 0 within
pop
push 0 function #ffabcdef
pop
"""


def of_default_domain(lines):
    return [line.removeprefix("default ") for line in lines if line.startswith("default ")]


def test_ranges_of_cupy_are_told(library, tmp_path):
    lines = logged(OF_CUPY, tmp_path, library)
    assert of_default_domain(lines) == TOLD_BY_CUPY.splitlines()


def test_ranges_of_cupy_do_nothing_without_the_library(tmp_path):
    program = OF_CUPY.replace("assert nvtx.available", "assert not nvtx.available")
    assert logged(program, tmp_path, "", PHALANX_NVTX="0") == []


def nvidias_library():
    found = importlib.util.find_spec("nvidia")
    for folder in found.submodule_search_locations if found else ():
        yield from Path(folder).glob("*/lib/libnvtx3interop.so.1")
        yield from Path(folder).glob("*/lib/libnvToolsExt.so.1")


@pytest.mark.skipif(not any(nvidias_library()), reason="nvidia-nvtx is not installed")
@pytest.mark.parametrize("settings", [{}, {"PHALANX_NVTX": "1"}])
def test_a_profiler_that_runs_the_program_sees_them(library, tmp_path, settings):
    check(run(tmp_path, NVTX_INJECTION64_PATH=str(library), **settings))


@pytest.mark.skipif(not any(nvidias_library()), reason="nvidia-nvtx is not installed")
def test_a_profiler_sees_ranges_of_cupy(library, tmp_path):
    lines = logged(OF_CUPY, tmp_path, 1, NVTX_INJECTION64_PATH=str(library))
    assert of_default_domain(lines) == TOLD_BY_CUPY.splitlines()


@pytest.mark.parametrize("settings", [{}, {"PHALANX_NVTX": "0"}])
def test_nobody_is_told_unless_somebody_asks(library, tmp_path, settings):
    if settings:
        settings["NVTX_INJECTION64_PATH"] = str(library)
    assert run(tmp_path, **settings) is None


def test_a_library_that_is_not_there_is_an_error(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import phalanx\n")
    settings = {**os.environ, "PHALANX_NVTX": str(tmp_path / "none.so")}
    done = subprocess.run(
        [sys.executable, script], env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "DeviceError" in done.stderr and "none.so" in done.stderr
    assert "pip install nvidia-nvtx" in done.stderr
