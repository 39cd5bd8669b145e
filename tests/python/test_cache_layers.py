"""Kernels that a package ships compiled: folders of the cache that are only read."""

import json

import pytest

KERNEL = """
import numpy as np
from phalanx import cuda

@cuda.jit
def add(a, b):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] += b

values = cuda.to_device(np.zeros(4))
add[512, 32](values, 2.0)
(kernel,) = add.overloads.values()
counts = kernel.stats["counts"]
print(values.copy_to_host().tolist(), counts["codegen"], counts["disk"])
"""
COMPILED = "[2.0, 2.0, 2.0, 2.0] 1 0\n"
FOUND = "[2.0, 2.0, 2.0, 2.0] 0 1\n"


@pytest.fixture
def layer(run_python, tmp_path):
    """A folder that holds the kernel's code, as a package would ship it."""
    folder = tmp_path / "shipped"
    assert run_python(KERNEL, PHALANX_CACHE_DIR=str(folder)).stdout == COMPILED
    return folder


def contents(folder):
    return {file.name: (file.stat().st_mtime_ns, file.read_bytes()) for file in folder.iterdir()}


def test_shipped_code_is_used_and_left_as_it_is(run_python, tmp_path, layer):
    before = contents(layer)
    assert len(before) == 1
    assert run_python(KERNEL, PHALANX_CACHE_LAYERS=str(layer)).stdout == FOUND
    assert contents(layer) == before
    assert not (tmp_path / "cache").exists()


def test_damaged_code_is_compiled_anew_and_kept_elsewhere(run_python, layer):
    (file,) = layer.iterdir()
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    before = contents(layer)
    done = [run_python(KERNEL, PHALANX_CACHE_LAYERS=str(layer)) for _ in range(2)]
    assert [each.stdout for each in done] == [COMPILED, FOUND]
    assert [each.stderr for each in done] == ["", ""]
    assert contents(layer) == before


def test_info_shows_each_layer_and_why_one_is_not_used(run_python, tmp_path, layer):
    shown = run_python(
        "from phalanx._tools import info; info.show(as_json=True)",
        PHALANX_CACHE_LAYERS=f"{layer}:{tmp_path / 'missing'}",
    ).stdout
    lines = json.loads(shown)["Cache"]
    assert lines["read-only layer 1"].startswith(f"{layer}, ")
    assert lines["read-only layer 1"].endswith(" in 1 files")
    assert lines["read-only layer 2"].startswith(f"{tmp_path / 'missing'}, not in use: ")
    assert "No such file" in lines["read-only layer 2"]
