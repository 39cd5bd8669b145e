"""Check mode's reports of indices that count from the end, and of tuples."""

import numpy as np
import pytest
from faults import launch

from phalanx import KernelError, cuda


@cuda.jit(check=True)
def literal(o):
    o[-4] = 1


@cuda.jit(check=True)
def computed(o, i):
    o[i] = 1


@cuda.jit(check=True)
def of_known_shape(o):
    tile = cuda.local.array(3, np.float64)
    for i in range(3):
        tile[i] = i
    o[-1] = tile[-4]


@pytest.mark.parametrize(
    "kernel, more, array",
    [(literal, (), "o"), (computed, (-4,), "o"), (of_known_shape, (), "tile")],
)
def test_an_index_is_shown_as_it_is_written(kernel, more, array, device):
    with pytest.raises(KernelError) as raised:
        kernel[1, 1](np.zeros(3), *more)
        cuda.synchronize()
    (fault,) = raised.value.faults
    assert (fault.array, fault.index, fault.shape) == (array, (-4,), (3,))
    text = f"{array}[-4] of shape (3,): index -4 on axis 0, which takes -3 to 2"
    assert text in str(raised.value)


def test_the_last_element_is_no_fault(device):
    o = np.zeros(3)
    assert launch(computed, 1, 1, o, -3) == ()
    np.testing.assert_array_equal(o, [1, 0, 0])


@cuda.jit(check="bounds")
def item(o, values, i):
    o[0] = values[i]


@pytest.mark.parametrize("i", [3, 5, -4])
def test_an_index_outside_of_a_tuple_is_reported(i, device):
    (fault,) = launch(item, 1, 1, np.zeros(1), (1.5, 2.5, 3.5), i)
    assert fault.category == "bounds"
    assert (fault.index, fault.shape) == ((i,), (3,))


@pytest.mark.parametrize("i", [0, 2, -1, -3])
def test_an_index_inside_of_a_tuple_is_not(i, device):
    o = np.zeros(1)
    assert launch(item, 1, 1, o, (1.5, 2.5, 3.5), i) == ()
    assert o[0] == (1.5, 2.5, 3.5)[i]
