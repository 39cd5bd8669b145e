"""A launch that failed on the device is saved, and run again on the CPU in check mode."""

import sys

import numpy as np
import pytest
from phalanx._kernels import options, recording
from phalanx.errors import DeviceError, OutOfMemoryError

from phalanx import cuda

SCRIPT = """
import numpy as np
from phalanx import cuda
from phalanx.errors import DeviceError

OFFSET = 3


@cuda.jit
def move(src, dst, n):
    i = cuda.grid(1)
    if i < n:
        dst[i] = src[i + OFFSET]


def main():
    from phalanx._kernels import recording

    def fail(self, *args):
        raise DeviceError("an illegal memory access was encountered")

    recording.RecordedLaunch._launch = property(lambda self: fail, lambda self, value: None)
    src = np.arange(64.0)
    move[1, 64](src, np.zeros(64), 64)


if __name__ == "__main__":
    main()
print("ran")
"""


def run(arguments, **environment):
    import os
    import subprocess

    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PHALANX_DEVICE": "cpu", **environment},
        capture_output=True,
        text=True,
    )


def test_a_failed_launch_is_run_again(tmp_path):
    script = tmp_path / "crash.py"
    script.write_text(SCRIPT)
    failed = run([script], PHALANX_REPLAY=str(tmp_path))
    saved = tmp_path / "move.replay"
    assert f"python -m phalanx replay {saved}" in failed.stderr
    done = run(["-m", "phalanx", "replay", saved])
    assert done.returncode == 1, done.stderr
    assert "[bounds] reads src[64] of shape (64,)" in done.stdout
    assert "crash.py:13" in done.stdout
    assert "ran" not in done.stdout
    done = run(["-m", "phalanx", "replay", "--check=division", saved])
    assert (done.returncode, done.stderr) == (0, "")
    assert "no fault found" in done.stdout


def test_without_the_variable_nothing_is_saved(tmp_path):
    script = tmp_path / "crash.py"
    script.write_text(SCRIPT)
    failed = run([script], PHALANX_REPLAY="")
    assert "replay" not in failed.stderr
    assert not (tmp_path / "move.replay").exists()


def test_other_files_are_refused(tmp_path):
    other = tmp_path / "other"
    other.write_text("text")
    done = run(["-m", "phalanx", "replay", other])
    assert done.returncode == 2
    assert "is no launch" in done.stderr


def double(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] *= 2


def test_recorded_launches_work(device, tmp_path, monkeypatch):
    monkeypatch.setenv("PHALANX_REPLAY", str(tmp_path / "saved"))
    kernel = cuda.jit(double)
    assert isinstance(kernel, recording.Recorder)
    x = np.arange(10.0)
    kernel[1, 32](x)
    kernel.forall(10)(x)
    np.testing.assert_array_equal(x, np.arange(10.0) * 4)
    assert not (tmp_path / "saved").exists()


def test_arguments_are_those_before_the_launch(device, tmp_path, monkeypatch):
    monkeypatch.setenv("PHALANX_REPLAY", str(tmp_path / "saved"))
    kernel = recording.Recorder(double, options.read({}))
    x = cuda.to_device(np.arange(4.0))

    def fail(array):
        array.copy_to_device(np.zeros(4))
        raise DeviceError("lost")

    launch = recording.RecordedLaunch(kernel, (1, 32), fail)
    with pytest.raises(DeviceError) as caught:
        launch(x)
    assert "python -m phalanx replay" in caught.value.__notes__[0]
    import pickle

    saved = pickle.loads((tmp_path / "saved").read_bytes())
    (argument,) = pickle.loads(saved["arguments"])
    np.testing.assert_array_equal(argument, np.arange(4.0))


def test_too_little_memory_is_not_replayed(device, tmp_path, monkeypatch):
    monkeypatch.setenv("PHALANX_REPLAY", str(tmp_path / "saved"))

    def fail(*args):
        raise OutOfMemoryError("none left")

    launch = recording.RecordedLaunch(recording.Recorder(double, options.read({})), (1, 1), fail)
    with pytest.raises(OutOfMemoryError):
        launch(np.zeros(3))
    assert not (tmp_path / "saved").exists()
