"""What programs under ``phalanx run`` show of an error that ends them: what Python shows."""

import subprocess
import sys

import pytest

RAISES = "def f():\n    raise ValueError('no')\nf()\n"
HOOK = "import sys\nsys.excepthook = lambda *what: print('hook', what[2].tb_lineno)\n1 / 0\n"
CHAINED = "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ValueError from error\n"
INTERRUPTED = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
IN_LIBRARY = "import numba\nnumba.njit(lambda x: x.nothing)(1.0)\n"


def run(folder, *command):
    return subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    "program",
    [RAISES, "def f(:\n", HOOK, CHAINED, INTERRUPTED, "raise SystemExit(3)", "import nosuchmodule"],
    ids=["raises", "syntax", "hook", "chained", "ctrl-c", "exit", "import"],
)
def test_a_script_shows_what_python_shows(program, tmp_path):
    (tmp_path / "program.py").write_text(program)
    expected = run(tmp_path, "program.py")
    for ours in (("program.py",), ("-m", "program")):
        shown = run(tmp_path, "-m", "phalanx", "run", "--fallback", "error", *ours)
        assert shown.returncode == expected.returncode
        assert shown.stdout == expected.stdout
        assert lines_of(shown.stderr, tmp_path) == lines_of(expected.stderr, tmp_path)


def lines_of(text, folder):
    """Without the line that a traceback begins with: one of a module's syntax has frames."""
    lines = text.replace(f"{folder}/", "").splitlines()
    return [line for line in lines if line != "Traceback (most recent call last):"]


def test_a_module_that_is_missing_is_named(tmp_path):
    shown = run(tmp_path, "-m", "phalanx", "run", "-m", "nosuchmodule")
    assert shown.returncode == 1
    assert shown.stderr.splitlines() == ["phalanx run: No module named nosuchmodule"]


def test_an_error_of_ours_begins_with_the_program(tmp_path):
    (tmp_path / "program.py").write_text(IN_LIBRARY)
    shown = run(tmp_path, "-m", "phalanx", "run", "--fallback", "error", "program.py")
    assert shown.returncode == 1
    frames = [line for line in shown.stderr.splitlines() if line.startswith("  File ")]
    assert "program.py" in frames[0]
    assert "Unknown attribute 'nothing'" in shown.stderr
