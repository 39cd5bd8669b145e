"""One test that loses the GPU's context is one failure."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent

TESTS = """
import os

def test_first():
    os.environ["FIRST_PROCESS"] = str(os.getpid())

def test_loses_it():
    raise RuntimeError("cuStreamSynchronize: the CUDA context is lost, and with it all data")

def test_goes_on_elsewhere():
    assert os.environ["FIRST_PROCESS"] != str(os.getpid())

def test_fails_by_itself():
    assert os.environ["FIRST_PROCESS"] == str(os.getpid()), "in a process of its own"
"""


def test_the_tests_after_a_lost_context_run_in_processes_of_their_own(tmp_path, monkeypatch):
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(
        f"import sys\nsys.path.insert(0, {str(FOLDER)!r})\nfrom lost_context import *\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            ".",
            "test_some.py",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "2 failed, 2 passed" in done.stdout, done.stdout
    assert "in a process of its own" in done.stdout
