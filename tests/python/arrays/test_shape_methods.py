"""Methods and properties of arrays that concern shapes, elements and memory."""

import copy
import enum
import pickle

import numpy as np
import pytest

import phalanx as px
from arrays.oracle import check_error, check_same, layouts, ours, outcome, sample

SHAPES = [(), (4,), (2, 3), (3, 3), (0, 2), (2, 3, 4)]

METHODS = [
    lambda a: a.T, lambda a: a.mT, lambda a: a.shape, lambda a: a.ndim, lambda a: a.size,
    lambda a: a.itemsize, lambda a: a.nbytes, lambda a: a.dtype,
    lambda a: a.reshape(-1), lambda a: a.reshape(3, -1), lambda a: a.reshape((2, -1), order="F"),
    lambda a: a.reshape(()), lambda a: a.reshape(-1, copy=True), lambda a: a.ravel(),
    lambda a: a.ravel("F"),
    lambda a: a.flatten(), lambda a: a.flatten("F"), lambda a: a.transpose(),
    lambda a: a.transpose(None),
    lambda a: a.transpose(1, 0), lambda a: a.transpose((1, 0)), lambda a: a.transpose([0, 2, 1]),
    lambda a: a.transpose(0), lambda a: a.transpose(()), lambda a: a.squeeze(),
    lambda a: a.swapaxes(0, 1),
    lambda a: a.repeat(2), lambda a: a.repeat(2, axis=0), lambda a: a.take([0, 1]),
    lambda a: a.take([1], axis=-1), lambda a: a.diagonal(), lambda a: a.diagonal(1),
    lambda a: a.nonzero(), lambda a: (a > 0).choose([1, 2]), lambda a: a.compress([True, False]),
    lambda a: a.copy(), lambda a: a.copy("F"), lambda a: a.copy("K"), lambda a: a.copy("X"),
    lambda a: a.astype(np.float64), lambda a: a.astype("float32"), lambda a: a.astype(complex),
    lambda a: a.astype(np.float16, casting="safe"), lambda a: a.astype(float, order="F"),
    lambda a: a.view(np.int32), lambda a: a.view(np.int16), lambda a: a.view(np.int64),
    lambda a: a.view(),
    lambda a: a.tolist(), lambda a: a.tobytes(), lambda a: a.tobytes("F"), lambda a: a.item(0),
    lambda a: a.item(), lambda a: a.item(1, 1), lambda a: a.item(99), lambda a: len(a),
    lambda a: bool(a),
    lambda a: int(a), lambda a: float(a), lambda a: complex(a), lambda a: [10, 20][a],
    lambda a: f"{a}",
    lambda a: str(a), lambda a: repr(a), lambda a: [each.tolist() for each in a],
    lambda a: 3 in a, lambda a: 99.5 in a,
    lambda a: copy.copy(a), lambda a: copy.deepcopy(a), lambda a: a.flags.writeable,
    lambda a: a[0].shape,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", range(len(METHODS)))
def test_methods_are_numpys(device, case):
    method = METHODS[case]
    for shape in SHAPES:
        for _, laid_out in layouts(
            np.ascontiguousarray(np.arange(np.prod(shape))).reshape(shape).astype("f4")
        ):
            # A GPU has a copy in C order, of which any last axis can be viewed as another dtype.
            given = laid_out if device == "cpu" else np.ascontiguousarray(laid_out)
            expected, problem = outcome(lambda given=given: method(given))
            if isinstance(expected, np.generic):
                expected = np.asarray(expected)
            actual, error = outcome(lambda given=given: method(px.asarray(given)))
            check_error(error, problem)
            if problem is None:
                check_same(actual, expected)


def test_text_is_numpys(device, dtype):
    for shape in [(), (3,), (2, 3), (0, 2), (2000,)]:
        host = sample(dtype, shape)
        array = px.asarray(host)
        assert (repr(array), str(array)) == (repr(host), str(host))
        assert px.array_repr(array, precision=2) == np.array_repr(host, precision=2)
        assert px.array_str(array) == np.array_str(host)
        assert px.array2string(array, separator=",") == np.array2string(host, separator=",")


def test_text_names_another_device(device):
    from phalanx import _engine

    others = [each for each in _engine.devices() if each.kind != device]
    for other in others:
        name = "cpu" if other.is_host else f"{other.kind}:{other.ordinal}"
        array = px.arange(2).to_device(name)
        assert repr(array) == f"array([0, 1], device={name!r})"
        assert array.device == name
        check_same((array + 1).to_device(device), np.array([1, 2]))
    assert "device" not in repr(px.arange(2))


@pytest.mark.parametrize("protocol", range(6))
def test_pickles(device, dtype, protocol):
    for _, host in layouts(sample(dtype, (2, 3))):
        again = pickle.loads(pickle.dumps(px.asarray(host), protocol))
        check_same(again, host)
        again[0] = 1
        assert again.device == px.zeros(1).device


def test_pickles_out_of_band(device):
    buffers = []
    array = px.arange(1000.0) * 2
    text = pickle.dumps(array, 5, buffer_callback=buffers.append)
    assert len(text) < 500
    assert len(buffers) == 1
    check_same(pickle.loads(text, buffers=buffers), np.arange(1000.0) * 2)


def test_strides_and_flags(device):
    for name, host in layouts(sample(np.float32, (3, 4))):
        array = px.asarray(host)
        if device == "cpu":
            assert array.strides == host.strides, name
        flags = array.flags
        assert flags.forc == (flags["C"] or flags["F"])
        assert flags.fnc == (flags["F"] and not flags["C"])
        assert (flags.aligned, flags.contiguous) == (True, flags.c_contiguous)
        assert "WRITEABLE : True" in repr(flags)
        with pytest.raises(KeyError):
            flags["Z"]
        with pytest.raises(KeyError):
            flags["C"] = True
        flags["W"] = False
        assert not array.flags.writeable


def test_views_of_other_dtypes_share(device):
    array = px.zeros(2, np.float32)
    bits = array.view(np.uint32)
    recorded = bits + 1
    array[0] = 1
    assert bits.tolist() == [0x3F800000, 0]
    bits[1] = 0x40000000
    assert array.tolist() == [1, 2]
    assert recorded.tolist() == [1, 1]
    with pytest.raises(ValueError, match="divisor"):
        px.zeros(3, np.int8).view(np.int16)
    with pytest.raises(ValueError, match="contiguous"):
        px.zeros((3, 4), np.int8)[:, ::2].view(np.int16)


def test_fill_and_numbers_of_subclasses(device):
    class Level(enum.IntEnum):
        high = 7

    array = px.zeros(3)
    array.fill(2)
    array[0] = Level.high
    array[1] = np.float64(1.5)
    assert array.tolist() == [7, 1.5, 2]


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (2, 3, 4), (3,), (0, 2)])
def test_traces(device, dtype, shape):
    host = (np.arange(np.prod(shape)) % 5).reshape(shape).astype(dtype)
    for args in [(), (1,), (-1, 1, 0), (0, 0, 0), (0, -1, 0), (0, 0, 1, np.float32)]:
        expected, problem = outcome(lambda args=args: np.asarray(host.trace(*args)))
        actual, error = outcome(lambda args=args: px.asarray(host).trace(*args))
        check_error(error, problem)
        if problem is None:
            check_same(actual, expected)
    if len(shape) == 2:
        out = px.zeros((), dtype)
        assert px.trace(px.asarray(host), out=out) is out
        check_same(out, np.asarray(host.trace().astype(dtype)))


def test_buffers(device):
    array = px.arange(6).reshape(2, 3)
    if device != "cpu":
        with pytest.raises(BufferError, match="has no buffer"):
            memoryview(array)
        return
    read = memoryview(array)
    assert (read.shape, read.readonly, read.format, read.tolist()) == (
        (2, 3), True, "l", [[0, 1, 2], [3, 4, 5]])  # fmt: skip
    assert not np.asarray(array).flags.writeable
    own = np.array(array)
    own[0] = 9
    assert array.tolist() == [[0, 1, 2], [3, 4, 5]]
    import io

    io.BytesIO(np.arange(7, 13).tobytes()).readinto(array)  # asks for one to write to
    assert array.tolist() == [[7, 8, 9], [10, 11, 12]]
    array.setflags(write=False)
    with pytest.raises((BufferError, TypeError), match=r"read-only|read-write"):
        io.BytesIO(b"").readinto(array)


def test_the_array_interface(device):
    array = px.arange(6)[::2] * 1
    if device == "cpu":
        interface = array.__array_interface__
        assert interface["shape"] == (3,)
        assert not hasattr(array, "__cuda_array_interface__")
    else:
        assert not hasattr(array, "__array_interface__")
        assert array.__cuda_array_interface__["shape"] == (3,)
        check_same(
            px.asarray(
                type(
                    "Other",
                    (),
                    {"__cuda_array_interface__": array.__cuda_array_interface__, "keep": array},
                )()
            ),
            np.array([0, 2, 4]),
        )
    assert np.asarray(array).tolist() == [0, 2, 4]
    assert np.asarray(array, dtype=float).dtype == float


def test_dlpack(device):
    array = px.arange(6).reshape(2, 3) * 2
    if device == "cpu":
        host = np.from_dlpack(array)
        host[0, 0] = 50
        assert array.tolist() == [[50, 2, 4], [6, 8, 10]]
        taken = px.from_dlpack(host)
        taken[1] = 1
        assert host.tolist() == [[50, 2, 4], [1, 1, 1]]
    again = px.from_dlpack(_Foreign(array))
    check_same(again, np.array(array))
    again[0] = -1
    assert array.tolist()[0] == [-1, -1, -1]
    check_same(px.from_dlpack(array), np.array(array))
    assert array.__dlpack_device__()[0] == (1 if device == "cpu" else 2)
    with pytest.raises(TypeError, match="DLPack"):
        px.from_dlpack(3)


class _Foreign:
    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_to_device_and_namespace(device):
    array = px.arange(3)
    assert array.to_device(array.device) is array
    assert array.__array_namespace__() is px
    assert array.__array_namespace__(api_version="2023.12") is px
    with pytest.raises(ValueError, match="1999"):
        array.__array_namespace__(api_version="1999.01")
    with pytest.raises(ValueError, match="a copy is needed"):
        px.asarray(array, dtype=float, copy=False)


def test_assigned_numbers_fit_or_are_refused(device):
    array = px.zeros(2, np.int8)
    for value in (300, -129, 2**70):
        with pytest.raises(OverflowError, match="out of bounds for int8"):
            array[0] = value
    with pytest.raises(ValueError, match="NaN"):
        array[0] = float("nan")
    big = px.zeros(1, np.uint64)
    big[0] = 2**64 - 1
    assert big.tolist() == [2**64 - 1]
    with pytest.raises(ValueError, match="cannot delete"):
        del array[0]


def test_arrays_of_lists_of_arrays(device):
    check_same(px.array([px.arange(3), [1, 2, 3]]), np.array([[0, 1, 2], [1, 2, 3]]))
    check_same(ours([np.arange(2)])[0], np.arange(2))


@pytest.mark.parametrize("void", ["V4", "|V4", np.dtype("V4")])
def test_views_of_bytes_are_numpys(device, void):
    host = np.arange(6, dtype=np.float32).reshape(2, 3)
    made = px.asarray(host).view(void)
    assert type(made) is np.ndarray and made.dtype == void
    assert np.array_equal(made, host.view(void))


@pytest.mark.parametrize("records", [np.dtype([("a", "i4")]), "V4,i4", np.dtype(("i4", (2,)))])
def test_views_of_records_are_refused(records):
    with pytest.raises(TypeError):
        px.zeros(4, np.float32).view(records)
