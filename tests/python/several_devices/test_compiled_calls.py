"""Compiled functions and kernels given spread arrays: refused, with the ways that there are."""

import numpy as np
import pytest

import phalanx as px
from phalanx import cuda


def total(a):
    return a.sum()


def one_more(a):
    return a + 1


def zero(a):
    a[0] = 0


def larger(a, b):
    return max(a, b)


def summed(a, out):
    out[0] = a.sum()


CALLEES = {
    "a function": px.jit(total),
    "a parallel function": px.njit(parallel=True)(total),
    "a declared function": px.jit("float64(float64[:])")(total),
    "a kernel": cuda.jit(zero)[1, 1],
    "a declared kernel": cuda.jit("void(float64[:])")(zero)[1, 1],
    "a kernel for all": cuda.jit(zero).forall(8),
    "a ufunc": px.vectorize(one_more),
    "a ufunc of devices": px.vectorize(["float64(float64)"], target="cuda")(one_more),
    "a generalized ufunc": px.guvectorize(["(float64[:], float64[:])"], "(n)->()")(summed),
    "a reduction": cuda.reduce(larger),
    "another library's ufunc": np.frompyfunc(one_more, 1, 1),
    "a copy to a device": cuda.to_device,
}


@pytest.mark.parametrize("callee", CALLEES)
def test_the_parts_are_named(group, callee):
    x = group.arange(8.0)
    with pytest.raises(TypeError, match=r"array of one device: x\.parts .*x\.gather\(\)"):
        CALLEES[callee](x)


@pytest.mark.parametrize("argument", [lambda x: (x, 1), lambda x: [x, x], lambda x: ((1, x),)])
def test_the_parts_are_named_within_other_arguments(group, argument):
    with pytest.raises(TypeError, match=r"x\.parts"):
        px.jit(total)(argument(group.arange(8.0)))


def test_parts_are_passed(group):
    """To functions of the CPU: of GPUs those that are copied to the host, as the error says."""
    function, x = CALLEES["a function"], group.arange(8.0)
    total = 0.0
    for part in x.parts:
        if not part._device.is_host:
            with pytest.raises(TypeError, match="lies in a GPU's memory; copy it to the host"):
                function(part)
            part = part.to_device("cpu")
        total += float(function(part))
    assert total == 28
