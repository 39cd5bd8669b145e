"""PHALANX_GDB=1: debuggers are told of the CPU device's code by GDB's interface for compilers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

KERNEL = """\
import ctypes
import gc

import numpy as np
from phalanx import _engine, cuda


@cuda.jit
def scale_numbers(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = np.sqrt(x[i]) + 3.0  # the line


x = np.full(1000, 16.0)
scale_numbers[4, 256](x)
assert x.sum() == 7000
"""
# What GDB reads: a list of objects in memory.
ENTRIES = """
class Entry(ctypes.Structure):
    pass


Entry._fields_ = [
    ("next", ctypes.POINTER(Entry)),
    ("previous", ctypes.POINTER(Entry)),
    ("object", ctypes.c_void_p),
    ("size", ctypes.c_uint64),
]


class Descriptor(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32),
        ("action", ctypes.c_uint32),
        ("relevant", ctypes.POINTER(Entry)),
        ("first", ctypes.POINTER(Entry)),
    ]


described = Descriptor.in_dll(ctypes.CDLL(_engine.__file__), "__jit_debug_descriptor")
assert described.version == 1
entry = described.first
while entry:
    image = ctypes.string_at(entry.contents.object, entry.contents.size)
    assert image.startswith(b"\\x7fELF")
    print("scale" if b"scale_numbers\\0" in image and b"script.py" in image else "other")
    entry = entry.contents.next
"""


def settings(folder, **more):
    folder = str(folder)
    return {**os.environ, "PHALANX_DEVICE": "cpu", "PHALANX_CACHE_DIR": folder, **more}


@pytest.mark.parametrize("is_on", [True, False])
def test_objects_are_in_the_list_of_debuggers(tmp_path, is_on):
    script = tmp_path / "script.py"
    script.write_text(KERNEL + ENTRIES)
    done = subprocess.run(
        [sys.executable, script],
        env=settings(tmp_path, PHALANX_GDB="1" if is_on else "0"),
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ("scale" in done.stdout.split()) == is_on


@pytest.mark.skipif(shutil.which("gdb") is None, reason="GDB is not installed")
def test_gdb_stops_in_a_kernel_and_shows_its_line(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(KERNEL)
    commands = (
        "set breakpoint pending on",
        "set confirm off",
        "break scale_numbers",
        "run",
        "backtrace 1",
    )
    given = [f"--eval-command={each}" for each in commands]
    done = subprocess.run(
        ["gdb", "-nx", "-batch", *given, "--args", sys.executable, str(script)],
        env=settings(tmp_path, PHALANX_GDB="1"),
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "ptrace" in done.stderr:
        pytest.skip("this system lets no debugger attach")
    assert "#0" in done.stdout, done.stdout + done.stderr
    frame = done.stdout[done.stdout.index("#0") :]
    assert "scale_numbers (" in frame and "script.py:" in frame
