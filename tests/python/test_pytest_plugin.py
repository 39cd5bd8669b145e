"""The plug-in of pytest, in runs of its own."""

import os
import subprocess
import sys
from importlib import metadata

import pytest

from phalanx import _engine

PROGRAM = """
import numpy as np
from phalanx import cuda
import phalanx as px


@cuda.jit
def shifted(x, out):
    i = cuda.grid(1)
    out[i] = x[i + 1]


def test_devices(phalanx_device):
    assert str(px.zeros(3).device) == phalanx_device
    out = np.zeros(32)
    shifted[1, 32](np.arange(33.0), out)
    assert out[31] == 32


def test_out_of_bounds():
    shifted[1, 32](np.zeros(32), np.zeros(32))
"""


# A package that is not installed, as in build/test, has no entry points.
IS_INSTALLED = any(each.name == "phalanx" for each in metadata.entry_points(group="pytest11"))
LOADED = () if IS_INSTALLED else ("-p", "phalanx._tools.pytest_plugin")


def run(folder, *options, **variables):
    (folder / "test_program.py").write_text(PROGRAM)
    environment = {key: text for key, text in os.environ.items() if key != "PHALANX_CHECK"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *LOADED, "-v",
         "-c", os.devnull, "-p", "no:cacheprovider", "--rootdir", folder, folder, *options],
        capture_output=True, text=True, cwd=folder,
        env={**environment, "PHALANX_DEVICE": "cpu", **variables},
    )  # fmt: skip


def test_devices_are_parameters(tmp_path):
    done = run(tmp_path, "--phalanx-devices", "cpu")
    assert done.returncode == 0, done.stdout
    assert "test_devices[cpu] PASSED" in done.stdout
    assert "test_out_of_bounds PASSED" in done.stdout


def test_check_mode_finds_what_a_plain_run_does_not(tmp_path):
    done = run(tmp_path, "--phalanx-check", "--phalanx-devices=cpu")
    assert done.returncode == 1, done.stdout
    assert "test_devices[cpu] PASSED" in done.stdout
    assert "[bounds]" in done.stdout


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--phalanx-devices=cuda:99", "there is no device 'cuda:99' here, but {here}\n"),
        ("--phalanx-devices= , ", "name a device, or all; here are {here}\n"),
        ("--phalanx-check=bonds", "check= has no category 'bonds'"),
        ("--phalanx-check=test_program.py", "put --phalanx-check behind it"),
        ("--phalanx-check=test_program.py::test_devices", "or write --phalanx-check=1"),
    ],
)
def test_wrong_options_are_told(option, text, tmp_path):
    done = run(tmp_path, option)
    devices = _engine.devices()
    names = ("cpu" if each.is_host else f"{each.kind}:{each.ordinal}" for each in devices)
    text = text.format(here=", ".join(names))
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert text in done.stdout + done.stderr
    assert "Traceback" not in done.stderr and "test session starts" not in done.stdout


def test_a_device_that_is_named_twice_is_one(tmp_path):
    done = run(tmp_path, "--phalanx-devices=cpu,cpu")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("test_devices[") == 1


@pytest.mark.parametrize("devices", ["cpu,cpu:1", "cpu:1"])
def test_several_devices_of_the_cpu_have_names_of_their_own(devices, tmp_path):
    done = run(tmp_path, f"--phalanx-devices={devices}", PHALANX_CPU_DEVICES="2")
    assert done.returncode == 0, done.stdout
    assert all(f"test_devices[{name}] PASSED" in done.stdout for name in devices.split(","))
