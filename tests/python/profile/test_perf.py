"""PHALANX_PERF=1: what perf reads of the CPU device's code, a map of names and a jitdump."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import os

import numpy as np
import phalanx as px
from phalanx import cuda


def root(v):
    return np.sqrt(v)  # inlined


@cuda.jit
def scale(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = root(x[i]) + 3.0  # of the kernel


@px.njit
def total(x):
    s = 0.0
    for i in range(x.size):
        s += x[i]  # of the function
    return s


x = np.full(1000, 16.0)
scale[4, 256](x)
assert total(x) == 7000.0
assert float((px.asarray(x) * 2).sum()) == 14000.0
print(os.getpid())
"""
LINES = {text.partition("# ")[2]: number for number, text in enumerate(PROGRAM.splitlines(), 1)}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The script, its perf map and its jitdump."""
    folder = tmp_path_factory.mktemp("perf")
    script = folder / "script.py"
    script.write_text(PROGRAM)
    settings = {
        "PHALANX_PERF": "1",
        "PHALANX_DEVICE": "cpu",
        "PHALANX_CACHE_DIR": str(folder),
        "JITDUMPDIR": str(folder),
    }
    # Twice: what the disk cache has would be without lines, or with those of another file.
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, script],
            env={**os.environ, **settings},
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        )
        perf_map = Path(f"/tmp/perf-{int(done.stdout)}.map")
        names = perf_map.read_text()
        perf_map.unlink()
    (dump,) = folder.rglob(f"jit-{int(done.stdout)}.dump")
    return script, names, dump.read_bytes()


def records(dump):
    """Each record's kind and content, after the header of the jitdump format."""
    magic, version, size = struct.unpack_from("<III", dump)
    assert magic == 0x4A695444 and version == 1
    place = size
    while place < len(dump):
        kind, length = struct.unpack_from("<II", dump, place)
        yield kind, dump[place + 16 : place + length]
        place += length


def code_of(dump):
    """The address and size of each function that is loaded, by its name."""
    for kind, content in records(dump):
        if kind == 0:
            address, size = struct.unpack_from("<QQ", content, 16)
            yield content[40:].split(b"\0")[0].decode(), address, size


def lines_of(dump):
    """The file, line and function's address of all lines that are told."""
    for kind, content in records(dump):
        if kind != 2:
            continue
        address, count = struct.unpack_from("<QQ", content)
        place = 16
        for _ in range(count):
            at, line, _ = struct.unpack_from("<QII", content, place)
            end = content.index(b"\0", place + 16)
            assert at >= address
            yield content[place + 16 : end].decode(), line, address
            place = end + 1


def test_the_map_names_kernels_and_functions(written):
    _, names, _ = written
    rows = [line.split(" ", 2) for line in names.splitlines()]
    assert all(int(address, 16) and int(size, 16) for address, size, _ in rows)
    found = {name for *_, name in rows}
    assert {"py::scale", "py::total"} <= found
    assert len(found) > 2  # the kernels of arrays, too


def test_the_jitdump_has_the_code_of_the_map(written):
    _, names, dump = written
    in_map = {tuple(line.split(" ", 2)) for line in names.splitlines()}
    in_dump = {(f"{address:x}", f"{size:x}", name) for name, address, size in code_of(dump)}
    assert in_map and in_map == in_dump


def test_the_jitdump_has_the_lines_of_the_source(written):
    script, _, dump = written
    places = {name: address for name, address, _ in code_of(dump)}
    found = set(lines_of(dump))
    for name, comments in (
        ("scale", ("of the kernel", "inlined")),
        ("total", ("of the function",)),
    ):
        for comment in comments:
            assert (str(script), LINES[comment], places[f"py::{name}"]) in found


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PHALANX_PERF": "1", "JITDUMPDIR": "/nowhere"}, "cannot write /nowhere/jit-"),
        ({"PHALANX_PERF": "yes"}, "PHALANX_PERF takes 1 or 0, not 'yes': it is off"),
        ({"PHALANX_GDB": "on"}, "PHALANX_GDB takes 1 or 0, not 'on': it is off"),
        ({"PHALANX_PERF": "0", "PHALANX_GDB": ""}, ""),
    ],
)
def test_what_cannot_be_done_is_said(settings, said, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "PHALANX_CACHE_DIR": str(tmp_path), **settings},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said in done.stderr and bool(said) == ("phalanx:" in done.stderr)
