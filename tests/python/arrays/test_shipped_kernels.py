"""Single operations over common dtypes are in the package as machine code.

A development build ships none: `tools/build_wheel.sh` makes them, of the operations of
tools/shipped/operations.py.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from phalanx import _engine

TOOLS = Path(__file__).resolve().parents[3] / "tools/shipped"

# Prints which operations compiled something, for the shapes in its arguments.
SCRIPT = """
import json, sys, warnings
import numpy as np
sys.path.insert(0, sys.argv[1])
import operations
from phalanx import _engine

warnings.simplefilter("ignore")
_engine.set_current_device(_engine.device(sys.argv[2]))
compiled, found, done = [], 0, 0
with np.errstate(all="ignore"):
    for shape in json.loads(sys.argv[3]):
        for row in operations.rows(tuple(shape)):
            before = _engine.statistics()["counts"]["codegen"]
            operations.run(row)
            done += 1
            if _engine.statistics()["counts"]["codegen"] != before:
                compiled.append(f"{row[0]} {shape}")
print(json.dumps([done, compiled, _engine.statistics()["counts"]["disk"]]))
"""


def outcome(device, shapes, folder, **settings):
    command = [sys.executable, "-c", SCRIPT, str(TOOLS), device, json.dumps(shapes)]
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(folder), **settings}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def need_archives(device):
    if not _engine.shipped_kernels(_engine.device(device)):
        pytest.skip("this build has no archive for the machine: tools/shipped/ship.py makes them")


# Not those that they were made with.
SHAPES = [(5, 7), (25, 40), (90, 50), (5, 3000), (3000, 5), (500, 900)]


def test_no_operation_waits_for_a_compiler(device, tmp_path):
    need_archives(device)
    done, compiled, found = outcome(device, SHAPES, tmp_path / "cache")
    assert done > 1000 * len(SHAPES)
    assert compiled == []
    assert found > 1000
    assert not list(tmp_path.rglob("*.phx"))


def test_without_a_cache_all_is_compiled(device, tmp_path):
    need_archives(device)
    done, compiled, found = outcome(device, [(2, 3)], tmp_path / "cache", PHALANX_CACHE="0")
    assert len(compiled) > done / 2
    assert found == 0


def test_what_is_shipped_can_be_seen(device):
    need_archives(device)
    for target, kernels, size in _engine.shipped_kernels(_engine.device(device)):
        assert target.startswith(("x86-64-v", "sm_"))
        assert kernels > 1000
        assert size > 100_000
