"""Scripts with a GPU of the fake driver: tests/support/fake_libcuda, which the C++ tests build."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
LIBRARY = Path(
    os.environ.get("PHALANX_FAKE_LIBCUDA", REPOSITORY / "build/dev/tests/cpp/fake_libcuda")
)

needed = pytest.mark.skipif(
    not (LIBRARY / "libcuda.so.1").exists(), reason="C++ tests are not built"
)


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the script in a folder, in a process whose current device is the GPU."""
    path = folder / "script.py"
    path.write_text(script)
    settings = {
        "LD_LIBRARY_PATH": str(LIBRARY),
        "PHALANX_DEVICE": "cuda",
        "PHALANX_CACHE_DIR": str(folder),
    }
    return subprocess.run(
        [sys.executable, path],
        env={**os.environ, **settings},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
