"""Failures of a GPU: each in a process of its own, since the context is lost with it."""

import pytest


@pytest.fixture
def run_on_gpu(device, run_python):
    if device != "cuda":
        pytest.skip("these are failures of a GPU; the CPU device has no driver to report them")

    def run(code):
        return run_python(code, PHALANX_DEVICE="cuda").stdout.splitlines()

    return run


def test_an_illegal_access_names_the_kernel_and_the_context_stays_lost(run_on_gpu):
    lines = run_on_gpu(
        """
import numpy as np
from phalanx import DeviceError, cuda
@cuda.jit
def writes_far_away(values, index):
    values[index] = 1
values = cuda.to_device(np.zeros(4))
writes_far_away[1, 1](values, 2**40)
try:
    cuda.synchronize()
except DeviceError as error:
    print("writes_far_away" in str(error), error.code)
try:
    cuda.to_device(np.zeros(4))
except DeviceError as error:
    print("context is lost" in str(error))
"""
    )
    assert lines[0].split()[0] == "True"
    assert int(lines[0].split()[1]) > 0
    assert lines[1] == "True"


def test_a_forked_child_says_why_it_cannot_use_the_gpu(run_on_gpu):
    lines = run_on_gpu(
        """
import os
import numpy as np
from phalanx import DeviceError, cuda
values = cuda.to_device(np.zeros(4))
child = os.fork()
if child == 0:
    try:
        cuda.to_device(np.zeros(4))
    except DeviceError as error:
        os._exit(0 if "fork" in str(error) and "spawn" in str(error) else 2)
    os._exit(1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    )
    assert lines == ["0"]


def test_debug_kernels_raise_at_their_launch(run_on_gpu):
    lines = run_on_gpu(
        """
import numpy as np
from phalanx import cuda
@cuda.jit(debug=True, opt=False)
def check(values):
    if values[cuda.grid(1)] < 0:
        raise ValueError("negative value")
values = cuda.to_device(np.array([1.0, -1.0]))
try:
    check[1, 2](values)
    print("nothing")
except ValueError as error:
    print(error)
"""
    )
    assert lines[0] == "tid=[1, 0, 0] ctaid=[0, 0, 0]: negative value"
    assert lines[1].startswith("In function 'check', file ")
    assert len(lines) == 2


def test_out_of_memory_says_what_was_asked_and_who_holds_it(run_on_gpu):
    lines = run_on_gpu(
        """
import numpy as np
from phalanx import OutOfMemoryError, cuda
held = cuda.device_array(2**28, np.uint8)
try:
    cuda.device_array(2**45, np.uint8)
except OutOfMemoryError as error:
    print(error)
print(cuda.to_device(np.arange(3)).copy_to_host())
"""
    )
    assert "TiB" in lines[0]
    assert "256.0 MiB in 1 arrays" in lines[0]
    assert lines[1] == "[0 1 2]"
