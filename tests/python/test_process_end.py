"""A process ends as Python says, whatever its threads are doing in the engine."""

import subprocess
import sys

import fake_gpu
import pytest

FRAME = """
import math, threading, time
import numpy as np
from phalanx import cuda, njit, types
from phalanx.extending import overload
started = threading.Semaphore(0)

@cuda.jit
def kernel(a):
    i = cuda.grid(1)
    s = 0.0
    for j in range(2000): s += math.sin(s + j)
    a[i % a.size] = s

@njit(nogil=True)
def function(n):
    s = 0.0
    for i in range(n): s += math.sin(s + i)
    return s

def compiles():
    @njit(cache=False)
    def fresh(x):
        for i in range(10):
            if x > i: x = x * 0.5 + math.sin(x)
        return x
    return fresh(1.0)

def compiles_kernels():
    @cuda.jit(cache=False)
    def fresh(a):
        i = cuda.grid(1)
        if i < a.size: a[i] = math.sin(a[i])
    fresh[1, 32](np.zeros(10))

def helper(x):
    return x

@overload(helper)
def helper_for(x):
    time.sleep(0.002)
    return lambda x: x + 1

def compiles_overloads():
    @njit(cache=False)
    def fresh(x):
        return helper(x)
    return fresh(1.0)

class Handler:
    def prepare_args(self, ty, value, stream, retr):
        time.sleep(0.001)
        return types.float64[::1], a

@cuda.jit(extensions=[Handler()])
def handled(a):
    a[0] = 1

class Slow:
    def __getattr__(self, name):
        time.sleep(0.001)
        raise AttributeError(name)

def prepare():
    global a, on_device, stream
    a = np.zeros(100)
    on_device = cuda.to_device(a)
    stream = cuda.stream()
    kernel[1, 32](a)
    function(3)

def work():
    started.release()
    while True:
        BODY

prepare()
for _ in range(3): threading.Thread(target=work, daemon=True).start()
for _ in range(3): started.acquire()
time.sleep(0.15)
print("end", flush=True)
"""

BODIES = {
    "launches": "kernel[200, 256](a)",
    "calls_without_the_gil": "function(20000)",
    "calls_with_the_gil": "function(200)",
    "copies": "cuda.to_device(a).copy_to_host()",
    "waits": "cuda.synchronize(); stream.synchronize()",
    "callbacks": "stream.add_callback(lambda *rest: time.sleep(0.001)); stream.synchronize()",
    "compiles_functions": "compiles()",
    "compiles_kernels": "compiles_kernels()",
    "arguments_that_run_python": "try: kernel[1, 1](Slow())\n        except TypeError: pass",
    "handlers_of_arguments": "handled[1, 1](object())",
    "compiles_overloads": "compiles_overloads()",
    "inspection": "kernel.inspect_llvm()",
}


# A driver whose compiler takes its time, is loaded late and does not survive the exit: see
# tests/support/fake_libcuda.
@fake_gpu.needed
@pytest.mark.parametrize("body", BODIES)
def test_no_thread_is_in_a_driver_that_is_destroyed(body, tmp_path):
    script = FRAME.replace("BODY", BODIES[body]) + "raise SystemExit(7)\n"
    for _ in range(2):
        done = fake_gpu.run(script, tmp_path)
        assert (done.returncode, done.stdout) == (7, "end\n"), done.stderr
        assert "fake libcuda" not in done.stderr


@pytest.mark.parametrize("body", BODIES)
def test_daemon_threads_do_not_abort_the_end(body, tmp_path):
    script = tmp_path / "end.py"
    script.write_text(FRAME.replace("BODY", BODIES[body]))
    for _ in range(3):
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
        assert "terminate" not in done.stderr


def test_the_exit_status_is_kept_while_a_thread_compiles(tmp_path):
    script = tmp_path / "end.py"
    script.write_text(FRAME.replace("BODY", BODIES["compiles_functions"]) + "raise SystemExit(7)\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (7, "end\n"), done.stderr
