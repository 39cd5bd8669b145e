"""Compilations that take long: Ctrl-C ends them, the log and the terminal tell of them."""

import logging
import os
import subprocess
import sys
import textwrap

import pytest
from phalanx._core import progress

# Seconds of work for LLVM, in 800 loops whose number of rounds is not known.
FRAME = """
import linecache, math, os, signal, sys, threading, time
import numpy as np
from phalanx import cuda, njit
n = 800
lines = [f"    for q in range(i + {j}): x = x * 0.5 + q\\n" for j in range(n)]
text = "def f(a, i):\\n    x = a[0]\\n" + "".join(lines) + "    a[0] = x\\n"
linecache.cache["<slow>"] = (len(text), None, text.splitlines(True), "<slow>")
names = {}
exec(compile(text, "<slow>", "exec"), names)
slow = names["f"]
a = np.zeros(1)

def interrupted(call):
    sent = []
    def send():
        time.sleep(0.7)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    try:
        call()
    except KeyboardInterrupt:
        return time.monotonic() - sent[0]
    raise SystemExit("the compilation was over before the signal")
"""


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", FRAME + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, **environment),
    )


@pytest.mark.parametrize(
    "made", ["njit(slow)", "cuda.jit(slow)[1, 32]"], ids=["function", "kernel"]
)
def test_ctrl_c_ends_the_wait_for_a_compilation(made, tmp_path):
    done = run(
        f"""
        made = {made}
        late = interrupted(lambda: made(a, 1))
        assert late < 1, late
        late = interrupted(lambda: made(a, 1))  # waits for the thread that compiles still
        assert late < 1, late
        assert not [name for name in os.listdir(os.environ["PHALANX_CACHE_DIR"])]
        made(a, 0)
        assert a[0] != 0, a
        print("right", len(os.listdir(os.environ["PHALANX_CACHE_DIR"])))
        """,
        PHALANX_CACHE_DIR=str(tmp_path),
    )
    assert done.stdout == "right 1\n", done.stderr


def test_ctrl_c_counts_while_the_line_is_written():
    done = run(
        """
        from phalanx._core import progress

        def interrupting(name, place, seconds):
            raise KeyboardInterrupt
        progress.compiling = interrupting
        try:
            njit(slow)(a, 1)
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    assert done.stdout == "interrupted\n", done.stderr
    assert done.stderr == ""


def test_ctrl_c_leaves_no_half_entry_where_the_process_ends(tmp_path):
    done = run("njit(slow)(a, 1) if len(sys.argv) else 0\n", PHALANX_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    whole = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    for path in tmp_path.iterdir():
        path.unlink()
    done = run("interrupted(lambda: njit(slow)(a, 1))\n", PHALANX_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    left = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert left in ({}, whole)


def test_an_exception_of_a_signal_handler_ends_the_wait():
    done = run(
        """
        def handler(*rest): raise TimeoutError("enough")
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        start = time.monotonic()
        try:
            njit(cache=False)(slow)(a, 1)
        except TimeoutError as error:
            print(error, time.monotonic() - start < 2)
        """
    )
    assert done.stdout == "enough True\n", done.stderr


def test_other_threads_run_while_one_compiles():
    done = run(
        """
        count = 0
        def counts():
            global count
            while not over: count += 1; time.sleep(0.01)
        over = False
        thread = threading.Thread(target=counts)
        thread.start()
        njit(cache=False)(slow)(a, 1)
        over = True
        thread.join()
        print(count > 20)
        """
    )
    assert done.stdout == "True\n", done.stderr


def test_the_log_tells_of_a_long_compilation():
    done = run(
        """
        import logging
        logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
        njit(cache=False)(slow)(a, 1)
        """
    )
    lines = done.stderr.splitlines()
    assert lines[0] == "phalanx compiling f (<slow>:1) takes long", done.stderr
    assert lines[1].startswith("phalanx compiled f (<slow>:1) in ")


def test_a_terminal_shows_the_seconds(capsys, caplog, monkeypatch):
    with caplog.at_level(logging.INFO, "phalanx"):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        for seconds in (2.0, 3.0):
            progress.compiling("f", ("file.py", 3), seconds)
        progress.compiled("f", ("file.py", 3), 3.4)
    assert capsys.readouterr().err == (
        "\rcompiling f (file.py:3) ... 2 s\rcompiling f (file.py:3) ... 3 s"
        "\rcompiled f (file.py:3) in 3.4 s\033[K\n"
    )
    assert [record.getMessage() for record in caplog.records] == [
        "compiling f (file.py:3) takes long",
        "compiled f (file.py:3) in 3.4 s",
    ]


def test_what_is_no_terminal_gets_nothing(capsys):
    progress.compiling("f", None, 2.0)
    progress.compiled("f", None, 2.5)
    assert capsys.readouterr().err == ""
