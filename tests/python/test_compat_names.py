"""Names of numba.cuda beyond kernels: older modules, options that change no result."""

import subprocess
import sys

import numpy as np
import pytest

from phalanx import _engine, cuda


def test_auto_device_says_whether_it_copied(device):
    host = np.arange(4)
    array, is_new = cuda.devicearray.auto_device(host)
    assert is_new
    assert array.copy_to_host().tolist() == [0, 1, 2, 3]
    assert cuda.devicearray.auto_device(array) == (array, False)
    number, _ = cuda.devicearray.auto_device(2)
    assert number.copy_to_host() == 2


def test_auto_device_refuses_gaps():
    with pytest.raises(ValueError, match="non-contiguous"):
        cuda.devicearray.auto_device(np.arange(10.0)[::2])


@pytest.mark.parametrize("value", ["MaxL1", "MaxShared", "default", 0, 100, -1, None])
def test_a_shared_memory_carveout_is_taken(value):
    cuda.jit(shared_memory_carveout=value)(lambda x: None)


@pytest.mark.parametrize(
    ("value", "message"), [(101, "between -1 and 100"), (-2, "between"), ("L2", "Invalid carveout")]
)
def test_an_impossible_carveout_is_refused(value, message):
    with pytest.raises(ValueError, match=message):
        cuda.jit(shared_memory_carveout=value)(lambda x: None)


def test_too_many_launch_bounds_are_refused():
    with pytest.raises(ValueError, match="Got 4 launch bounds"):
        cuda.jit(launch_bounds=(128, 2, 4, 8))(lambda: None)


GPUS = """
from numba import cuda
import phalanx.cuda

print(cuda.is_available(), len(cuda.gpus), len(phalanx.cuda.gpus))
with cuda.gpus[0]:
    print(cuda.list_devices() is cuda.gpus, "gpus" in dir(cuda))
"""


def test_scripts_find_the_cpu_device_among_the_gpus_and_phalanx_tells_the_truth(run_python):
    code = f"from phalanx._tools.cli import main; main(['run', '-c', {GPUS!r}])"
    done = run_python(code, PHALANX_DEVICE="cpu")
    first, second = done.stdout.splitlines()
    assert first.startswith("True 1 ")
    assert int(first.split()[2]) == sum(each.kind == "cuda" for each in _engine.devices())
    assert second == "True True"


def test_threads_of_parallel_loops_are_told():
    from phalanx.compat import numba

    count = numba.get_num_threads()
    assert count == _engine.device("cpu").limits["multiprocessors"] >= 1
    numba.set_num_threads(count)
    for wrong in (0, -1, count + 1):
        with pytest.raises(ValueError, match=f"between 1 and {count}"):
            numba.set_num_threads(wrong)
    for wrong in (1.5, "2", None):
        with pytest.raises(TypeError, match="whole number"):
            numba.set_num_threads(wrong)
    assert numba.get_num_threads() == count
    assert numba.threading_layer() == "workqueue"


THREADS = """
import os
import threading
import subprocess
import sys

import numpy as np
from phalanx import get_num_threads, njit, set_num_threads

@njit(parallel=True, nogil=True)
def busy(x):
    for _ in range(20):
        x = np.sin(x) + 1
    return x.sum()

def threads():
    return len(os.listdir("/proc/self/task"))

x = np.ones(1_000_000)
before = threads()
set_num_threads(1)
expected = busy(x)
print(threads() - before, get_num_threads())
other = threading.Thread(target=lambda: print(get_num_threads()))
other.start()
other.join()
set_num_threads(3)
print(busy(x) == expected, threads() > before, get_num_threads())
"""


def test_the_number_of_threads_is_bounded_for_the_thread_that_says_so(run_python):
    first, other, second = run_python(THREADS, PHALANX_NUM_THREADS="3").stdout.splitlines()
    assert first == "0 1"
    assert other == "3"
    assert second == "True True 3"


def test_uninstalling_puts_replaced_modules_back():
    program = """
import sys
import numba
from phalanx import compat
before = {name: module for name, module in sys.modules.items() if name.startswith("numba")}
compat.install()
import numba as served
import cupy
import cupyx.scipy
assert served is not numba and served.njit is not numba.njit
compat.uninstall()
assert {n: m for n, m in sys.modules.items() if n.startswith(("numba", "cupy"))} == before
import numba as again
assert again is numba and all(sys.modules[name] is module for name, module in before.items())
"""
    pytest.importorskip("numba")
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
