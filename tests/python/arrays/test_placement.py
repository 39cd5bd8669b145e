"""`device("auto")`: arrays that are where their kernels take least time."""

from __future__ import annotations

import copy
import pickle
import threading

import numpy as np
import pytest

import phalanx as px
from phalanx import _engine


@pytest.fixture
def auto(device):
    """The thread lets new arrays be anywhere, beside the device as the current one."""
    with px.device("auto"):
        yield device


def test_it_is_a_device_by_name(auto):
    assert px.current_device() == "auto" == px.device("auto").name == str(px.device("auto"))
    assert px.device(px.device("auto")) == px.device("auto") != px.device("cpu")
    assert repr(px.device("auto")) == "device('auto')"
    assert len({px.device("auto"), px.device("auto"), px.device("cpu")}) == 2
    assert px.device("auto") not in px.devices()
    with px.device("cpu") as inner:
        assert px.current_device() == inner == "cpu" and not _engine.is_automatic()
        with px.device("auto"):
            assert px.current_device() == "auto"
        assert px.current_device() == "cpu"
    assert px.current_device() == "auto"
    info = px.__array_namespace_info__()
    assert info.default_device() == "auto" == info.devices()[-1]
    assert info.default_dtypes(device=info.default_device())


def test_the_engines_device_stays_for_kernels(device):
    before = _engine.current_device()
    with px.device("auto"):
        assert _engine.current_device() == before
    with pytest.raises(ZeroDivisionError), px.device("auto"):
        raise ZeroDivisionError
    assert not _engine.is_automatic() and _engine.current_device() == before


def test_it_is_of_the_thread(auto):
    seen = []

    def run():
        seen.append(px.current_device() == "auto")
        px.device("auto").use()
        seen.append(px.current_device() == "auto")

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [False, True]


def test_the_environment_chooses_it(device, run_python):
    code = """
import phalanx as px
assert px.current_device() == "auto"
x = px.asarray([1.0, 2.0])
assert (x + 1).sum() == 5
with px.device("cpu"):
    assert px.ones(2).device == "cpu"
assert px.current_device() == "auto"
"""
    run_python(code, PHALANX_DEVICE="auto")


def test_the_device_is_told_when_it_is_known(auto):
    x = px.arange(100000) * 2.0
    assert x.device == "auto"
    assert px.zeros(3, device=x.device)._place is None
    x._evaluate()
    assert x.device in map(str, px.devices())
    assert (x + 1).device == x.device
    host = px.asarray(np.arange(3.0))
    assert host.device == "cpu"
    assert str(x.device) not in repr(px.asarray([1.0]))


def test_auto_as_an_argument_needs_the_threads_choice(device):
    with pytest.raises(ValueError, match=r"with phalanx.device\('auto'\)"):
        px.zeros(3, device="auto")
    with px.device("auto"):
        made = [px.zeros(3, device="auto"), px.asarray([0.0] * 3, device=px.device("auto"))]
        assert [each.tolist() for each in made] == [[0.0] * 3] * 2
    assert all(each._place is None for each in made)
    assert all((each + 1)._place is None for each in made)


MAKERS = {
    "list": lambda: px.asarray([1.0, 2.0, 3.0]),
    "copy": lambda: px.array(np.array([1.0, 2.0, 3.0])),
    "shared": lambda: px.asarray(np.array([1.0, 2.0, 3.0])),
    "fortran": lambda: px.asarray(np.array([[1.0, 2.0, 3.0]], order="F"))[0],
    "arange": lambda: px.arange(1.0, 4.0),
    "full": lambda: px.full(3, 2.0) + px.asarray([-1.0, 0.0, 1.0]),
    "empty": lambda: _written(px.empty(3)),
    "like": lambda: px.zeros_like(px.asarray([1.0, 2.0, 3.0])) + px.arange(1, 4),
    "stacked": lambda: px.concatenate([px.ones(1), px.arange(2.0, 4.0)]),
    "rolled": lambda: px.roll(px.asarray([2.0, 3.0, 1.0]), 1),
    "masked": lambda: px.arange(6.0)[px.arange(6) % 2 == 1] / 2 + 0.5,
    "found": lambda: px.nonzero(px.asarray([0, 1, 1, 1]))[0] * 1.0,
    "taken": lambda: px.arange(9.0)[px.asarray([1, 2, 3])],
    "by numpy": lambda: px.median(px.asarray([[1.0, 2.0, 3.0]]), axis=0),
    "random": lambda: (
        px.random.default_rng(1).permutation(px.arange(1.0, 4.0)).copy() * 0 + px.arange(1.0, 4.0)
    ),
    "dlpack": lambda: px.from_dlpack(np.array([1.0, 2.0, 3.0])),
    "buffer": lambda: px.frombuffer(np.array([1.0, 2.0, 3.0]).tobytes()),
    "iterator": lambda: px.fromiter(iter([1.0, 2.0, 3.0]), float),
    "deep copy": lambda: copy.deepcopy(px.asarray([1.0, 2.0, 3.0])),
    "pickle": lambda: pickle.loads(pickle.dumps(px.arange(1.0, 4.0) + 0)),
    "cast": lambda: px.asarray([1, 2, 3]).astype(float),
    "view": lambda: px.asarray([[0.0, 1.0, 2.0, 3.0]])[0, 1:],
    "part": lambda: px.asarray([1 + 2j, 2 + 2j, 3 + 2j]).real,
    "product": lambda: px.eye(3) @ px.arange(1.0, 4.0),
    "scan": lambda: px.cumsum(px.ones(3)),
}


def _written(array):
    array[:] = px.arange(1, 4)
    return array


@pytest.mark.parametrize("name", MAKERS)
def test_all_ways_make_arrays_that_meet_those_of_any_device(auto, name):
    x = MAKERS[name]()
    assert x._place is None
    x._evaluate()
    assert x._place is None
    assert np.asarray(x).tolist() == [1.0, 2.0, 3.0]
    for each in px.devices():
        fixed = px.asarray([10.0, 20.0, 30.0], device=each.name)
        total = x + fixed
        assert total.device == each.name
        assert total.tolist() == [11.0, 22.0, 33.0]
        fixed[...] = x
        assert fixed.device == each.name and fixed.tolist() == [1.0, 2.0, 3.0]
        target = x.copy()
        target[1:] = total[1:]
        target[px.asarray([0])] = total[:1]
        assert target.tolist() == [11.0, 22.0, 33.0]


def test_what_is_given_a_device_stays_there(auto):
    x = px.arange(3.0)
    for each in px.devices():
        there = x.to_device(each.name)
        assert there.device == each.name and there._place is not None
        assert (there + x).device == (there * 2).device == each.name
        assert px.ones(3, device=each.name).device == each.name
        assert px.asarray(np.ones(3), device=each.name).device == each.name
        with each:
            assert px.ones(3).device == each.name
            assert (x + 1).device in (each.name, "auto")
            assert (x + px.ones(3)).device == each.name


def test_memory_of_numpy_stays_shared(auto):
    host = np.arange(50000.0)
    x = px.asarray(host)
    y = (x * 2)[10:]
    assert np.asarray(y)[0] == 20
    host[:] = 1
    assert float((x * 2).sum()) == 100000
    x[5:10] = 7
    assert host[5:10].tolist() == [7.0] * 5
    view = np.asarray(px.asarray(host))
    assert np.shares_memory(view, host)


def test_views_share_their_elements_wherever_they_are(auto):
    x = px.arange(40000.0)
    row = x.reshape(200, 200)[3]
    part = row[::2]
    part[...] = -1
    expected = np.arange(40000.0)
    expected.reshape(200, 200)[3][::2] = -1
    np.testing.assert_array_equal(np.asarray(x), expected)
    before = x + 1
    x[...] = 0
    np.testing.assert_array_equal(np.asarray(before), expected + 1)
    assert not np.asarray(row).any()


def heat(xp):
    u = xp.zeros((120, 140))
    u[0] = 1
    for _ in range(5):
        u[1:-1, 1:-1] += 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] - 2 * u[1:-1, 1:-1])
    return u


def softmax(xp):
    x = xp.sin(xp.arange(60000.0)).reshape(300, 200)
    e = xp.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def masks(xp):
    x = xp.cos(xp.arange(70000.0))
    x[x < 0] = 0
    return x[xp.nonzero(x)[0]].cumsum()


def products(xp):
    a = xp.sin(xp.arange(40000.0)).reshape(200, 200)
    return (a @ a.T + a).sum(axis=0) @ a


def standardized(xp):
    x = xp.arange(90000.0).reshape(300, 300) % 17
    return (x - x.mean(axis=0)) / x.std(axis=0) + x.T


def histogram(xp):
    counts = xp.zeros(17, int)
    xp.add.at(counts, xp.arange(50000) % 17, 1)
    return counts + xp.bincount(xp.arange(50000) % 17)


def sorted_(xp):
    x = xp.sin(xp.arange(50000.0))
    return xp.sort(x)[::100] + xp.unique(x.round(1))[0]


PROGRAMS = [heat, softmax, masks, products, standardized, histogram, sorted_]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_give_the_same(auto, program):
    np.testing.assert_allclose(np.asarray(program(px)), program(np), rtol=1e-12)


def test_explain_tells_why(auto):
    x = px.sin(px.asarray(np.arange(1e6)))
    told = px.explain(x)
    assert x._is_pending
    (kernel,) = told.kernels
    has_gpu = len(px.devices()) > 1
    assert (kernel.placed is not None) == has_gpu
    if has_gpu:
        assert " on cpu, " in repr(told) and "8 MB to copy" in repr(told)
        on_cpu, on_gpu = kernel.placed.expected_seconds
        if not 0.8 < on_cpu / on_gpu < 1.25:  # a little less is no reason to move
            assert kernel.device.startswith("cpu" if on_cpu < on_gpu else "cuda")
    x._evaluate()
    assert px.explain(x).kernels[0].device == kernel.device


def test_explained_figures_are_told_in_words():
    from phalanx._arrays import explanation_text
    from phalanx._arrays.explanation import Kernel, Placed

    def told(placed):
        kernel = Kernel(1, "a", "", True, "cpu", "float64", (3,), 1, 8, 8, 1, 1.0, None, (),
                        placed=placed)  # fmt: skip
        return explanation_text.placed_of(kernel)

    assert told(None) == ""
    assert told(Placed()) == "; auto: too little for a GPU"
    assert told(Placed((3e-4, 1.9e-3), (0, 80_000_000))) == (
        "; auto: 300 us on cpu, 1.9 ms on cuda with 80 MB to copy"
    )
    assert "have lost as much" in told(Placed((3e-4, 1.9e-3), (0, 8), True))
