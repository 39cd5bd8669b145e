"""A library in the place of NCCL, which adds up memory of the host: tests/support/fake_nccl*.c."""

import shutil
import subprocess
from pathlib import Path

import pytest

COMPILER = shutil.which("cc") or shutil.which("gcc")
SOURCES = Path(__file__).resolve().parents[1] / "support"
needed = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


def build(folder: Path) -> Path:
    """The library, compiled into a folder."""
    path = folder / "libnccl.so.2"
    sources = sorted(SOURCES.glob("fake_nccl*.c"))
    subprocess.run([str(COMPILER), "-O1", "-shared", "-fPIC", "-o", path, *sources], check=True)
    return path
