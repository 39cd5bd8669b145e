"""Single operations over common dtypes are in the package as machine code.

`tools/build_wheel.sh` makes them for releases, of the operations of tools/shipped/operations.py, in
minutes. A build that ships none gets a package here that has the code of a few of them.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from phalanx import _engine

TOOLS = Path(__file__).resolve().parents[3] / "tools/shipped"

sys.path.insert(0, str(TOOLS))
import ship  # noqa: E402

# Prints which operations compiled something, for the shapes in its arguments.
SCRIPT = """
import json, re, sys, warnings
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
            if not re.search(sys.argv[4], row[0]):
                continue
            before = _engine.statistics()["counts"]["codegen"]
            operations.run(row)
            done += 1
            if _engine.statistics()["counts"]["codegen"] != before:
                compiled.append(f"{row[0]} {shape}")
print(json.dumps([done, compiled, _engine.statistics()["counts"]["disk"]]))
"""


def outcome(device, shapes, folder, only="", **settings):
    command = [sys.executable, "-c", SCRIPT, str(TOOLS), device, json.dumps(shapes), only]
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(folder), **settings}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def need_archives(device):
    if not _engine.shipped_kernels(_engine.device(device)):
        pytest.skip("this build has no archive for the machine: tools/shipped/ship.py makes them")


# Not those that they were made with.
SHAPES = [(5, 7), (25, 40), (90, 50), (5, 3000), (3000, 5), (500, 900)]
# What the package made here has: of each kind of operations some.
FEW = r"^(add|sin|x \* x|sum|std|argmax|cumsum|where|assignments|steps|concatenate).* float64"


@pytest.fixture(scope="module")
def own_package(tmp_path_factory):
    """A folder with a package that has the code of `FEW`."""
    folder = tmp_path_factory.mktemp("package")
    ship.link_package(Path(_engine.__file__).parent, folder)
    (folder / "phalanx/_shipped").unlink(missing_ok=True)
    flags = re.search(r"^flags.*$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    is_wide = "avx512vl" in flags.group().split()
    target = "x86-64-v4" if is_wide else "x86-64-v3"
    module, shipped = folder / "phalanx", folder / "phalanx/_shipped"
    command = [sys.executable, ship.__file__, module, shipped, "--targets", target]
    subprocess.run([*command, f"--only={FEW}"], check=True, stdout=subprocess.PIPE, text=True)
    return folder


def test_a_few_operations_do_not_wait_for_a_compiler(own_package, tmp_path):
    settings = {"PYTHONPATH": str(own_package)}
    done, compiled, found = outcome("cpu", SHAPES, tmp_path / "cache", FEW, **settings)
    assert done > 10 * len(SHAPES)
    assert compiled == []
    assert found > 10
    assert not list(tmp_path.rglob("*.phx"))
    _, others, _ = outcome("cpu", SHAPES[:1], tmp_path / "cache", "^cos float64", **settings)
    assert others == ["cos float64 [5, 7]"]


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
