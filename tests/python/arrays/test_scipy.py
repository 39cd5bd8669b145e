"""SciPy's functions that ask arrays for their namespace take ours, and give ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")
SCRIPT = Path(__file__).parent / "scipy_functions.py"
PARTS = ("stats", "special", "signal", "ndimage", "integrate", "cluster", "optimize", "fft")


def test_functions_of_each_part(device):
    command = [sys.executable, str(SCRIPT), device]
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    outcomes = json.loads(done.stdout)
    assert len(outcomes) >= 80
    assert {name.split(".")[0] for name in outcomes} >= set(PARTS)
    assert {name: why for name, why in outcomes.items() if why} == {}
